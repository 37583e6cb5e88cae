# `top` shows the open ranges of a run and the time in each, and ends when the run does.
tell() { tidy | sed -E 's/TIME/T/g; s/[0-9]+\.[0-9]+/N/g; s/[▏▎▍▌▋▊▉█]+//; s/ +/ /g; s/-+/-/g'; }
numbers() { sed -E 's/":-?[0-9]+/":N/g'; }
until_is() { # -e or -s, FILE
    for _ in {1..6000}; do
        ! test "$1" "$2" || return
        sleep 0.02
    done
}

rangeline profile -o t "$BIN/say" push serving push request@http start job \
    push past pop thread '(' push gone ')' mark a touch ready wait go pop @http end touch done wait over pop 2>said &
until_is -e ready
rangeline top -n 2 -d 0.05 t.rln | tell
echo
rangeline top --json -n 1 -d 0.05 t.rln | numbers
rangeline top -n 1 -d 0.05 --domain http --sort name t.rln | tell
pid=$(rangeline print --json t.rln | sed -n '1s/.*"pid":\([0-9]*\).*/\1/p')
rangeline top -n 1 -d 0.05 --name nosuch "$pid" | tell

# On a separate screen, whose last state remains.
if command -v python3 >/dev/null; then
    for keys in 'nq' '^C'; do
        python3 "$here/in_terminal.py" http:request "$keys" -- sh -c \
            "stty rows 12 cols 110; TERM=xterm exec rangeline top -d 100 t.rln" >shown
        tell <shown | sed -n '/1049l/,$p' | sed -E 's/.*1049l//; s/\b[0-9]+\b/N/g'
    done
fi

# While the run continues, until it ends.
touch go
until_is -e done
: >noted
rangeline top -d 0.05 -b t.rln >looks 2>>noted &
rangeline top -d 0.05 --json t.rln >lines 2>>noted &
until_is -s looks
until_is -s lines
touch over
wait
grep -c '"message":"serving"[^}]*"ended":1' lines # in exactly one update
tail -n 1 lines | grep -o '"all_events":10'
head -n 7 looks | tell
cat noted
tidy <said
rangeline top t.rln
rangeline top
rangeline top -d 0 t.rln
rangeline top nosuch.rln
rangeline top --filter-time 1/2 t.rln

# A run that was killed has ended, too.
rangeline env -o killed.rln >variables
bash -c 'eval "$(cat variables)"; "$BIN/say" push a kill 9; true' 2>/dev/null
rangeline top killed.rln
