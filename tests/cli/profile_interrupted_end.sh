# What follows the run can be interrupted, and the trace is complete by then. Here an
# export waits for a reader of its pipe.
for signal in TERM INT; do
    rm -f t.rln t.jsonl
    mkfifo t.jsonl
    # A shell starts processes in the background with SIGINT ignored.
    env --default-signal=INT rangeline profile -f -o t --export jsonl "$BIN/say" mark a 2>err &
    launcher=$!
    until grep -q '1 event' err; do sleep 0.01; done
    kill -$signal $launcher
    wait $launcher 2>/dev/null
    echo "$?: $(rangeline print t.rln | grep -c ' mark ')"
    timeout 60 cat t.jsonl >/dev/null # the export may end now
done
