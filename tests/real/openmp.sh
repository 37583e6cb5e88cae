#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# openmp.sh BUILD_DIR - each parallel region of a program with LLVM's OpenMP is a range,
# and each loop has a mark with its iterations, recorded through ITT.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if grep -q '^RLN_SANITIZE:[^=]*=.' "$build/CMakeCache.txt"; then
    echo "skipped: a program without the sanitizer cannot load these libraries"
    exit 77
fi
clang -g -fopenmp=libomp "$here/openmp.c" -o program 2>log || {
    echo "skipped: LLVM's OpenMP is missing (libomp-14-dev)"
    exit 77
}
OMP_NUM_THREADS=2 "$build/bin/rangeline" profile --itt -o t ./program >out 2>err ||
    { cat out err; exit 1; }
"$build/bin/rangeline" print --ranges t.rln >ranges
regions=$(grep -c 'ITT frames:[a-z_]*$omp$parallel' ranges)
domains=$("$build/bin/rangeline" info --json t.rln | grep -o '"ITT frames"' | wc -l)
loops=$("$build/bin/rangeline" print t.rln |
    grep -c 'mark .*OMP Metadata:omp_metadata_loop.*, 1000, ')
[ "$(cat out)" = 2997002 ] && [ "$regions" = 7 ] && [ "$loops" = 6 ] && [ "$domains" -ge 1 ] &&
    "$build/bin/rangeline" check t.rln >/dev/null || {
    echo "7 parallel regions and 6 loops expected, $regions and $loops found"
    cat out err ranges
    exit 1
}
echo "7 parallel regions, 6 loops"
