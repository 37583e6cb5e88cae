#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# categories.sh BUILD_DIR - `--categories` records only matching events, and no names of
# others; depths count all ranges.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

# Matching categories. `in 0` means events without one.
some='in 0 mark none in 1 push a mark b pop in 2 push c mark d pop in 0'
check 'all' '' "$some" 'mark none, push a, mark b, pop a, push c, mark d, pop c'
check 'one by number' '--categories 1' "$some" 'push a, mark b, pop a'
check 'two' '--categories 2,1' "$some" 'push a, mark b, pop a, push c, mark d, pop c'
check 'none of these' '--categories 3' "$some" '-'
check 'events without one' '--categories 0' "$some" 'mark none'
check 'a number is all of its digits' '--categories 1' 'in 11 mark a in 1 mark b' 'mark b'
named='in 1 name io in 2 name net'
check 'by name' '--categories net' "$named $some" 'push c, mark d, pop c'
check 'by a part of it' '--categories n*' "$named $some" 'push c, mark d, pop c'
check 'names and numbers' '--categories 1,net' "$named $some" \
    'push a, mark b, pop a, push c, mark d, pop c'
check 'a name that looks like a number' '--categories \1' \
    "in 2 name 1 $some" 'push c, mark d, pop c'
check 'a name with a comma' '--categories a\,b' 'in 2 name a,b mark x in 1 mark y' 'mark x'
check 'a number is no name' '--categories 1' 'in 2 name 1 mark x in 1 mark y' 'mark y'

# Categories get their names while the program runs.
check 'named after its first events' '--categories io' \
    'in 1 mark a push b pop name io mark a push b pop' 'mark a, push b, pop b'
check 'named while its range is open' '--categories io' \
    'in 1 push a name io push b pop pop mark c' 'push b, pop b, mark c'
check 'named otherwise' '--categories io' 'in 1 name io mark a name net mark a' 'mark a'

# CATEGORY@DOMAIN. Without a domain, any matches.
places='in 1 mark a mark b@x mark c@y'
check 'any domain' '--categories 1' "$places" 'mark a, mark x:b, mark y:c'
check 'one' '--categories 1@x' "$places" 'mark x:b'
check 'one by a part of its name' '--categories 1@x*' "$places mark d@xx" 'mark x:b, mark xx:d'
check 'the default domain' '--categories 1@default' "$places" 'mark a'
check 'one that is called so' '--categories 1@\default' "$places mark d@default" \
    'mark default:d'
check 'numbers are of their domain' '--categories 1@x,2@y' \
    'in 1 mark a@x mark b@y in 2 mark c@x mark d@y' 'mark x:a, mark y:d'
check 'and so are names' '--categories io' \
    'in 1 name io@x mark a mark b@x name net@x mark c mark d@x' 'mark x:b'
check 'a domain that is left out' '--categories 1 --nvtx-domain-exclude x' "$places" \
    'mark a, mark y:c'

# Recorded and excluded ranges inside each other: pops find their pushes.
check 'left out within' '--categories 1' 'in 1 push a in 2 push b in 1 push c pop pop mark d pop' \
    'push a, push c, pop c, mark d, pop a'
check 'left out around' '--categories 1' 'in 2 push a in 1 push b pop mark c in 2 pop mark d' \
    'push b, pop b, mark c'
check 'domains do not wait for each other' '--categories 1' \
    'in 2 push a@x in 1 push b@y in 2 push c@x in 1 push d@x pop @y pop @x pop @x mark e pop @x' \
    'push y:b, push x:d, pop y:b, pop x:d, mark e'
check 'starts and their ends' '--categories 1' \
    'in 1 start a in 2 start b end in 1 start c end end' 'start a, start c, end c, end a'
check 'strings of every kind' '--categories 1' \
    'in 1 rpush a wpush b pop pop in 2 rpush c wpush d pop pop' 'push a, push b, pop b, pop a'
deep=$(printf 'push x %.0s' {1..300})
check 'deeper than any window looks' '--categories 1' \
    "in 1 push a in 2 $deep in 1 mark b ${deep//push x/pop} pop" 'push a, mark b, pop a'

# In threads, children and other clients.
for place in thread fork plugin; do
    check "in a $place" '--categories 1' \
        "in 1 push a $place ( in 1 push b in 2 push c mark d pop in 1 mark e pop ) pop" \
        'push a, push b, mark e, pop b, pop a'
    check "named here, used in a $place" '--categories io' \
        "in 7 name io@x mark a@x $place ( in 7 mark b@x in 8 mark c@x )" 'mark x:a, mark x:b'
    check "named in a $place" '--categories io' \
        "$place ( in 7 name io mark a ) in 8 mark b" 'mark a'
done
check 'popped in a child' '--categories 1' \
    'in 1 push a in 2 push b fork ( pop pop in 1 mark c ) pop pop' \
    'push a, pop inherited, mark c, pop a'

# Combined with other options that select events.
check 'it is no capture range' '-c nvtx -p s --categories 1' 'in 2 push s in 1 mark a pop' -
check 'a capture range of it' '-c nvtx -p s --categories 1' \
    'in 1 mark x push s mark a in 2 mark b pop in 1 mark c' 'push s, mark a, pop s'
check 'what is open around a window' '-c nvtx -p s --categories 1' \
    'in 1 push a in 2 push b in 1 push s pop pop pop' 'resumed a, push s, pop s, pop* a'
check 'left out behind a window, too' '-c nvtx -p s --capture-range-end repeat --categories 1' \
    'in 1 push s pop in 2 push b in 1 push s mark x pop in 2 pop in 1 push s pop' \
    'push s, pop s, push s, mark x, pop s, push s, pop s'
check 'stopped and started' '--categories 1' \
    'in 2 push a still push b in 1 push c record mark d pop in 2 pop pop in 1 mark e' \
    'resumed c, mark d, pop* c, mark e'
but=many check 'in the flight recorder' '--categories 1 --buffer 256K' \
    'in 1 push a in 2 push b in 0 many 1000 in 1 mark c pop pop' 'push a, mark c, pop a'
for signal in 9 6; do
    check "signal $signal" '--categories 1' "in 1 push a in 2 push b mark c in 1 mark d kill $signal" \
        'push a, mark d' $((128 + signal))
done

# Programs that record themselves.
rm -f t.rln
(eval "$(rangeline env -o t --categories 'io,3@x')"
    say in 1 name io mark a in 3 mark b mark c@x in 2 mark d)
compare 'without the launcher' 'mark a, mark x:c' "$(events t.rln)"

check 'a category that there is not' '--categories nosuch' \
    'in 3 name cat@io push a@io pop @io name dog mark b' -
compare 'those that there are' "hint: categories of the program: 'cat@io', 'dog'" "$(sed -n 2p err)"

refuse() { # LIST MESSAGE
    rangeline profile "--categories=$1" touch started 2>err
    compare "$1 exits 2" 2 $?
    compare "$1" "rangeline: cannot record: --categories=\"$1\": $2" "$(head -n 1 err)"
    compare "$1 has a hint" 1 "$(grep -c '^hint: ' err)"
}
for list in '' ',' 'a,' ',a' 'a,,b' @x 'a,@x'; do refuse "$list" 'a category is missing'; done
refuse a@ 'the domain after @ is missing'
refuse "$(seq -s, 65)" 'more than 64 categories'
refuse "$(printf '%04001d' 0)" 'longer than 4000 bytes'
compare 'no program was started' '' "$(ls started 2>/dev/null)"
end_of_table
