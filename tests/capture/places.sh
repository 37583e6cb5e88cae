#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# places.sh BUILD_DIR - all threads, processes and clients of a run record in the same
# windows, whichever of them opens one.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

for place in thread fork plugin; do
    check "opened here, recorded in a $place" '-c nvtx -p s' \
        "$place ( mark a ) push s $place ( push b mark c pop ) pop $place ( mark d )" \
        'push s, push b, mark c, pop b, pop s'
    check "opened in a $place, recorded there" '-c nvtx -p s' \
        "mark a $place ( push s mark b pop ) mark c" 'push s, mark b, pop s'
    check "started in a $place, recorded and ended here" '-c nvtx -p s' \
        "domain io thread ( mark a ) plugin ( start s ) mark b end mark c" \
        'start s, mark b, end s'
    check "occurrences are counted over here and a $place" \
        '-c nvtx -p s --capture-nth 1 --capture-range-end repeat' \
        "push s mark a pop $place ( push s mark b pop ) push s mark c pop" \
        'push s, mark b, pop s'
    check "a range around a $place closes the window last" '-c nvtx -p s' \
        "start s $place ( push s mark a pop ) mark b end mark c" \
        'start s, push s, mark a, pop s, mark b, end s'
done

# Deeply nested, and in domains whose ranges cross each other.
deep='push s@a push s@b push s@c push s@d push s@e push s@f pop @a pop @b pop @c pop @d pop @e'
check 'the last of six closes the window' '-c nvtx -p s@*' "$deep mark in pop @f mark out" \
    "$(printf 'push %s:s, ' a b c d e f)$(printf 'pop %s:s, ' a b c d e)mark in, pop f:s"
check 'what is around is resumed in its own thread' '-c nvtx -p s' \
    'push here thread ( push there start s mark a pop ) mark b pop end' \
    'resumed there, start s, mark a, pop* there, resumed here, mark b, pop* here, end s'
check 'one domain in two clients' '-c nvtx -p s@io' \
    'push s@io plugin ( push a@io pop @io ) pop @io' \
    'push io:s, push io:a, pop io:a, pop io:s'
check 'a child that is forked inside of its parents range' \
    '-c nvtx -p s --capture-range-end none' \
    'push out push s fork ( pop mark a ) pop pop' \
    'resumed out, push s, pop inherited, mark a, pop s, pop* out'
check 'three deep' '-c nvtx -p s' \
    'fork ( thread ( plugin ( push s mark a pop ) ) ) mark b' 'push s, mark a, pop s'

# Variables in the shell from other runs, by `rangeline env` or an outer launcher.
export RANGELINE_CAPTURE=other RANGELINE_CAPTURE_NTH=3 RANGELINE_CAPTURE_END=none \
    RANGELINE_DOMAIN_EXCLUDE=default RANGELINE_CATEGORIES=9 RANGELINE_SNAPSHOT=s
check 'another run is not this one' '-c nvtx -p s' 'mark a push s mark b pop mark c' \
    'push s, mark b, pop s'
check 'nor does it choose what nobody chooses here' '' 'mark a push s pop' \
    'mark a, push s, pop s'
check 'what -e says holds' '-e RANGELINE_DOMAIN_EXCLUDE=io' 'mark a mark b@io' 'mark a'
for variable in $(compgen -v RANGELINE_); do unset "$variable"; done

# Reasons for an empty trace.
says() { # WHAT MESSAGE OPTIONS WORDS
    check "$1" "$3" "$4" '-'
    compare "$1: said" 1 "$(grep -cF -- "$2" err)"
}
says 'all calls are left out' '--nvtx-domain-exclude="default" excludes all NVTX calls' \
    '--nvtx-domain-exclude default' 'push x pop'
says 'the case is another' "'step@io' (opened 2 times)" '-c nvtx -p Step@io' \
    'push step@io pop @io push step@io pop @io'
says 'nor does it matter how names are made' "similar names: 'step@io' (opened 3 times)" \
    '-c nvtx -p Step@io' 'ppush init@io pop @io ppush step@io pop @io ppush other@io pop @io
     ppush step@io pop @io ppush step@io pop @io'
says 'where none is nearly so, some are told' "ranges and marks of the program: 'a', 'b', 'c', 'd', 'e' and more" \
    '-c nvtx -p step' 'ppush a pop ppush b pop ppush c pop ppush d pop ppush e pop ppush f pop'

# Clients that run in parallel while windows open and close.
rm -f t.rln
rangeline profile -o t -c nvtx -p s --capture-range-end repeat sh -c '
    words=$(for i in $(seq 40); do echo "push a mark b push s mark hit pop pop"; done)
    for i in 1 2 3 4; do say $words thread \( $words \) plugin \( $words \) & done
    wait' 2>err
rangeline print --json t.rln >all
compare 'each of 480 ranges and its mark are there' '480 480' \
    "$(grep -c '"push".*"message":"s"' all) $(grep -c '"message":"hit"' all)"
compare 'no pop is left over' 0 "$(grep -c unmatched all)"
compare 'nor is a range left open' 0 "$(rangeline print --ranges t.rln | grep -c '(open)')"
end_of_table
