#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh BUILD_DIR PROGRAM EXPECTED [linked] - records a program, and compares its
# events with those expected. UPDATE=1 writes EXPECTED instead.
#
# Without `linked` the collector is injected; with it the program contains the
# collector. The program checks what NVTX returns and exits with 0.
set -u
build=$1 program=$2 expected=$3
here=$(dirname "$0")
work=$(mktemp -d "$build/tests/collect/record.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

unset NVTX_INJECTION64_PATH
[ "${4:-}" = linked ] ||
    export NVTX_INJECTION64_PATH="$build/lib/librangeline-collect.so"
RANGELINE_OUTPUT=$work/t.rln "$program" "$build" >"$work/output" 2>&1
status=$?
if [ $status -ne 0 ]; then
    echo "$program: exit status $status"
    cat "$work/output"
    exit 1
fi
"$build/bin/rangeline" print --json "$work/t.rln" >"$work/json" || exit 1
awk -f "$here/normalize.awk" "$work/json" >"$work/found"
if [ -n "${UPDATE:-}" ]; then
    cp "$work/found" "$expected"
else
    diff -u "$expected" "$work/found"
fi
