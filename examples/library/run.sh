#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR - runs each program of this folder on a trace of transfers.c, and
# compares what they print with library.expected. UPDATE=1 writes that instead.
set -u
build=$(cd "$1" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd)
programs=$build/examples/library
work=$(mktemp -d "$build/examples/library.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

run() { # PROGRAM [ARGUMENT...]
    program=$1
    shift
    echo "== $program${*:+ $*}"
    "$programs/$program" "$work/t.rln" "$@" 2>&1 || echo "exit status $?"
}

"$build/bin/rangeline" profile -o "$work/t" "$build/examples/transfers" \
    >"$work/output" 2>&1 || {
    cat "$work/output"
    exit 1
}
{
    run list_ranges
    run list_ranges transfers 1
    run list_ranges elsewhere
    run list_events
    run print_report nvtx_sum
    run print_report tree thread
    run print_report no_such_report
    run list_findings
    (cd "$work" && run write_export csv t.csv && wc -l <t.csv)
    run follow_run
    run count_batches
} | sed 's/thread [0-9]* is in/thread TID is in/; s/version [0-9.]*/version VERSION/' >"$work/found"
if [ -n "${UPDATE:-}" ]; then
    cp "$work/found" "$here/library.expected"
else
    diff -u "$here/library.expected" "$work/found"
fi
