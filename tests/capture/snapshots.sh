#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# snapshots.sh BUILD_DIR - with `--snapshot-on range=...`, the end of a matching range
# triggers a snapshot with the newest events, without an effect on the program.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

# The first snapshot of a run; "-" if none was taken.
snap() { # WHAT RANGE WORDS EVENTS [OPTIONS]
    rm -f t*.rln
    set -f
    # shellcheck disable=SC2086
    rangeline profile -o t --snapshot-on "range=$2" ${5:-} say $3 2>err
    compare "$1: exit status" 0 $?
    set +f
    compare "$1" "$4" "$(but=many events t.1.rln 2>/dev/null)"
}

snap 'a range has ended' s "mark a push s mark b pop" 'mark a, push s, mark b, pop s'
compare 'it is said' 1 "$(grep -c '^rangeline: a range s has ended: snapshot in .*/t.1.rln: ' err)"
snap 'one of another domain' s "push s@io pop @io" -
snap 'in a domain' s@io "push s pop push s@io pop @io" \
    'push s, pop s, push io:s, pop io:s'
snap 'in any' 's*@*' "push start@io pop @io" 'push io:start, pop io:start'
snap 'a mark' s "mark s" -
snap 'a range that does not end' s "push s" -
snap 'another range ends within it' s "push s push a pop" -
snap 'registered' s "rpush s pop" 'push s, pop s'
snap 'wide' s "wpush s pop" 'push s, pop s'
snap 'a start' s "start s mark a end" 'start s, mark a, end s'
snap 'in a thread' s "thread ( push s pop )" 'push s, pop s'
snap 'in a child' s "fork ( push s pop )" 'push s, pop s'
snap 'in another client' s@io "plugin ( push s@io pop @io )" 'push io:s, pop io:s'
snap 'started here and ended in a child' s "start s fork ( end )" 'start s, end s'
snap 'pushed here, popped there' s "push s fork ( pop )" -
snap 'one in another' s "push s push s pop" 'push s, push s, pop s'
snap 'while no window is open' s "mark a still push s pop record" -
snap 'pushed in a window, popped behind it' s "push s still pop" 'push s, pop s'
snap 'a capture range that is both' s "mark x push s mark a pop" \
    'push s, mark a, pop s' '-c nvtx -p s'
snap 'within a capture range' s "push s pop push c push s pop" \
    'push c, push s, pop s' '-c nvtx -p c'
snap 'the newest events' s "push a many 100000 push s mark b pop" \
    'overwritten, push a, push s, mark b, pop s' '--buffer 256K'

# Ends in quick succession, and snapshots after the program has ended.
snap 'of several' s 'push s pop push s pop push s pop' 'push s, pop s, push s, pop s, push s, pop s'
compare 'all are counted' 1 "$(grep -c ': 3 ranges s have ended: ' err)"
compare 'one is taken' 't.1.rln t.rln' "$(echo t*.rln)"

# While the program runs and waits for the message.
rm -f t*.rln one two
rangeline profile -o t --snapshot-on range=s say push s mark a pop wait one mark b \
    push s pop push s pop 2>err &
until grep -q 'a range s has ended: snapshot in .*/t.1.rln: ' err; do sleep 0.01; done
compare 'what has not happened yet is not there' 'push s, mark a, pop s' "$(events t.1.rln)"
touch one
wait
compare 'what ended since is another' 'push s, mark a, pop s, mark b, push s, pop s, push s, pop s' \
    "$(events t.2.rln)"
compare 'and says how many' 1 "$(grep -c ': 2 ranges s have ended: ' err)"

# All ranges of that name are in other domains, or excluded.
for other in 'range=s' 'range=*@io --categories 9'; do
    # shellcheck disable=SC2086
    rangeline profile -f -o t --snapshot-on $other say push s@io pop @io in 9 mark a 2>err
    compare "$other: why there is none" 1 "$(grep -c ': no snapshot written: no range ended that' err)"
done

# A file of that name exists already.
rm -f t*.rln
rangeline profile -o t say mark a 2>err
cp t.rln before
rangeline snapshot -f -o t t.rln 2>err
compare 'not onto the trace itself' "1 0" "$? $(cmp t.rln before 2>&1 | wc -l)"
compare 'and that is said' 1 "$(grep -c 'path="t.rln", trace="t.rln": it is the trace of the run' err)"
ln -s t.rln link.rln
rangeline snapshot -f -o link t.rln 2>err
compare 'nor by a link' "1 0" "$? $(cmp t.rln before 2>&1 | wc -l)"
rangeline snapshot -f -o s t.rln >out 2>err
rangeline snapshot -f -o s nowhere.rln >out 2>err
compare 'a copy that fails leaves what is there' 'mark a' "$(events s.rln)"
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    full() {
        mkdir -p small && mount -t tmpfs -o size=256k none small && cp s.rln small/s.rln &&
            { head -c 1m /dev/zero >small/filler; } 2>/dev/null
        rangeline snapshot -f -o small/s t.rln >out 2>err
        echo "$? $(events small/s.rln) $(find small -name 's.rln.*' | wc -l)"
    }
    export -f full events
    export but
    compare 'nor does a full disk' '1 mark a 0' "$(unshare -m bash -c full)"
fi
rm -f link.rln

# There is no launcher to make the copy.
rm -f t*.rln here go
rangeline profile -o t --snapshot-on range=s say mark a touch here wait go push s pop mark b \
    touch ended 2>err &
launcher=$!
until [ -e here ]; do sleep 0.01; done
{ kill -9 $launcher; wait $launcher; } 2>/dev/null
touch go
until [ -e ended ]; do sleep 0.01; done
compare 'the program goes on' 'mark a, push s, pop s, mark b' "$(events t.rln)"
compare 'without a snapshot' t.rln "$(echo t*.rln)"

refuse() { # MESSAGE OPTION...
    rangeline profile "${@:2}" touch started 2>err
    compare "${*:2} exits 2" 2 $?
    compare "${*:2}" "rangeline: cannot record: $1" "$(head -n 1 err)"
    compare "${*:2} has a hint" 1 "$(grep -c '^hint: ' err)"
}
refuse '--snapshot-on="range=": the message is missing' --snapshot-on range=
refuse '--snapshot-on="range=@io": the message is missing' --snapshot-on range=@io
refuse '--snapshot-on="range=s@": the domain after @ is missing' --snapshot-on range=s@
refuse '--snapshot-on="range=b": range= was given before' --snapshot-on range=a --snapshot-on range=b
refuse '--snapshot-on="range": unknown trigger' --snapshot-on range
compare 'no program was started' '' "$(ls started 2>/dev/null)"
end_of_table
