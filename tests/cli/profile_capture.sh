# `profile` reports how much of a run it captured, and why nothing was captured.
record() { rm -f t.rln; rangeline profile -o t "$@" 2>&1 | sed -E 's/[0-9]+ KiB/SIZE/'; }
words='push step push load@io pop @io pop mark end'
# shellcheck disable=SC2086
try() { record "$@" say $words; }
try -c nvtx -p step
try -c nvtx -p step --capture-range-end repeat
try -c nvtx -p Step
try -c nvtx -p load
try -c nvtx -p 'st@p*@io'
try -c nvtx -p 'l*@disk'
try -c nvtx -p 'stpe@*'
try -c nvtx -p nothing
try -c nvtx -p end
try -c nvtx -p step --capture-nth 1
try --delay 60
try --start-later
record -c nvtx -p step true
record -c nvtx -p step say still
# Suggested names are quoted if needed, so that they can be typed; long lists are
# shortened.
record -c nvtx -p 'a*b@C' say push 'a*b\@c' pop push 'A*B@c' pop @c
record -c nvtx -p x say mark m1 mark m2 mark m3 mark m4 mark m5 mark m6
# Ranges of other domains are counted, with any kind of string and from any process.
record -c nvtx -p s say push s@a pop @a rpush s@a pop @a fork \( start s@a end \) \
    plugin \( wpush s@b pop @b \) string s@c mark s@d push S@e pop @e
record -c nvtx -p 's@a' say thread \( push s rpush s pop pop \) push t pop
# Excluded events are not recorded and do not start a capture.
# shellcheck disable=SC2086
for left_out in '--categories 9' '--nvtx-domain-include disk' '--nvtx-domain-exclude default,io' \
    '-c nvtx -p step --categories 9' '-c nvtx -p load@io --nvtx-domain-exclude io'; do
    try $left_out
done
# An empty trace gives the reason: its processes are still running.
rm -f t.rln
rangeline profile -o t -Y --wait primary sh -c '
    (say mark a touch ready wait go) >/dev/null 2>&1 & while [ ! -e ready ]; do sleep 0.01; done' 2>/dev/null
rangeline info t.rln | grep ^window
rangeline print t.rln --window 0
: >go
