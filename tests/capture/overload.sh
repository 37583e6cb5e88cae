#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# overload.sh BUILD_DIR - if events find no room, `--on-overload` drops them, waits or
# makes room. Each event is recorded or counted as dropped.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

marks() { rangeline print "$1" 2>/dev/null | grep -c ' mark '; }

# N marks in each of two threads and a child: all are in the trace or counted as dropped.
adds_up() { # WHAT OPTIONS N
    rm -f t.rln
    # shellcheck disable=SC2086
    rangeline profile -o t $2 say thread \( many "$3" \) fork \( many "$3" \) many "$3" 2>err
    compare "$1: exit status" 0 $?
    compare "$1: each event is there or counted" $((3 * $3)) \
        "$(rangeline info --json t.rln | grep -oE '"(marks|dropped)":[0-9]+' |
            head -n 2 | awk -F: '{ n += $2 } END { print n }')"
}
adds_up 'drop' '--on-overload drop' 300000
adds_up 'wait' '--on-overload wait' 300000
check 'a few events are never dropped' '--on-overload drop' \
    'push a mark b thread ( mark c ) fork ( mark d ) pop' \
    'push a, mark b, mark c, mark d, pop a'
rm -f t.rln
rangeline profile -o t --on-overload drop -e RANGELINE_HELPER=0 say many 300000 2>err
compare 'without a helper the thread makes room itself' 300000 "$(marks t.rln)"
for signal in 9 6; do
    rm -f t.rln
    rangeline profile -o t --on-overload drop say push a mark b many 300000 kill $signal 2>err
    compare "signal $signal" 'push a mark b' \
        "$(rangeline print t.rln 2>/dev/null | awk '$3 != "thread_begin" { print $3, $4 }' | head -n 2 | xargs)"
done
adds_up 'wait in the flight recorder' '--on-overload wait --buffer 16M' 1000
rangeline profile --on-overload drop --buffer 1M touch started 2>err
compare 'drop and --buffer' 2 $?
compare 'say why' 'rangeline: cannot record: --on-overload="drop": cannot be used with --buffer' \
    "$(head -n 1 err)"
rangeline profile --on-overload never touch started 2>err
compare 'no such thing' 2 $?
compare 'no program was started' '' "$(ls started 2>/dev/null)"

# A full disk. The program has room again once the filler is removed.
small_disk() {
    mkdir -p disk
    mount -t tmpfs -o size=24m none disk || return
    head -c 16m /dev/zero >disk/filler
    # Room becomes available while it waits: nothing is lost.
    rangeline profile -o disk/t --on-overload wait \
        say many 500000 touch disk/here many 500000 2>err &
    for _ in {1..600}; do
        [ "$(du -k disk/t.rln 2>/dev/null | cut -f1)" -ge 4000 ] 2>/dev/null && break
        sleep 0.01
    done
    sleep 0.1
    rm disk/filler
    wait $!
    echo $? "$(grep -c DROPPED err)" "$(marks disk/t.rln)"
    # No room becomes available: the program goes on after a second in total for all its
    # threads.
    rm -f disk/t.rln && head -c 16m /dev/zero >disk/filler
    start=$SECONDS
    rangeline profile -o disk/t --on-overload wait \
        say thread \( many 1000000 \) many 1000000 2>err
    echo $? "$(grep -c DROPPED err)" $((SECONDS - start < 60))
    rangeline info --json disk/t.rln | grep -oE '"waited_ns":[0-9]+' |
        awk -F: '{ n += $2 } END { print (n > 900000000) }'
    # A signal is handled meanwhile.
    rm -f disk/t.rln
    rangeline profile -o disk/t --on-overload wait timeout -s INT 0.5 \
        say many 100000000 2>err
    echo $?
}
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    export -f small_disk marks
    compare 'a full disk' '0 0 1000000 0 1 1 1 124' "$(unshare -m bash -c small_disk 2>&1 | xargs)"
fi
end_of_table
