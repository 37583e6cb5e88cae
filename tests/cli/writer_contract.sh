# What NVTXW's header promises, and how our backend keeps it: see writer_contract.c.
[ -x "$BIN/writer_contract" ] || { echo "built without the collector" >&2; exit 77; }
NVTXW3_LIBRARY=$(rangeline --nvtxw-library) && export NVTXW3_LIBRARY || exit
run() { # CASE [VARIABLE=VALUE...]: prints the result if it is not 0
    echo "- $1"
    env "${@:2}" timeout 100 "$BIN/writer_contract" "$1" || echo "exits with $?"
}
events() { # CASE: what was written, without times
    rangeline print "$1.rln" | grep deferred | sed -E 's|^ *[-0-9.]+ +[0-9/]+ +||'
}

echo "An event's clock and scope take precedence over those of its stream"
run own_clock
rangeline print own_clock.rln | grep deferred | # within ten minutes of the trace
    awk '$1 > 600 || $1 < -600 { $1 = "?" } { print $3, $1 == "?" ? "?" : "placed" }'
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
echo "Batches of any size are complete, or refused"
run large_events
rangeline stats -q -r nvtx_sum -f csv large_events.rln | tail -1 | cut -d, -f3,9,10
run large_samples
rangeline print large_samples.rln | grep deferred | # 10 ns between samples
    sed -E 's/^ *([0-9.]+) .* d:(.*)  value=([0-9]+) .*/\1 \3 \2/' |
    awk 'NR == 1 { first = $1 }
         { n[$3 " " $4] += sprintf("%.0f", ($1 - first) * 1e9) == 10 * $2 }
         END { for (name in n) print name, n[name] }' | sort
echo "Zeros of counters of any type"
run zeros
events zeros
echo "Unknown ids, wrong sizes and attributes are refused"
run refused_writes
events refused_writes
run refused_registrations
echo "Registrations are kept until their clock is known"
run static_ids
events static_ids # one of them outside the time of the trace
run units
rangeline stats -q -r counter_sum -f csv units.rln | tail -1 | cut -d, -f1,7,9,12
run many_payloads
events many_payloads
run batch_scopes
events batch_scopes
echo "A process has one session at a time"
run sessions
echo "Ranges of streams without a name do not mix"
run unnamed_streams
rangeline print --ranges unnamed_streams.rln |
    sed -E 's|^ *[-0-9.]+ +[0-9/]+ +||; s|[{].*[}]||'
echo "A session's file: names of any length, and another try after one that fails"
long=$(printf 'é%.0s' {1..200})
run nothing SESSION="$long"
run nothing SESSION="$long"
run nothing SESSION=second FAILING=output=/no/such/folder/x
run nothing SESSION=third FAILING="output=$PWD/$long"
run own_scope RANGELINE_DOMAIN_EXCLUDE=d SESSION=excluded
for file in *é* second* third* excluded*; do
    file=$(echo "$file" | sed -E 's/-[0-9]+\.rln/-PID.rln/')
    echo "${#file}: ${file//éé/}"
done
echo "A session that dropped events does not end well"
(ulimit -f 4096 && trap '' XFSZ && run large_events SESSION=full) 2>&1
rangeline info full.rln | grep -o '^dropped  *[1-9]' | sed 's/[0-9]/some/'
