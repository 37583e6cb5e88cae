#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# control.sh BUILD_DIR - recording is stopped and started by the program, by `rangeline
# start` and `stop`, and by calls of CUDA's profiler.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"
build=${build:?} work=${work:?}

# The program: rangeline/control.h.
check 'stopped and started' '' 'mark a still mark b record mark c' 'mark a, mark c'
compare 'two windows' 2 "$(rangeline info t.rln | grep -c '^window')"
check 'open while it stops' '' 'push a still push b pop mark x pop record mark c' \
    'push a, pop a, mark c'
check 'by any client' '' 'mark a plugin ( still ) mark b plugin ( record ) mark c' \
    'mark a, mark c'
check 'twice is once' '' 'still still mark a record mark b' 'mark b'
check 'for a child' '' 'mark a still fork ( mark b record mark c ) mark d' \
    'mark a, mark c, mark d'
check 'an end has nothing to end whose start was not recorded' '' \
    'still start x start y@io record end mark a thread ( end )' 'mark a'
check 'never started again' '' 'still mark a' '-'
compare 'and that is said' 1 "$(grep -c 'the program recorded no range and no mark while' err)"
compare 'and who stopped it' 1 "$(grep -c '^hint: the program itself stopped recording' err)"
check 'it opens no window that waits for another' '-c nvtx -p s' \
    'record mark a push s still mark b record mark c pop' 'push s, mark c, pop s'

# A trace lists 1,920 windows.
rm -f t.rln
# shellcheck disable=SC2046
rangeline profile -o t say $(for _ in {1..2000}; do echo mark a still record; done) 2>err
compare 'more windows than a trace lists' \
    'window      2,001 were opened, 81 are not listed: the newest' \
    "$(rangeline info t.rln | grep 'not listed')"
compare 'the last that is listed is one of them' 'mark a' "$(events t.rln --window 1919)"
compare 'one that is not' 'rangeline: cannot read window: file="t.rln", window=1920: only windows 0 to 1919 of 2001 are listed' \
    "$(rangeline stats --window 1920 t.rln 2>&1 | head -n 1)"

rm -f t.rln
# shellcheck disable=SC2046
rangeline profile -o t --buffer 256K say $(for _ in {1..2000}; do echo mark a still record; done) \
    mark b 2>err
compare 'the newest ones of a flight recorder' \
    'window      2,001 were opened, 81 are not listed: the oldest' \
    "$(rangeline info t.rln | grep 'not listed')"
compare 'the last that is listed is the last' 'mark b' "$(events t.rln --window 1919)"
compare 'none is missing in between' "mark a" "$(events t.rln --window 0)$(
    rangeline info --json t.rln | grep -o '"opened_ns":[0-9]*' | cut -d: -f2 | sort -cn 2>&1)"

# CUDA's profiler; no CUDA is needed here.
check 'between the two calls' '-c cudaProfilerApi' \
    'mark a profile push b mark c pop unprofile mark d profile mark e unprofile' \
    'push b, mark c, pop b'
compare 'CUDA opened and closed it' 1 \
    "$(rangeline info t.rln | grep -c 'by cudaProfilerStart.*by cudaProfilerStart')"
check 'each time' '-c cudaProfilerApi --capture-range-end repeat' \
    'profile mark a unprofile mark b profile mark c unprofile' 'mark a, mark c'
check 'the second time' '-c cudaProfilerApi --capture-nth 1' \
    'profile mark a unprofile mark b profile mark c unprofile' 'mark c'
check 'started twice is started once' '-c cudaProfilerApi' \
    'profile profile mark a unprofile mark b unprofile' 'mark a'
check 'in a child' '-c cudaProfilerApi' 'mark a fork ( profile mark b unprofile )' 'mark b'
check 'a process that stops leaves the others as they are' '-c cudaProfilerApi' \
    'profile fork ( profile mark b unprofile ) mark a unprofile mark c' 'mark b, mark a'
check 'one that has not started cannot stop' '-c cudaProfilerApi' \
    'profile fork ( unprofile mark b ) mark a unprofile mark c' 'mark b, mark a'
check 'never' '-c cudaProfilerApi' 'mark a' '-'
compare 'and that is said' 1 "$(grep -c 'cudaProfilerStart was not called' err)"
stub=$build/bin/profiler_stub.so
check 'the real ones are called as well' "-c cudaProfilerApi -e LD_PRELOAD=$stub" \
    'profile mark a unprofile' 'mark a'
compare 'each once' 'start driver_start stop driver_stop' "$(xargs <out)"
check 'what they return is passed on' \
    "-c cudaProfilerApi -e LD_PRELOAD=$stub,STUB_FAILS=1" 'mark a profile mark b' '-' 98
(LD_PRELOAD=libdl.so.2 rangeline profile -o t -f -c cudaProfilerApi env) 2>/dev/null |
    sed -n 's/^LD_PRELOAD=.*librangeline-cuda.so/LD_PRELOAD=OURS/p' >out
