#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# count.sh BUILD_DIR PROGRAM TEXT EXPECTED - records a program, and counts the events that
# contain TEXT.
set -u
build=$1 program=$2 text=$3 expected=$4
work=$(mktemp -d "$build/tests/collect/count.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

NVTX_INJECTION64_PATH=$build/lib/librangeline-collect.so RANGELINE_OUTPUT=$work/t.rln \
    "$program" || exit 1
found=$("$build/bin/rangeline" print --json "$work/t.rln" |
    grep -cF "$text")
[ "$found" -eq "$expected" ] || {
    echo "events with $text: found $found, expected $expected"
    exit 1
}
