# An older trace keeps its name until a run that replaces it has recorded something and
# has ended, and is never replaced while it is recorded itself.
say() { "$BIN/say" "$@"; }
older() { # makes the older trace, which holds the mark `old`
    rm -f ./*.rln
    rangeline profile -o t "$BIN/say" mark old 2>/dev/null
}
marks() { for trace in ./*.rln; do echo "$trace: $(rangeline print "$trace" | sed -n 's/.* mark *//p' | xargs)"; done; }
for run in 'true' 'nosuch' './notexecutable' '-p nowhere say push a pop' \
    '-d 0.001 sleep 0.1' '--nvtx-domain-include d say mark a' '-Y say mark a' \
    '--delay 100 say mark a' '--spool . true' '-e novalue true' '-o t --split --buffer 1M true'; do
    older
    : >notexecutable
    # shellcheck disable=SC2086
    PATH=$BIN:$PATH rangeline profile -f -o t $run >/dev/null 2>&1
    echo "$run: $(marks)"
done
echo '--- said of it'
rangeline profile -f -o t true 2>&1 | tail -n 1

echo '--- something was recorded'
for run in 'say mark new' '--spool . say mark new' 'say mark new kill 9'; do
    older
    # shellcheck disable=SC2086
    PATH=$BIN:$PATH rangeline profile -f -o t $run >/dev/null 2>&1
    marks
done

echo '--- the launcher is killed'
older
rangeline profile -f -o t "$BIN/say" mark new touch here wait go 2>/dev/null &
launcher=$!
until [ -e here ]; do sleep 0.01; done
{ kill -9 $launcher; wait $launcher; } 2>/dev/null
touch go
until marks | grep -q new; do sleep 0.01; done
marks

echo '--- a trace that is being recorded'
rm -f ./*.rln here go
for option in '' '--spool .'; do
    # shellcheck disable=SC2086
    rangeline profile -o t $option "$BIN/say" mark new touch here wait go 2>/dev/null &
    launcher=$!
    until [ -e here ]; do sleep 0.01; done
    rangeline profile -f -o t touch started 2>&1 | sed "s/process [0-9]*/process PID/"
    echo "${PIPESTATUS[0]} $(ls started 2>/dev/null)"
    touch go
    wait $launcher
    marks
    rm ./*.rln here go
done
echo '--- or will replace it'
older
rangeline profile -f -o t "$BIN/say" mark first touch here wait go 2>/dev/null &
launcher=$!
until [ -e here ]; do sleep 0.01; done
rangeline profile -f -o t touch started 2>&1 | sed "s/process [0-9]*/process PID/"
touch go
wait $launcher
marks
echo '--- processes that the program left behind'
older
rm -f here go
rangeline profile -f -o t --wait primary sh -c \
    '("$BIN/say" mark new touch here wait go) >/dev/null 2>&1 & while [ ! -e here ]; do sleep 0.01; done' 2>&1 | tidy
marks
touch go
