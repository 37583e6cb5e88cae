#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR PROGRAM CASE [OPTION...] - runs one case of host.h under the
# launcher, with these options of `profile`, in an empty folder.
#
# The program must end as if unrecorded, and its traces must have every mark that has
# returned, undamaged. A case that exits with 77 prints why it is skipped.
set -u
build=$(cd "$1" && pwd) program=$2 case=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NVTX_INJECTION64_PATH
for variable in $(compgen -v RANGELINE_); do unset "$variable"; done
# LeakSanitizer cannot work in processes without /proc or descriptors, or of other
# users.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
export HOST_CLIENT=$build/tests/host/libhost-client.so
# Only for the program that loads it in a constructor.
[[ $program != */host-lifetimes ]] ||
    export HOST_EARLY_CLIENT=$build/tests/host/libhost-early_client.so

timeout 120 "$build/bin/rangeline" profile -o t "${@:4}" "$program" "$case" >out 2>err
status=$?
if [ $status -eq 77 ]; then
    cat out
    exit 77
fi
made=$(od -An -tu8 -N8 marks | tr -d ' ')
kept=0
for trace in *.rln; do
    "$build/bin/rangeline" print --json "$trace" >json 2>damage || status=$?
    kept=$((kept + $(grep -cF '"message":"kept"' json)))
    # Whenever windows open and close, no pop is unmatched.
    [[ $case != window_* ]] || ! grep -m 1 "\"\(pop\|end\)\".*\"unmatched\"" json || status=1
    # Without a fork, nothing is inherited.
    [[ $case != first_push_* ]] || ! grep -m 1 inherited json || status=1
    # Events without room are no damage; the programs here expect them.
    grep -v '^note: .* dropped: no space' damage && status=1
done
echo "exit status $status, $made marks made, $kept kept"
if [ $status -ne 0 ] || [ "$made" -eq 0 ] || [ "$made" -ne "$kept" ]; then
    cat out err | head -n 200
    exit 1
fi
