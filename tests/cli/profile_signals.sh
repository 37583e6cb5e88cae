# Signals to the launcher are forwarded to the program, which handles them.
set -m # else the shell starts them with SIGINT ignored
for signal in INT TERM HUP QUIT USR1 USR2; do
    rangeline profile -o $signal bash -c "
        trap 'echo caught $signal; exit 9' $signal
        : >ready.$signal
        while :; do sleep 0.01; done" 2>/dev/null &
    while [ ! -e ready.$signal ]; do sleep 0.01; done
    kill -$signal $!
    wait $!
    echo "$?"
done
