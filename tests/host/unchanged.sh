#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# unchanged.sh BUILD_DIR - a program's visible state is the same, recorded or not.
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NVTX_INJECTION64_PATH
for variable in $(compgen -v RANGELINE_); do unset "$variable"; done

# bash puts the command's name into the variable `_`.
run() { # NAME COMMAND...
    local name=$1
    shift
    env -u _ "$@" "$build/bin/host-unchanged" >"$name.out" 2>"$name.err" </dev/null
    echo "exit status $?" >>"$name.out"
}
run plain
run injected env NVTX_INJECTION64_PATH="$build/lib/librangeline-collect.so"
run launched "$build/bin/rangeline" profile -o t
status=0
for way in injected launched; do
    diff -u plain.out $way.out || status=1
done
[ ! -s injected.err ] || { cat injected.err; status=1; }
for trace in rangeline-*.rln t.rln; do
    n=$("$build/bin/rangeline" print --json "$trace" | grep -c '"message":"many"')
    [ "$n" -eq 100000 ] || { echo "$trace: $n marks"; status=1; }
done
grep -c . plain.out
exit $status
