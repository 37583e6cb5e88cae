# `top` sorts the ranges as asked, lists every thread of every process, says that a run is
# not recording, and gives the terminal back while it is stopped.
until_is() { for _ in {1..6000}; do ! test -e "$1" || return; sleep 0.02; done; }
ranges() { sed -n '/For  *Range/,$p' | awk 'NR > 2 { print $NF }' | xargs; }
rangeline profile -o t sh -c '"$BIN/say" push outer push inner start job start job touch a wait go &
    "$BIN/say" push single touch b wait go & wait' 2>/dev/null &
until_is a
until_is b
for order in time self max open name; do
    echo "$order: $(rangeline top -n 1 -d 0.05 --sort $order t.rln | ranges)"
done
rangeline top -n 1 -d 0.05 t.rln | tidy | grep -c PID/TID
if command -v python3 >/dev/null; then
    python3 "$here/in_terminal.py" outer '^Z' outer oq -- sh -c \
        "stty rows 20 cols 110; TERM=xterm exec rangeline top -d 100 t.rln" >shown
    grep -o '1049[hl]' shown | xargs # to the other screen, back, and again
    tail -n 1 shown
fi
rangeline stop t.rln
rangeline top -n 1 -d 0.05 t.rln | grep '^not recording'
touch go
wait
