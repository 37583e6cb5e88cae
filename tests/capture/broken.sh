#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# broken.sh BUILD_DIR - if a program is killed, aborts, or fills its disk, the captured
# events can be read, in each mode.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

for signal in 9 6; do
    for mode in none stop stop-shutdown repeat repeat:3 repeat-shutdown:2; do
        options="-c nvtx -p s --capture-range-end $mode"
        check "signal $signal before the window" "$options" "mark a kill $signal" '-' $((128 + signal))
        check "signal $signal in the window" "$options" \
            "push o push s mark a push b kill $signal" 'resumed o, push s, mark a, push b' $((128 + signal))
        compare 'the window was open' 1 "$(rangeline info t.rln | grep -c 'open to the end')"
        compare 'all of it is window 0' 'resumed o, push s, mark a, push b' \
            "$(events t.rln --window 0)"
        [ $mode = none ] || check "signal $signal behind the window" "$options" \
            "push s mark a pop mark b push c kill $signal" 'push s, mark a, pop s' $((128 + signal))
    done
    check "signal $signal in a child" '-c nvtx -p s --capture-range-end repeat' \
        "fork ( push s mark a kill $signal ) mark b push s mark c pop" \
        'push s, mark a, mark b, push s, mark c, pop s'
    check "signal $signal between CUDA's calls" '-c cudaProfilerApi' \
        "mark a profile mark b kill $signal" 'mark b' $((128 + signal))
    check "signal $signal before --delay is over" '--delay 30' "mark a kill $signal" '-' $((128 + signal))
    check "signal $signal within --duration" '--duration 30' "mark a kill $signal" 'mark a' $((128 + signal))
    check "signal $signal after rln_stop" '' "mark a still mark b kill $signal" 'mark a' $((128 + signal))
done

# A full disk, separate so that nothing else is affected.
full_disk() {
    mkdir -p disk
    mount -t tmpfs -o size=8m none disk || return
    rangeline profile -o disk/t -c nvtx -p s --capture-range-end repeat \
        say mark x push s many 3000000 pop mark y push s mark z pop 2>err
    echo $?
    rangeline print disk/t.rln 2>/dev/null | awk '$3 != "thread_begin" { print $3, $4; exit }'
    grep -c 'DROPPED' err
    rangeline info disk/t.rln | grep -cE '^window +[0-9]'
    rangeline print disk/t.rln 2>/dev/null | grep -cE ' mark +[xy]$'
}
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    export -f full_disk
    compare 'a full disk' '0 push s 1 2 0' "$(unshare -m bash -c full_disk 2>&1 | xargs)"
fi
end_of_table
