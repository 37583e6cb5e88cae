# Two processes with ring buffers start a million ranges each and end none: the table for
# starts that would be overwritten is one for both, its oldest make room, and the newest
# events of both are whole.
rangeline profile -o t --buffer 256K sh -c '"$BIN/never_ended"; "$BIN/never_ended"' 2>/dev/null
[ "$(od -An -t u8 -j 280 -N 8 t.rln)" -gt 1000000 ] && echo 'the table had no room for most'
rangeline info --json t.rln | grep -o '"damages":[^]]*]'
rangeline print --json t.rln 2>/dev/null | sed -n 's/.*"type":"start".*"pid":\([0-9]*\),.*/\1/p' | sort |
    uniq -c | awk '{ print ($1 > 20000 ? "more than 20,000" : $1), "starts of a process" }'
