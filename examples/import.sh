#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import.sh BUILD_DIR PROGRAM EXPECTED - runs an example that writes a trace with the NVTXW
# backend, and compares reports of it with those expected.
#
# UPDATE=1 writes EXPECTED instead.
set -u
build=$1 program=$2 expected=$3
work=$(mktemp -d "$build/examples/import.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

NVTXW3_LIBRARY=$("$build/bin/rangeline" --nvtxw-library) && export NVTXW3_LIBRARY &&
    unset RANGELINE_OUTPUT && "$program" || exit 1
"$build/bin/rangeline" stats -q -r tree,counter_sum -f csv ./*.rln >table || exit 1
sed 's/,[0-9]\{2,\},http:/,PID,http:/' table >found
if [ -n "${UPDATE:-}" ]; then
    cp found "$expected"
else
    diff -u "$expected" found
fi
