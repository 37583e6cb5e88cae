#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# grammar.sh BUILD_DIR - MESSAGE[@DOMAIN] matches certain ranges, and invalid texts are
# refused.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

# is PATTERN NAME[@DOMAIN] [PRINTED NAME]: such a range is captured; no ...: it is not.
is() {
    local domain=
    case $2 in *[!\\]@*) domain=${2##*@} ;; esac
    check "$1 means $2" "-c nvtx -p $1" "push $2 mark hit pop ${domain:+@$domain}" \
        "push ${3:-$2}, mark hit, pop ${3:-$2}"
}
no() {
    check "$1 does not mean $2" "-c nvtx -p $1" "push $2 mark hit pop" '-'
}

# The message.
is step step
no step steps
no step Step
no step ste
is 's*' step
is '*p' step
is 's*p' step
is '*t*' step
is '*' step
is 'a*b*c' aXbXbYc
no 'a*b*c' aXbYbZ
is 'ab*' ab
is '\*' '*'
no '\*' star
is 's?ep' step
no 's?ep' stoep
is '?*p' step
no step? step
is '\?' '?'
no '\?' s
is 's\tep' step
is 'caf*' café
is 'caf?' café

# The domain. A message without one is of the default domain.
no step step@io
is step@io step@io io:step
no step@io step
no step@io step@ios
no step@io step@IO
is step@* step@io io:step
is step@* step
is '*@io' step@io io:step
is 'step@i*' step@io io:step
no 'step@i*' step@oi
is 'step@\*' 'step@*' '*:step'
no 'step@\*' step@io
is '*@*' step@io io:step

# A message with an @. The last @ separates the domain; others are removed.
is 'a\@b' 'a\@b' 'a@b'
is 'a\@b@io' 'a\@b@io' 'io:a@b'
is 'a@b@io' ab@io io:ab

# Strings of every kind, in push/pop and start/end ranges.
check 'registered' '-c nvtx -p s' 'rpush s mark a pop' 'push s, mark a, pop s'
check 'wide' '-c nvtx -p s@io' 'wpush s@io mark a pop @io' 'push io:s, mark a, pop io:s'
check 'started' '-c nvtx -p s@io' 'start s@io mark a end' \
    'start io:s, mark a, end io:s'
check 'a mark is no range' '-c nvtx -p s' 'mark s mark a' '-'
check 'nor is a registration' '-c nvtx -p s@io' 'string s@io mark a' '-'
check 'made while nothing is recorded' '-c nvtx -p s' \
    'domain io string a@io push s rpush a@io pop @io pop' \
    'push s, push io:a, pop io:a, pop s'

# An excluded domain opens no window.
check 'an excluded domain' '-c nvtx -p s@io --nvtx-domain-exclude io' \
    'push s@io mark a pop @io' '-'
check 'an included one' '-c nvtx -p s@io --nvtx-domain-include io' \
    'push s@io mark a pop @io' 'push io:s, pop io:s'

# The hints do not blame the program for excluded ranges, and report unknown names.
check 'ranges of the default domain, which is left out' '--nvtx-domain-include io' \
    'start s push p mark a@io pop end mark b@io' 'mark io:a, mark io:b'
compare 'all domains are known' 0 "$(grep -c '^note: ' err)"
check 'the same of a domain' '--nvtx-domain-exclude io' 'start s@io mark a end' 'mark a'
check 'the end of a domain' '' 'mark a@io destroy io' 'mark io:a, domain_destroy io'
check 'which is not told of one that is left out' '--nvtx-domain-exclude io' \
    'mark a@io destroy io mark b' 'mark b'
check 'a domain that does not appear' '--nvtx-domain-include io,oi,default' 'mark a@io' \
    'mark io:a'
