#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh BUILD_DIR PROGRAM EXPECTED [unordered] - records an example and compares its
# events with those expected.
#
# `unordered`: ignores the order of events and their threads, which differ between runs.
# UPDATE=1 writes EXPECTED instead.
set -u
build=$1 program=$2 expected=$3 order=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$build/examples/record.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

"$build/bin/rangeline" profile -o "$work/t" "$program" >"$work/output" 2>&1 || {
    cat "$work/output"
    exit 1
}
"$build/bin/rangeline" print --json "$work/t.rln" >"$work/json" || exit 1
awk -f "$here/../tests/collect/normalize.awk" "$work/json" >"$work/found"
if [ "$order" = unordered ]; then
    sed -e '/"thread_begin"/d' -e 's/"[pt]id":[pt][0-9]*,//g' "$work/found" |
        LC_ALL=C sort >"$work/sorted"
    mv "$work/sorted" "$work/found"
fi
if [ -n "${UPDATE:-}" ]; then
    cp "$work/found" "$expected"
else
    diff -u "$expected" "$work/found"
fi
