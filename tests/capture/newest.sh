#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# newest.sh BUILD_DIR - the ring buffer of --buffer has the newest events at any time and
# at the end, however the program ends. NEWEST_SECONDS is how long it records at full
# speed while it is read (30; `make soak` takes ten minutes). With NEWEST_SANITIZED, most
# of the program's memory belongs to a sanitizer.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"

# The events kept, without the many marks that overwrite the oldest ones.
kept() { # WHAT WORDS EVENTS [OPTIONS] [EXIT_STATUS]
    # With ThreadSanitizer, threads do not reuse the chunks of those that ended.
    [ "${NEWEST_SANITIZED:-}" != thread ] || return
    rm -f t.rln
    # shellcheck disable=SC2086
    rangeline profile -o t --buffer 256K ${4:-} say $2 2>err
    compare "$1: exit status" "${5:-0}" $?
    compare "$1" "$3" "$(but=many events t.rln 2>/dev/null)"
}

kept 'nothing is overwritten' 'push a mark b pop' 'push a, mark b, pop a'
kept 'older marks' 'mark a many 100000 mark b' 'overwritten, mark b'
kept 'ranges that are open have their pushes' 'push a push b many 100000 pop mark c pop' \
    'overwritten, push a, push b, pop b, mark c, pop a'
kept 'in each domain' 'push a@x push b push c@y many 100000 pop pop @x mark d pop @y' \
    'overwritten, push x:a, push b, push y:c, pop b, pop x:a, mark d, pop y:c'
kept 'ranges that have closed are gone' 'push a push b pop many 100000 push c pop pop' \
    'overwritten, push a, push c, pop c, pop a'
kept 'starts that did not end are kept, whoever ends them' \
    'start a start b many 100000 thread ( end ) many 100000 end' \
    'start a, overwritten, end a'
kept 'the ended one is gone, and its end is there' \
    'start a many 100000 thread ( end )' 'start a, overwritten, end a'
kept 'threads that ended' 'push a thread ( push b many 60000 ) many 100000 pop' \
    'overwritten, push a, pop a'
kept 'a child has a pool of its own' 'push a fork ( many 100000 mark b ) mark c pop' \
    'push a, overwritten, mark b, mark c, pop a'
kept 'a range of before a window' 'push a push s many 100000 pop pop' \
    'overwritten, resumed a, push s, pop s, pop* a' '-c nvtx -p s'
kept 'killed' 'push a many 100000 mark b kill 9' 'overwritten, push a, mark b' '' 137
kept 'aborted' 'push a many 100000 mark b kill 6' 'overwritten, push a, mark b' '' 134

