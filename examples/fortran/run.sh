#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR - builds the example in Fortran as users would, and compares its events
# with those expected.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v gfortran >/dev/null || {
    echo "gfortran is not installed" >&2
    exit 77
}
work=$(mktemp -d "$build/examples/fortran.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
gfortran -std=f2008 -Wall -Wextra -Werror -J "$work" "$here/../../include/nvtx3/nvtx.f90" "$here/solver.f90" \
    -L"$build/lib" -lnvtx3interop -Wl,-rpath,"$build/lib" -o "$work/solver" || exit 1
"$here/../record.sh" "$build" "$work/solver" "$here/solver.expected"