compare 'what was preloaded anyway still is' 'LD_PRELOAD=OURS:libdl.so.2' "$(cat out)"
rangeline profile -o t -f -c cudaProfilerApi -e LD_PRELOAD=libm.so.6 env 2>/dev/null |
    sed -n 's/^LD_PRELOAD=.*librangeline-cuda.so/LD_PRELOAD=OURS/p' >out
compare 'also if it is given here' 'LD_PRELOAD=OURS:libm.so.6' "$(cat out)"

# Commands. `play WORDS` runs `say` in the background; the file pid has the program's
# pid.
play() { # OPTIONS WORDS
    rm -f t.rln go* at*
    # shellcheck disable=SC2086
    rangeline profile -o t $1 sh -c 'echo $$ >pid.new; mv pid.new pid; exec say "$@"' \
        sh $2 2>err &
    launcher=$!
}
at() { while [ ! -e "$1" ]; do sleep 0.01; done; }
says() { # COMMAND TARGET EXPECTED: standard output of the command
    compare "$1 says" "$3" "$(rangeline "$1" "$2" 2>&1 | sed "s|$work/||")"
}

play '' 'mark a touch at1 wait go1 mark b touch at2 wait go2 mark c'
at at1
says stop "$(cat pid)" 't.rln: recording has stopped'
says stop t.rln 't.rln: was not recording, and stays stopped'
compare 'status of a stopped run' 'recording   no: waits for `rangeline start`' \
    "$(rangeline status t.rln | grep '^recording')"
touch go1
at at2
says start "$launcher" 't.rln: recording'
compare 'status of a recorded run' 'recording   yes 2 windows' \
    "$(rangeline status "$(cat pid)" | grep -oE '^recording.*|2 windows$' | xargs -d '\n')"
touch go2
wait $launcher
compare 'what was recorded' 'mark a, mark c' "$(events t.rln)"
compare 'it was commands' 'closed by a command opened by a command' \
    "$(rangeline info t.rln | grep '^window' | grep -oE '(opened|closed) by a command' | xargs)"
says start t.rln 'rangeline: cannot find run: path="t.rln": the run has ended'
compare 'status of a run that has ended' 'run         has ended
recording   over' "$(rangeline status t.rln | grep -E '^(run|recording)')"

play '--start-later true' 'touch at1 wait go1 mark a touch at2 wait go2 push b pop'
at at1 # it has made no NVTX call
says start "$(cat pid)" 't.rln: recording'
touch go1
at at2
says stop "$(cat pid)" 't.rln: recording has stopped'
touch go2
wait $launcher
compare 'recorded from the start that was later' 'mark a' "$(events t.rln)"

play '-Y -c nvtx -p s' 'mark a touch at1 wait go1 mark b push s mark c pop'
at at1
says start "$(cat pid)" 't.rln: not recording yet: waits for a capture range'
touch go1
wait $launcher
compare 'both must be open' 'push s, mark c, pop s' "$(events t.rln)"

play '-c nvtx -p s' 'push s mark a pop touch at1 wait go1'
at at1
compare 'what is over stays over' \
    "rangeline: cannot start recording: path=\"$work/t.rln\": recording has ended for this run" \
    "$(rangeline start "$(cat pid)" 2>&1)"
touch go1
wait $launcher

# A run that was killed with its launcher: no process can be told to record.
play '-Y' 'mark a touch at1 wait go1'
at at1
compare 'status of a run that goes on' 'run         running' "$(rangeline status t.rln | grep '^run')"
{ kill -9 $launcher "$(cat pid)"; wait $launcher; } 2>/dev/null
while grep -q . "/proc/$(cat pid)/maps" 2>/dev/null; do sleep 0.01; done # not zombies
says start t.rln 'rangeline: cannot start recording: path="t.rln": no process has it open
hint: if it continues in another container, run this command there; otherwise the run has ended'
compare 'status of a run that was killed' 'run         was killed: no process has the trace open
recording   over' "$(rangeline status t.rln | grep -E '^(run|recording)')"

# Targets that are no run.
fails() { # STATUS MESSAGE COMMAND...
    "${@:3}" >out 2>err
    compare "${*:3} exits $1" "$1" $?
    compare "${*:3}" "rangeline: cannot find run: $2" "$(head -n 1 err)"
}
fails 1 "pid=$$: the process is not recorded" rangeline stop $$
fails 1 'pid=4194305: no such process' rangeline status 4194305
fails 1 'path="nosuch.rln": No such file or directory' rangeline start nosuch.rln
echo text >text
fails 1 'path="text": not a trace' rangeline stop text
fails 1 'path="/dev/null": not a trace' rangeline status /dev/null
fails 2 'no process or trace given' rangeline status
fails 2 'more than one operand' rangeline stop 1 2
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod a+rx . ..
    fails 1 "pid=$$: Permission denied: it belongs to another user" \
        setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v rangeline)" stop $$
fi
# Containers and sandboxes hide root's own processes from root.
if [ "$(stat -c %u /proc/1)" = "$(id -u)" ] && ! cat /proc/1/maps >maps 2>&1; then
    fails 1 "pid=1: Permission denied" rangeline start 1
fi
end_of_table
