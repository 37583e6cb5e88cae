#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# aarch64.sh BUILD_DIR NATIVE_BUILD_DIR - checks in an emulator that the build of
# tools/aarch64.cmake works on aarch64.
#
# Records programs there, and reads the traces with the commands of both machines. Does
# not test children: the emulator ignores MADV_WIPEONFORK but reports success. Ends with
# `N passed, N failed, N skipped`.
set -u
build=$1 native=$2
here=$(dirname "$0")
work=$(mktemp -d "$build/aarch64.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n_passed=0 n_failed=0

emulated() { # COMMAND...
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}

same() { # NAME EXPECTED FOUND
    if diff -u "$2" "$3"; then
        n_passed=$((n_passed + 1))
    else
        echo "FAILED: $1"
        n_failed=$((n_failed + 1))
    fi
}

"$native/bin/rangeline" --version >"$work/version"
emulated "$build/bin/rangeline" --version >"$work/version.aarch64"
same "the command starts" "$work/version" "$work/version.aarch64"

for name in depths clients; do
    trace=$work/$name.rln
    emulated -E NVTX_INJECTION64_PATH="$build/lib/librangeline-collect.so" \
        -E RANGELINE_OUTPUT="$trace" "$build/bin/$name" "$build" \
        >"$work/$name.stdout" 2>&1 || echo "$name: exit status $?" >>"$work/$name.stdout"
    same "$name: what it says" /dev/null "$work/$name.stdout"
    "$native/bin/rangeline" print --json "$trace" >"$work/$name.native"
    awk -f "$here/normalize.awk" "$work/$name.native" |
        sed "s/\"qemu-aarch64\"/\"$name\"/" >"$work/$name.found"
    same "$name: events" "$here/$name.expected" "$work/$name.found"
    emulated "$build/bin/rangeline" print --json "$trace" >"$work/$name.aarch64"
    same "$name: both readers" "$work/$name.native" "$work/$name.aarch64"
done
echo "skipped: children on aarch64: the emulator does not wipe memory on fork"
echo "$n_passed passed, $n_failed failed, 1 skipped"
[ $n_failed -eq 0 ]
