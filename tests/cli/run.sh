#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR CASE - runs one test of the command line, in an empty folder.
#
# Compares the output of CASE.sh with CASE.stdout, CASE.stderr and CASE.exit beside it
# (a missing file means no output, and 0). UPDATE=1 writes them instead: read the diff.
# A case has `rangeline` in its PATH and the programs of the tests in $BIN. It calls
# `golden NAME` for a trace of tests/unit/make_traces.c, and `tidy` to remove times,
# pids and sizes from lines, and what depends on the kernel.
set -u
build=$(cd "$1" && pwd) case=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/here" && cd "$work/here" || exit 1

export BIN=$build/bin PATH=$build/bin:$PATH LC_ALL=C.UTF-8 NO_COLOR=1 BUILD=$build
unset NVTX_INJECTION64_PATH
for variable in $(compgen -v RANGELINE_); do unset "$variable"; done

golden() { # NAME: puts NAME.rln into this folder
    mkdir -p "$work/golden"
    "$BIN/make_traces" "$work/golden" >/dev/null || exit 1
    cp "$work/golden/$1.rln" .
}

tidy() {
    sed -E -e '/^switches  /d' \
        -e 's/[0-9]+(\.[0-9]+)? (B|KiB|MiB|GiB)/SIZE/g' \
        -e 's/[0-9]+\.[0-9]{9}/TIME/g' -e 's/[0-9.]+ (ns|us|ms|s)\b/TIME/g' \
        -e 's/ *\b[0-9]{2,}\/[0-9]{2,}\b */ PID\/TID /g' -e "s|$work/here|HERE|g"
}

set +e
# shellcheck source=/dev/null
(. "$here/$case.sh") >"$work/stdout" 2>"$work/stderr" </dev/null
echo $? >"$work/exit"
if [ "$(cat "$work/exit")" = 77 ]; then # the case says why
    cat "$work/stderr"
    exit 77
fi

status=0
for part in stdout stderr exit; do
    expected=$here/$case.$part
    found=$work/$part
    [ $part = exit ] && [ "$(cat "$found")" = 0 ] && : >"$found"
    if [ -n "${UPDATE:-}" ]; then
        if [ -s "$found" ]; then cp "$found" "$expected"; else rm -f "$expected"; fi
    elif [ -e "$expected" ]; then
        diff -u "$expected" "$found" || status=1
    elif [ -s "$found" ]; then
        echo "$case: unexpected $part:"
        cat "$found"
        status=1
    fi
done
exit $status
