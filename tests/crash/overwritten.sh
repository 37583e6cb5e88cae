#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# overwritten.sh BUILD FOLDER some|every - whatever a program stores into the superblock
# of its trace, the program and the launcher end in time, and events recorded before can
# be read: with the launcher, without one, and from a damaged file.
set -u
build=$(cd "$1" && pwd) folder=$2/overwritten_$3 which=$3
if [ "$which" = every ] && grep -q __asan_init "$build/bin/rangeline"; then
    echo "sanitizers make this take an hour; crash_overwritten_some runs with them" >&2
    exit 77
fi
PATH=$build/bin:$PATH
unset RANGELINE_OUTPUT RANGELINE_RUN
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1

# The fields, which end with the near misses, and the beginning of the table of windows.
words="$(seq 0 143) $(seq 512 520)"
values=(0 1 -1 1099511627776 2856325418661 81985529216486895)
n_failed=0 n_passed=0

fail() {
    echo "FAILED: word $word, value $value, $*"
    n_failed=$((n_failed + 1))
    [ $n_failed -lt 20 ] || exit 1
}

check_trace() { # FILE WHAT
    local n
    n=$(timeout 60 rangeline print "$1" 2>err | grep -c ' mark *before')
    if [ "$n" -eq 1000 ]; then
        n_passed=$((n_passed + 1))
    else
        fail "$2: $n of 1000 marks: $(cat err)"
    fi
}

with_launcher() { # OPTION...
    rm -f t*.rln
    timeout 60 rangeline profile "$@" -o t overwriter "$word" "$value" "$marks" 2>said
    local status=$?
    if [ $status -ne 0 ]; then
        fail "profile $*: exit status $status"
    elif [ ! -e t.rln ]; then
        fail "profile $*: the trace was removed: $(cat said)"
    else
        check_trace t.rln "profile $*"
    fi
}

without_launcher() {
    rm -f s*.rln
    NVTX_INJECTION64_PATH=$build/lib/librangeline-collect.so RANGELINE_OUTPUT=s.rln \
        timeout 60 overwriter "$word" "$value" "$marks" || fail "alone: exit status $?"
    # A version that may be newer than the reader's is refused.
    [ "$word" -eq 1 ] || check_trace s.rln alone
}

damaged_file() {
    rm -f f.rln
    cp whole.rln f.rln
    python3 -c "
import struct, sys
with open('f.rln', 'r+b') as f:
    f.seek(8 * int(sys.argv[1]))
    f.write(struct.pack('<Q', int(sys.argv[2]) & (2**64 - 1)))
" "$word" "$value"
    [ "$word" -eq 1 ] || check_trace f.rln 'damaged file'
}

marks=20000 # some more blocks
rangeline profile -o whole overwriter 143 0 $marks 2>said || exit 1
turn=0
for word in $words; do
    for value in "${values[@]}"; do
        turn=$((turn + 1))
        [ "$which" = every ] || [ $((turn % 29)) -eq 0 ] || continue
        with_launcher
        without_launcher
        damaged_file
        [ "$which" = every ] || [ $((turn % 5)) -eq 0 ] || continue
        with_launcher --buffer 64M
    done
done
echo "$n_passed traces were read"
[ $n_failed -eq 0 ]
