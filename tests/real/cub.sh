#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cub.sh BUILD_DIR - NVIDIA's CUB, compiled by nvcc, records a pair in its own domain.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

command -v nvcc >/dev/null || {
    echo "skipped: there is no nvcc"
    exit 77
}
nvcc -std=c++17 "$here/reduce.cu" -o "$work/reduce" >"$work/log" 2>&1 || {
    echo "skipped: nvcc cannot compile CUB here: $(grep -m 1 error "$work/log")"
    exit 77
}
"$build/bin/rangeline" profile -o "$work/t" "$work/reduce" 2>"$work/err" ||
    { cat "$work/err"; exit 1; }
"$build/bin/rangeline" print "$work/t.rln" >"$work/events"
for what in push pop; do
    grep -qE " $what +CCCL:cub::DeviceReduce::Sum" "$work/events" || {
        echo "no $what of CUB's"
        cat "$work/events"
        exit 1
    }
done
