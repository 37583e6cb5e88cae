#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# turning.sh BUILD_DIR - whenever windows open and close, every pop and end in the trace
# has its start, and no range that the program has ended stays open.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

nests() { # WHAT OPTIONS WORDS
    rm -f t.rln
    # Options contain an asterisk.
    set -f
    # shellcheck disable=SC2086
    rangeline profile -o t $2 turning $3 >out 2>err
    compare "$1: exit status" 0 $?
    set +f
    rangeline print t.rln >all
    compare "$1: it turned" '1 1' \
        "$(rangeline info t.rln | grep -c '^window *1, ') $(grep -c -m1 push all)"
    compare "$1: ends of nothing" 0 "$(grep -c unmatched all)"
    compare "$1: what never ends" 0 "$(rangeline print --ranges t.rln | grep -c '(open)')"
}

nests 'one thread' '' '1 6000'
nests 'side by side' '' '4 6000'
nests 'capture ranges' '-c nvtx -p turn@* --capture-range-end repeat' '1 6000 capture'
nests 'capture ranges side by side' '-c nvtx -p turn@* --capture-range-end repeat' \
    '4 6000 capture'
nests 'with categories left out, and snapshots' \
    '-c nvtx -p turn@* --capture-range-end repeat --categories 0@default,0@c --snapshot-on range=turn@*' \
    '4 3000 capture'
end_of_table
