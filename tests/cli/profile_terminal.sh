# A terminal's Ctrl-C reaches the program once, and ends it as it would without us.
# Ctrl-Z stops both and `fg` continues both; without a shell with job control, it stops
# neither.
if ! command -v python3 >/dev/null; then
    echo 'python3 is not installed' >&2
    exit 77
fi
here=$(dirname "${BASH_SOURCE[0]}")
typed() { timeout 100 python3 "$here/in_terminal.py" "$@"; }
ticks='for i in 1 2 3 4 5 6; do
    echo "tick $i"
    [ $i != 2 ] || read -r line
    sleep 0.1
done; "$BIN/clients" "$BUILD"'

typed ready ^C -- rangeline profile -o once bash -c '
    trap "n=\$((n + 1))" INT
    echo ready
    until [ "$n" ]; do sleep 0.01; done
    for i in {1..30}; do sleep 0.01; done
    echo "interrupted $n times"' | grep 'times\|exit'
typed ready ^C -- rangeline profile -o ended sh -c 'echo ready; exec sleep 10' | grep exit
typed ready '^\' -- rangeline profile -o ended sh -c 'echo ready; exec sleep 10' | grep exit
typed hello '^D' -- rangeline profile -o reads sh -c 'echo hello; cat; echo end of input' |
    grep 'input\|exit'

# The launcher stops only after the program has, however long that takes: else the
# program would read input typed at the shell's prompt. This one cleans up first, as
# editors do.
timeout 100 python3 "$here/stopped_job.py" rangeline profile -o job python3 -c '
import os, signal, subprocess, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTSTP])
print("stop me", flush=True)
signal.sigwait([signal.SIGTSTP])
time.sleep(0.3)
print("tidied up", flush=True)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTSTP])
os.kill(os.getpid(), signal.SIGTSTP)
input()
print("continued", flush=True)
subprocess.check_call([os.environ["BIN"] + "/clients", os.environ["BUILD"]])' |
    grep -o 'leader.*\|child.*\|tidied up\|continued\|job.rln:\|exit.*'
typed 'tick 2' ^Z '^Z' '~' -- rangeline profile -o alone sh -c "$ticks" |
    grep -o 'tick 6\|alone.rln:\|exit.*'
