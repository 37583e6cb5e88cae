# A signal interrupts an export after the run; the trace is complete by then. Here the
# export waits for a reader of its pipe.
for signal in TERM INT; do
    rm -f t.rln t.jsonl err # the last one says "1 event"
    mkfifo t.jsonl
    # A shell starts processes in the background with SIGINT ignored.
    env --default-signal=INT rangeline profile -f -o t --export jsonl "$BIN/say" mark a 2>err &
    launcher=$!
    until grep -qs '1 event' err; do sleep 0.01; done
    kill -$signal $launcher
    wait $launcher 2>/dev/null
    echo "$?: $(rangeline print t.rln | grep -c ' mark ')"
    exec 3<>t.jsonl # the export may end now
    while pgrep -f "profile -f -o t --export jsonl $BIN/say" >/dev/null; do sleep 0.01; done
    exec 3<&-
done
# A signal that comes while the trace is finished leaves it complete under its name.
for _ in 1 2 3; do
    rm -f k.rln here
    rangeline profile -o k "$BIN/say" mark old 2>err
    env --default-signal=INT rangeline profile -f -o k "$BIN/say" mark new many 300000 touch here 2>err &
    launcher=$!
    until [ -e here ]; do sleep 0.001; done
    kill -INT $launcher 2>/dev/null
    wait $launcher
    echo k*.rln "$(rangeline print k.rln | grep -c ' mark *many$')"
done
