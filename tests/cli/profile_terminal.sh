# A terminal's Ctrl-C reaches the program once, and ends it as it would without us;
# Ctrl-Z stops both, `fg` continues both; without a shell that could, it stops neither.
if ! command -v python3 >/dev/null; then
    echo 'python3 is not installed' >&2
    exit 77
fi
here=$(dirname "${BASH_SOURCE[0]}")
typed() { timeout 20 python3 "$here/in_terminal.py" "$@"; }
ticks='for i in 1 2 3 4 5 6; do echo "tick $i"; sleep 0.1; done; "$BIN/clients" "$BUILD"'

typed ready ^C -- rangeline profile -o once bash -c '
    trap "n=\$((n + 1))" INT
    echo ready
    for i in {1..30}; do sleep 0.01; done
    echo "interrupted $n times"' | grep 'times\|exit'
typed ready ^C -- rangeline profile -o ended sh -c 'echo ready; exec sleep 10' | grep exit
typed ready '^\' -- rangeline profile -o ended sh -c 'echo ready; exec sleep 10' | grep exit
typed hello '^D' -- rangeline profile -o reads sh -c 'echo hello; cat; echo end of input' |
    grep 'input\|exit'

export TICKS=$ticks
typed bash- 'rangeline profile -o job sh -c "$TICKS"~' 'tick 2' ^Z Stopped 'fg~' \
    '1 thread' 'exit~' -- bash --norc -i >shown
grep -o 'tick 6\|Stopped\|job.rln:\|^exit 0' shown
typed 'tick 2' ^Z -- rangeline profile -o alone sh -c "$ticks" |
    grep -o 'tick 6\|alone.rln:\|exit.*'
