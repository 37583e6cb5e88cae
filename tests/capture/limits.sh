#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# limits.sh BUILD_DIR - recording keeps the limits --delay, --duration and --max-size,
# and --kill ends the program.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

said() { grep -c "$1" err; }

# The delay.
check 'what comes before is not there' '--delay 1' 'push o mark a sleep 2000 mark b pop' \
    'resumed o, mark b, pop* o'
compare 'it is the delay that opened the window' 1 \
    "$(rangeline info t.rln | grep -c 'opened by --delay or --duration')"
check 'no delay' '--delay=0' 'mark a' 'mark a'
check 'none of a unit' '--delay=0s0ms' 'mark a' 'mark a'
check 'a minute' '--delay=1m' 'mark a' '-'
check 'the program is faster' '-y 30' 'mark a' '-'
compare 'and that is said' 1 "$(said 'ended before --delay had passed')"
check 'a capture range in the delay opens it later' '-y 1 -c nvtx -p s' \
    'push s mark a sleep 2000 mark b pop' 'resumed s, mark b, pop* s'
check 'also one that a start began' '-y 1 -c nvtx -p s' \
    'start s mark a sleep 2500 mark b end mark c' 'mark b'
check 'one that ends in the delay is none' '-y 1 -c nvtx -p s' \
    'push s mark a pop sleep 2500 push s mark b pop push s mark c pop' \
    'push s, mark b, pop s'
check 'none of those that are counted' '-c nvtx -p s --capture-nth 1' \
    'still push s pop record push s mark a pop push s mark b pop' 'push s, mark b, pop s'
check 'nor is the run shut down for it' \
    '-c nvtx -p s --capture-range-end stop-shutdown --kill sigkill' \
    'still push s pop sleep 1000 record push s mark b pop sleep 60000' \
    'push s, mark b, pop s' 137
check 'nor does it use up a repetition' '-c nvtx -p s --capture-range-end repeat:2' \
    'still push s pop record push s mark a pop mark - start s mark b end push s mark c pop' \
    'push s, mark a, pop s, start s, mark b, end s'
check 'the same where the program has stopped' '-c nvtx -p s' \
    'still push s pop record push s mark c pop' 'push s, mark c, pop s'
check 'a start where the program has stopped' '-c nvtx -p s' \
    'still start s record mark b end mark c' 'mark b'
check 'and cudaProfilerStart' '-c cudaProfilerApi' \
    'still profile unprofile record profile mark b unprofile' 'mark b'
check 'nothing but such' '-y 1 -c nvtx -p s' 'push s pop start s end sleep 2500' '-'
compare 'and that is said' 1 "$(said 'was opened 2 times, and closed again while a delay')"
check '--start-later overrides the delay' '-Y -y 0.01' 'mark a sleep 300 mark b' '-'
compare 'and that is said, too' 1 "$(said 'recording was never started')"

# The duration.
check 'what comes after is not there' '--duration 1' \
    'push o mark a sleep 2500 mark b pop push c pop touch went-on' 'push o, mark a, pop o'
compare 'the program went on' went-on "$(ls went-on)"
compare 'it is said when it is over' 1 "$(said 'recording has ended: --duration has passed')"
compare 'it is the duration that closed the window' 1 \
    "$(rangeline info t.rln | grep -c 'closed by --delay or --duration')"
check 'it counts from the first window' '-d 1 -c nvtx -p s' \
    'sleep 1500 push s mark a sleep 2500 mark b pop' 'push s, mark a, pop s'
check 'the program is faster than its duration' '-d 30' 'mark a' 'mark a'

# The size.
check 'a trace that stays small' '--max-size 1G' 'mark a' 'mark a'
rm -f t.rln
rangeline profile -o t --max-size 1M say many 1000000 sleep 1000 mark behind 2>err
compare 'it is the size that closed the window' 1 \
    "$(rangeline info t.rln | grep -c 'closed by --max-size')"
compare 'in JSON, too' 1 "$(rangeline info --json t.rln | grep -c '"closed_by":"size"')"
compare 'recording ends with the size' 1 "$(said 'recording has ended: the trace has reached --max-size')"
compare 'that is all that is said' 0 "$(said 'before the first event')"
compare 'nothing comes behind it' 0 "$(rangeline print t.rln | grep -c behind)"

rangeline profile -o t -f --max-size 1K say sleep 300 mark late 2>err
compare 'and is named as the reason for no events' 1 "$(said 'a larger --max-size')"
check 'a size that is over before a window' '--max-size 1K -c nvtx -p s' \
    'sleep 1500 push s pop' '-'
compare 'and that is said' '0 1' "$(said 'can be read') $(said 'size was reached before the first event')"

# The program, which is killed only on request.
killed() { # WHAT STATUS OPTIONS WORDS
    rm -f survived t.rln
    # shellcheck disable=SC2086
    rangeline profile -o t $3 say $4 touch survived 2>err
    compare "$1: exit status" "$2" $?
    if [ "$2" -gt 128 ]; then set -- "$1" ''; else set -- "$1" survived; fi
    compare "$1: what is left" "$2" "$(ls survived 2>/dev/null)"
}
killed 'by the duration' 143 '-d 1 --kill sigterm' 'mark a sleep 20000'
compare 'what was recorded is there' 'mark a' "$(events t.rln)"
killed 'by the size' 137 '--max-size 1M --kill sigkill' 'many 1000000 sleep 20000'
killed 'by stop-shutdown' 130 \
    '-c nvtx -p s --capture-range-end stop-shutdown --kill 2' 'push s pop sleep 20000'
for name in INT sigint Int SIGINT; do
    killed "by a name, $name" 130 \
        "-c nvtx -p s --capture-range-end stop-shutdown --kill $name" 'push s pop sleep 20000'
done
killed 'with its children' 143 '-d 1 --kill sigterm' \
    'mark a fork ( fork ( sleep 20000 touch survived ) )'
killed 'not by none' 0 '-d 0.1 --kill none' 'mark a sleep 500'
killed 'not by stop' 0 '-c nvtx -p s --kill sigterm' 'push s pop sleep 500'
killed 'not before the end' 0 '-d 60 --kill sigterm' 'mark a'

# Amounts.
refuse() { # OPTION MESSAGE
    rangeline profile "$1" true 2>err
    compare "$1 exits 2" 2 $?
    compare "$1" "rangeline: cannot read command line: $2" "$(head -n 1 err)"
}
for value in '' x -1 1x 1s-2s 0x10 inf 1e99; do
    refuse "--delay=$value" "--delay=\"$value\": not a time, such as 2 (seconds), 0.5 or 500ms"
done
for value in '' x -1 1Q 10MM 0x10 1e99 1; do
    refuse "--max-size=$value" "--max-size=\"$value\": not a size with its unit: K, M, G or T"
done
for value in 100K 1.5MiB 2g 1TB; do
    rangeline profile -o t -f --max-size $value true 2>err
    compare "--max-size $value" 0 $?
done
end_of_table
