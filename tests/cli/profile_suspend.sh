# When the launcher is stopped or continued, it stops or continues the program.
set -m
rangeline profile -o t sh -c 'echo $$ >pid; mv pid ready; while :; do sleep 0.01; done' \
    2>/dev/null &
launcher=$!
while [ ! -e ready ]; do sleep 0.01; done
both_are() { # STATE: of the launcher and the program, within ten seconds
    for _ in $(seq 1000); do
        states=$(ps -o stat= -p $launcher -p "$(cat ready)" | cut -c 1 | xargs)
        [ "$states" = "$1 $1" ] && echo "$states" && return
        sleep 0.01
    done
    echo "not $1: $states"
}
both_are S
kill -TSTP $launcher
both_are T
kill -CONT $launcher
both_are S
kill -TERM $launcher
wait $launcher
echo $?
