#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes.sh BUILD_DIR - --capture-range-end closes windows, and --capture-nth selects the
# occurrences that open one.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

twice='mark a push s mark b pop mark c push s mark d pop mark e'
first='push s, mark b, pop s'
second='push s, mark d, pop s'
check 'nothing is asked for' '' 'mark a push s pop' 'mark a, push s, pop s'
check 'the first one by default' '-c nvtx -p s' "$twice" "$first"
check 'stop is the default' '-c nvtx -p s --capture-range-end stop' "$twice" "$first"
check 'none goes on' '-c nvtx -p s --capture-range-end none' "$twice" \
    "$first, mark c, push s, mark d, pop s, mark e"
check 'repeat takes all' '-c nvtx -p s --capture-range-end repeat' "$twice" \
    "$first, $second"
check 'repeat:1 is one' '-c nvtx -p s --capture-range-end repeat:1' "$twice" "$first"
check 'repeat:2 is two' '-c nvtx -p s --capture-range-end repeat:2' \
    "$twice push s mark f pop" "$first, $second"
check 'report modes of nsys are accepted' '-c nvtx -p s --capture-range-end repeat:2:async' \
    "$twice" "$first, $second"
check 'and without a number' '-c nvtx -p s --capture-range-end repeat:sync' "$twice" \
    "$first, $second"
check 'a program is not ended by stop-shutdown' \
    '-c nvtx -p s --capture-range-end=stop-shutdown' "$twice" "$first"
check 'nor by repeat-shutdown' '-c nvtx -p s --capture-range-end=repeat-shutdown:2' \
    "$twice push s pop" "$first, $second"

# Which occurrences.
three='push s mark a pop push s mark b pop push s mark c pop'
check 'the first is 0' '-c nvtx -p s --capture-nth 0' "$three" 'push s, mark a, pop s'
check 'the third' '-c nvtx -p s --capture-nth 2' "$three" 'push s, mark c, pop s'
check 'the second and the third' '-c nvtx -p s --capture-nth 1..2' "$three" \
    'push s, mark b, pop s, push s, mark c, pop s'
check 'more than there are' '-c nvtx -p s --capture-nth 1..9' "$three" \
    'push s, mark b, pop s, push s, mark c, pop s'
check 'one that never comes' '-c nvtx -p s --capture-nth 3' "$three" '-'
check 'from the second on' '-c nvtx -p s --capture-nth 1 --capture-range-end none' \
    "$three" 'push s, mark b, pop s, push s, mark c, pop s'

# A window is open while any of its ranges is.
check 'one inside of another is no occurrence of its own' '-c nvtx -p s' \
    'push s mark a push s mark b pop mark c pop mark d' \
    'push s, mark a, push s, mark b, pop s, mark c, pop s'
check 'the second outer one is occurrence 1' '-c nvtx -p s --capture-nth 1' \
    'push s push s pop pop push s mark a pop' 'push s, mark a, pop s'
check 'nor does it close with one that ends before' '-c nvtx -p s@*' \
    'push s@a push s@b push s@c pop @a mark a pop @c pop @b mark b' \
    'push a:s, push b:s, push c:s, pop a:s, mark a, pop c:s, pop b:s'
check 'start/end ranges overlap' '-c nvtx -p s' \
    'start s mark a start s mark b end mark c end mark d' \
    'start s, mark a, start s, mark b, end s, mark c, end s'
check 'a range that never ends' '-c nvtx -p s' 'push s mark a' 'push s, mark a'

# Ranges that are open when a window opens or closes.
check 'what is around is resumed' '-c nvtx -p s' \
    'push out push s pop pop' 'resumed out, push s, pop s, pop* out'
e0='resumed e0, resumed f0, push s, pop s, pop* f0, pop* e0'
check 'not what was started: anybody may end it' '-c nvtx -p s' \
    'start out push s end mark a pop' 'push s, mark a, pop s'
check 'under the names that were printed for them' '-c nvtx -p s --capture-range-end repeat' \
    'ppush e0 ppush f0 push s pop pop pop ppush e1 ppush f1@io push s pop pop @io ppush f2@io
     push s pop' \
    "$e0, resumed e1, resumed io:f1, push s, pop s, pop* io:f1, resumed io:f2, push s, pop s"
long=$(printf '%5000s' '' | tr ' ' x)
check 'however long they are' '-c nvtx -p s' 'lpush x ppush y lpush x lpush x lpush x push s' \
    "resumed $long, resumed y, resumed $long, resumed $long, resumed $long, push s"
check 'in the order of pushes, over domains' '-c nvtx -p s' \
    'push a push b@io push c push s mark x pop pop pop @io pop' \
    'resumed a, resumed io:b, resumed c, push s, mark x, pop s, pop* c, pop* io:b, pop* a'
check 'what is popped before is not told' '-c nvtx -p s' \
    'push a push b pop push s pop pop' 'resumed a, push s, pop s, pop* a'
check 'ends come later than the window' '-c nvtx -p s' \
    'start s push a start x end end mark b pop' \
    'start s, push a, start x, end x, end s, pop a'
check 'what begins behind a window has no end either' \
    '-c nvtx -p s --capture-range-end repeat' \
    'push s pop push a push b pop pop push s pop' 'push s, pop s, push s, pop s'
check 'pushed between windows, popped in the next' \
    '-c nvtx -p s --capture-range-end repeat' \
    'push s pop push a start s pop mark b end' \
    'push s, pop s, resumed a, start s, pop* a, mark b, end s'
deep=$(for _ in {1..300}; do echo 'push d'; done; echo push s mark a pop;
    for _ in {1..300}; do echo pop; done)
check 'deeper than what a thread keeps in mind' '-c nvtx -p s' "push out $deep mark b pop" \
    "resumed out$(printf ', resumed d%.0s' {1..255}), push d$(
        printf ', resumed d%.0s' {1..44}), push s, mark a, pop s$(
        printf ', pop* d%.0s' {1..44}), pop d$(printf ', pop* d%.0s' {1..255}), pop* out"
check 'a pop that closes nothing is recorded in a window alone' '-c nvtx -p s' \
    'pop start s pop end pop' 'start s, pop ?, end s'

# A range that was open before a window begins with the window, in every report.
rm -f t.rln
rangeline profile -o t -c nvtx -p s say push out push s mark a pop pop 2>err
sum() { rangeline stats -q -r nvtx_sum -f csv:nohdr t.rln | awk -F, '/:out/ { print $2 }'; }
trace() { rangeline stats -q -r nvtx_pushpop_trace -f csv:nohdr t.rln | awk -F, '/:out/ { print $3 }'; }
compare 'the sum and the trace of ranges' "$(sum)" "$(trace)"
compare 'are there' 1 "$(($(sum) > 0))"

# One window of several.
check 'three windows' '-c nvtx -p s --capture-range-end repeat' "$three" \
    'push s, mark a, pop s, push s, mark b, pop s, push s, mark c, pop s'
compare 'the second of them' 'push s, mark b, pop s' "$(events t.rln --window 1)"
compare 'the last of them' 'push s, mark c, pop s' "$(events t.rln --window 2)"
compare 'all are listed' '3' "$(rangeline info t.rln | grep -c '^window ')"
end_of_table
