#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gil_waits.sh BUILD_DIR - with -t python-gil, programs that wait on condition variables
# run as without, and only waits for Python's GIL are recorded.
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
grep -q __asan_init "$build/bin/host-waits" &&
    echo "AddressSanitizer fails when it unwinds a cancelled thread, recorded or not" && exit 77
unset NVTX_INJECTION64_PATH
for variable in $(compgen -v RANGELINE_); do unset "$variable"; done
rangeline() { "$build/bin/rangeline" "$@"; }
status=0

# Two waits that fail, one that is cancelled, and one in each of two processes that times out
# 20 times or more: one range, if this CPython's GIL is known.
check() { # PROGRAM LEAST MOST
    "$build/bin/$1" >alone
    echo "exit status $?" >>alone
    rangeline profile -o "$1" -t python-gil "$build/bin/$1" >out 2>err
    echo "exit status $?" >>out
    diff -u alone out || status=1
    n=0
    [ ! -e "$1.rln" ] || n=$(rangeline print --json "$1.rln" | grep -c '"type":"push"')
    echo "$1: $n waits"
    [ "$n" -ge "$2" ] && [ "$n" -le "$3" ] && return
    echo "expected: $2 to $3"
    status=1
}
check host-waits 0 0
check host-gil_waits 5 5
check host-gil_waits_unknown 45 1000
exit $status