# Very deep ranges: the innermost 256 have their pushes.
deep=$(printf 'push d %.0s' {1..300})
rm -f t.rln
# shellcheck disable=SC2086
rangeline profile -o t --buffer 256K say $deep many 100000 ${deep//push d/pop} 2>err
compare 'deep stacks' '256 256 44' "$(rangeline print t.rln | awk '
    $3 == "push" { n++ } $3 == "pop" && /d  / { p++ } /\(lost\)/ { l++ } END { print n, p, l }')"

# The messages.
rm -f t.rln
rangeline profile -o t --buffer 1M say push a push b@io thread '(' push c many 300000 pop ')' \
    many 300000 2>err
rangeline snapshot -o s -f t.rln >said
n=$(rangeline info --json t.rln | grep -o '"events":[0-9]*' | head -n 1 | cut -d: -f2)
compare 'as many events as are read, with what is repeated' "t.rln $n s.rln $n" \
    "$(sed -En 's/^(rangeline: )?([st].rln): .*, ([0-9,]+) events.*/\2 \3/p' err said | tr -d , | xargs)"
rm -f t.rln s.rln
rangeline profile -o t --buffer 1M say many 300000 2>err
compare 'the closing line' 1 "$(grep -c 'older events were overwritten' err)"
compare 'nothing is called dropped' 0 "$(grep -ci drop err)"
compare 'info' 1 "$(rangeline info t.rln | grep -cE '^kept +the newest 1.0 MiB of each process; [0-9]+ chunks were overwritten')"
compare 'stats' 1 "$(rangeline stats t.rln 2>&1 | grep -c 'note: older events were overwritten; all')"
for size in 1 100K 2T x 0; do
    rangeline profile -o no --buffer $size true 2>err
    compare "--buffer $size" 2 $?
done

# Snapshots, whether the oldest are overwritten or not.
for options in '' '--buffer 1M'; do
    rm -f t*.rln go here
    # shellcheck disable=SC2086
    rangeline profile -o t $options --snapshot-on signal --snapshot-on crash \
        --snapshot-on signal=SIGUSR1 say push o mark a touch here wait go mark b kill 6 2>err &
    pid=$!
    until [ -e here ]; do sleep 0.01; done
    rangeline snapshot -o s -f t.rln >said 2>&1
    compare "a snapshot [$options]" 'push o, mark a' "$(events s.rln)"
    compare 'says what is in it' 1 "$(grep -c '^s.rln: .*, 2 events, 1 process, 1 thread$' said)"
    rangeline snapshot -o s t.rln 2>said
    compare 'does not overwrite' 1 "$(grep -c 'cannot write snapshot: path="s.rln", trace="t.rln": File exists' said)"
    rangeline snapshot $pid >/dev/null
    compare 'by pid, beside the trace' 'push o, mark a' "$(events t.1.rln)"
    kill -USR2 $pid
    until grep -q 'got SIGUSR2: snapshot in .*t.2.rln: ' err; do sleep 0.01; done
    compare 'by a signal' 'push o, mark a' "$(events t.2.rln)"
    kill -USR1 $pid
    until grep -q 'got SIGUSR1: snapshot in .*t.3.rln: ' err; do sleep 0.01; done
    compare 'by another' 'push o, mark a' "$(events t.3.rln)"
    touch go
    wait $pid
    compare 'the exit status' 134 $?
    compare 'by a crash' 'push o, mark a, mark b' "$(events t.4.rln)"
    compare 'it is said' 1 "$(grep -c 'was killed by SIGABRT: snapshot in .*t.4.rln: ' err)"
    compare 'it is one' 1 "$(rangeline info t.4.rln | grep -c ', a snapshot$')"
done
rm -f t*.rln
rangeline profile -o t say push a many 40000 pop 2>err
rangeline snapshot -o s -f t.rln >said
compare 'of a run that has ended' "$(rangeline print t.rln | cksum)" "$(rangeline print s.rln | cksum)"
compare 'it is that run' "$(cksum <t.rln)" "$(cksum <s.rln)"
rm -f t*.rln
rangeline profile -o t --snapshot-on crash say mark a kill 15 2>err
compare 'not where somebody ended it' t.rln "$(ls t*.rln)"
for occasion in x crash=1 signal= signal=SEGV; do
    rangeline profile -o no --snapshot-on $occasion true 2>err
    compare "--snapshot-on $occasion" 2 $?
done
rangeline snapshot 2>err
compare 'a snapshot of nothing' 2 $?
rangeline snapshot nowhere.rln 2>err
compare 'a snapshot of what is not there' 1 $?

# At full speed, read all the time. Checks the memory of the program, its pool and
# names.
busy() { # WHAT BUFFER THREADS SECONDS HOW MOST_KIB
    rm -f t.rln score
    rangeline profile -o t --buffer "$2" newest score "$3" "$4" "$5" 2>err &
    local pid=$! program peak=0
    until [ -s t.rln ] && [ -s score ]; do sleep 0.05; done
    program=$(pgrep -P $pid | head -n 1)
    newest_check t.rln score >checked 2>why &
    while [ -e /proc/$pid/task ] && kill -0 $pid 2>/dev/null; do
        peak=$(awk -v p="$peak" '/^VmHWM/ { p = $2 > p ? $2 : p } END { print p }' \
            "/proc/$program/status" 2>/dev/null || echo "$peak")
        sleep 0.2
    done
    wait $pid
    compare "$1: exit status" 0 $?
    wait
    compare "$1: what was read" '' "$(cat why)"
    compare "$1: it was read while it ran" 1 \
        "$(awk '{ print ($1 >= 4 && $3 > 1000) }' checked)" # reads, steps
    compare "$1: no record begins in the middle" 1 "$(grep -c ' 0 records that begin in the middle' checked)"
    [ "$5" = fork ] || [ "${NEWEST_SANITIZED:-}" = thread ] || compare "$1: file" 1 "$(($(du -k t.rln | cut -f1) <= $6))"
    [ "$5" = fork ] || [ "${NEWEST_SANITIZED:-}" ] || compare "$1: memory" 1 "$((${peak:-0} <= $6 + 24576))"
    echo "$1: $(cat checked)"
}
busy 'four threads' 16M 4 "${NEWEST_SECONDS:-30}" steady 20480
busy 'threads that come and go' 512K 4 3 churn 2048
busy 'processes that come and go' 256K 2 1 fork 0

# Killed at any moment: the remaining trace is consistent.
stepped() { # {step, tid} of each thread, after a number
    od -An -v -j 8 -w16 -t u8 score 2>/dev/null | awk '$1 > 0 { n = 1 } END { exit !n }'
}
for delay in 0.05 0.1 0.15 0.2 0.25 0.3; do
    rm -f t.rln score
    rangeline profile -o t --buffer 1M newest score 3 30 steady 2>err &
    pid=$!
    until stepped; do sleep 0.01; done
    sleep $delay
    pkill -9 -P $pid
    wait $pid
    newest_check t.rln score once >checked 2>why
    compare "killed after $delay s" '0 ' "$? $(cat why)"
    compare "killed after $delay s: there are steps" 1 "$(awk '{ print ($3 > 0) }' checked)"
done

# A disk without room for the whole buffer: the newest events are kept in the room there
# is.
full_disk() {
    mkdir -p disk
    mount -t tmpfs -o size=8m none disk || return
    rangeline profile -o disk/t --buffer 64M say push a many 3000000 mark b pop 2>err
    echo $?
    rangeline print disk/t.rln 2>/dev/null | awk '$4 != "many" { print $3, $4 }'
    grep -c 'DROPPED' err
}
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    export -f full_disk
    compare 'a full disk' '0 overwritten earlier push a mark b pop a 0' \
        "$(unshare -m bash -c full_disk 2>&1 | xargs)"
fi
end_of_table
