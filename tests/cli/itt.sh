# Calls of ITT are recorded on request, beside those of NVTX.
numbered() { # ids of ranges: id=1, id=2, ... as they come
    awk '{ if (match($0, /id=[0-9]+/)) {
               id = substr($0, RSTART, RLENGTH)
               if (!(id in number)) number[id] = ++n
               sub(/id=[0-9]+/, "id=" number[id])
           }
           print }'
}

show() { # WORD...: what the client's calls leave in the trace
    echo "== $*"
    rangeline profile -f "${with:---itt}" -o t "$BIN/itt_client" "$@" 2>&1 | grep -v rangeline
    rangeline print t.rln | numbered | tidy | sed -E "s/(begin|end)=[0-9]+/\1=N/g"
    rangeline check t.rln | tail -n 1 | tidy
}

show tasks nvtx tasks
show overlapped
show events
show frames
show metadata
show counters
rangeline info --json t.rln | grep -o '"name":"queue".*' | cut -d '}' -f 1
show control
show locks allocations tasks
echo "== on request"
with=--itt=sync,heap show locks allocations | sed -E 's/TIME +[0-9]+ +/TIME PID     /'
with=--itt=heap show allocations locks
with=--itt=true show control | head -n 2
with=--itt=false show tasks 2>&1 | head -n 2
echo "== too many are open"
rangeline profile -f --itt -o t "$BIN/itt_client" many 2>&1 | grep collector
rangeline check t.rln | tail -n 1
rangeline print --json t.rln | grep -c '"type":"start"'
rangeline print --json t.rln | grep -c '"type":"end"'
echo "== much metadata" # what has no room in its task is a mark
rangeline profile -f --itt -o t "$BIN/itt_client" much 2>&1 | grep collector
rangeline print --json t.rln >t.json
grep '"type":"pop"' t.json >pops.json
grep -o '"i":' pops.json | wc -l
grep -o '"numbers":[^]]*' pops.json | tr -cd 0 | wc -c
grep -c '"type":"mark".*{"i":' t.json
grep '"type":"mark"' t.json | grep -o '"text":"x*"' | awk '{ print length($0) - 9 }'
grep '"type":"mark"' t.json | grep -o '"message":"x*"' | awk '{ print length($0) - 12 }'
grep -c '"type":"mark".*"lost":1' t.json
grep -c '"type":"mark".*"at once":1' t.json
echo "== long names"
rangeline profile -f --itt -o t "$BIN/itt_client" long 2>&1 | grep -v rangeline
rangeline print --json t.rln | awk '/"push"/ { print gsub("x", "x") }'
echo "== not asked for"
rangeline profile -f -o t "$BIN/itt_client" tasks 2>&1 | grep collector
echo "== another tool's"
INTEL_LIBITTNOTIFY64=/nowhere.so rangeline profile -f --itt -o t "$BIN/itt_client" tasks 2>&1 |
    grep -e --itt | sed 's/.*note: //'
INTEL_LIBITTNOTIFY64='' rangeline profile -f --itt -o t "$BIN/itt_client" tasks 2>&1 |
    grep collector
echo "== env"
rangeline env --itt | grep I[NT]T | sed 's|=.*/|=|'
rangeline env --itt=sync | grep I[NT]T | sed 's|=.*/|=|'
rangeline profile --itt=locks -o t true 2>&1
