# What NVTXW's header promises, and how our backend keeps it: see writer_contract.c.
[ -x "$BIN/writer_contract" ] || { echo "built without the collector" >&2; exit 77; }
NVTXW3_LIBRARY=$(rangeline --nvtxw-library) && export NVTXW3_LIBRARY || exit
run() { # CASE [VARIABLE=VALUE...]: prints the result if it is not 0
    echo "- $1"
    env "${@:2}" timeout 100 "$BIN/writer_contract" "$1" || echo "exits with $?"
}
events() { # CASE: what was written, without times
    rangeline print "$1.rln" | grep deferred | sed -E 's/^ +[-0-9.]+ +[0-9/]+ +//'
}

echo "An event's clock and scope take precedence over those of its stream"
run own_clock
rangeline print own_clock.rln | grep deferred | # within ten minutes of the trace
    awk '$1 > 1e-3 || $1 < -600 { $1 = "?" } { print $3, $1 == "?" ? "?" : "placed" }'
run own_scope
events own_scope
echo "Members that a payload is too short for set nothing"
run unread
events unread
echo "A child can write whatever other threads of its parent do"
run forks
rangeline print forks.rln | grep -c child
echo "A session begins whatever domains are recorded, unless no tool records them"
run nothing RANGELINE_DOMAIN_INCLUDE=d
run nothing RANGELINE_DOMAIN_EXCLUDE=default
run nothing NVTX_INJECTION64_PATH="$BUILD/lib/libother_backend.so" 2>&1