compare 'is said' 'note: --nvtx-domain-include="oi": no program creates this domain
hint: domains of the program: io' "$(tail -n 2 err)"
check 'also where nothing is left' '--nvtx-domain-include oi' 'mark a mark b@io mark c@net' -
compare 'with those that do' 'hint: domains of the program: io, net' "$(tail -n 1 err)"
check 'also where there are none' '--nvtx-domain-include oi,default' 'mark a' 'mark a'
compare 'but the default one' \
    'hint: all events of the program are in the default domain, `default`' "$(tail -n 1 err)"

# Repeated lists add up; a repeated pattern counts once.
check 'two lists of domains' '--nvtx-domain-include io --nvtx-domain-include net,default' \
    'mark a@io mark b@net mark c mark d@disk' 'mark io:a, mark net:b, mark c'
check 'two lists of what is left out' '--nvtx-domain-exclude io --nvtx-domain-exclude net' \
    'mark a@io mark b@net mark c' 'mark c'
check 'one pattern twice' '-c nvtx -p s -p s' 'push s mark a pop' 'push s, mark a, pop s'
check 'a range called none' '-c nvtx -p \none' 'push none mark a pop' 'push none, mark a, pop none'

# Names that are similar, and names that are not.
check 'a name with a letter wrong' '-c nvtx -p jab' 'push job pop' '-'
compare 'is nearly the same' "hint: similar names: 'job'" "$(tail -n 1 err)"
check 'one with two of three letters wrong' '-c nvtx -p job' 'push fib pop' '-'
compare 'is not' "hint: ranges and marks of the program: 'fib'" "$(tail -n 1 err)"

refuse() { # OPTIONS MESSAGE
    # shellcheck disable=SC2086
    rangeline profile $1 touch started 2>err
    compare "$1 exits 2" 2 $?
    compare "$1" "rangeline: cannot record: $2" "$(head -n 1 err)"
    compare "$1 has a hint" 1 "$(grep -c '^hint: ' err)"
}
refuse '-c nvtx' '--capture-range="nvtx": the range is missing'
refuse '-p step' '--nvtx-capture="step": requires --capture-range'
refuse '--capture-range-end=repeat' '--capture-range-end="repeat": requires --capture-range'
refuse '--capture-nth=1' '--capture-nth="1": requires --capture-range'
refuse '-c cudaProfilerApi -p a' '--nvtx-capture="a": requires -c nvtx'
refuse '-c nvtx -p @io' '--nvtx-capture="@io": the message is missing'
refuse '-c nvtx -p step@' '--nvtx-capture="step@": the domain after @ is missing'
for mode in stops repeat: repeat:0 repeat:x repeat:2:now stop:sync repeat-shutdown \
    repeat-shutdown:sync ''; do
    refuse "-c nvtx -p a --capture-range-end=$mode" "--capture-range-end=\"$mode\": not a mode"
done
for nth in -1 x 2..1 1.. 1..x 1.2 4294967296; do
    refuse "-c nvtx -p a --capture-nth=$nth" "--capture-nth=\"$nth\": not K or K..M"
done
for signal in sigfoo 0 -9 65 9x sig '' nonesuch; do
    refuse "--kill=$signal" "--kill=\"$signal\": not a signal"
done
refuse '-c nvtx -p a -p b' '--nvtx-capture="b": also given as "a"'
refuse '-c nvtx -p none' '--nvtx-capture="none": not a range'
refuse '--nvtx-domain-include=' '--nvtx-domain-include="": a domain is missing'
refuse '--nvtx-domain-exclude=io,' '--nvtx-domain-exclude="io,": a domain is missing'
refuse '--nvtx-domain-exclude=io --nvtx-domain-exclude=' '--nvtx-domain-exclude="io,": a domain is missing'
refuse '--categories=1 --categories=,' '--categories="1,,": a category is missing'
refuse '--duration=0' '--duration="0": nothing would be recorded'
refuse '--max-size=0K' '--max-size="0K": nothing would be recorded'
compare 'no program was started' '' "$(ls started 2>/dev/null)"
end_of_table
