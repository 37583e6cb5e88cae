#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One source, every copy of the headers: the same trace.   same_trace.sh BUILD_DIR
# tests/compat/core_calls.c, which calls all of NVTX's core, is compiled with our headers
# and with those of NVIDIA's releases, as C and as C++, and recorded.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../compat/core_calls.c
dir=${NVTX_HEADERS_DIR:-$build/nvtx-headers}
work=$(mktemp -d "$build/tests/collect/same.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n_compared=0

record() { # NAME COMPILE...
    name=$1
    shift
    "$@" "$source" -o "$work/core_calls" -ldl || exit 1
    rm -f "$work/t.rln"
    (cd "$work" && NVTX_INJECTION64_PATH=$build/lib/librangeline-collect.so \
        RANGELINE_OUTPUT=$work/t.rln ./core_calls >"$work/$name.stdout") || exit 1
    "$build/bin/rangeline" print --json "$work/t.rln" >"$work/json" || exit 1
    awk -f "$here/normalise.awk" "$work/json" >"$work/$name"
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/$name" "$here/same_trace.expected"
    fi
    diff -u "$here/same_trace.expected" "$work/$name" || {
        echo "another trace: $name"
        exit 1
    }
    diff -u "$work/ours-c.stdout" "$work/$name.stdout" || exit 1
    n_compared=$((n_compared + 1))
}

record ours-c cc -std=c11 "-I$here/../../include"
UPDATE=
record ours-c++ c++ -std=c++17 -x c++ "-I$here/../../include"
for version in cu11 cu12 cu13; do
    file=$(find "$dir/$version" -path '*/nvtx3/nvToolsExt.h' 2>/dev/null | head -n 1)
    if [ -z "$file" ]; then
        echo "skipped: NVIDIA's headers $version are not in $dir:" \
            "run tools/fetch_nvtx_headers $dir"
        exit 77
    fi
    include=${file%/nvtx3/nvToolsExt.h}
    record $version-c cc -std=gnu11 -w "-I$include"
    record $version-c++ c++ -std=c++17 -w -x c++ "-I$include"
done
echo "$n_compared builds, one trace"
