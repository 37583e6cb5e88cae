# --filter-payload tests plain payloads and fields of extended ones, which a range may get
# at its end.
golden payloads
golden startend
golden deferred
rangeline print startend.rln
rangeline print --filter-payload '>= 4096' startend.rln
rangeline print --ranges --filter-payload '=1..4095' startend.rln
rangeline print payloads.rln
rangeline print --filter-payload 'op=put' payloads.rln
rangeline print --tree --filter-payload 'status<0' payloads.rln
rangeline print --ranges --filter-payload 'op=put, request.weight>1' payloads.rln
rangeline print --filter-payload 'sizes.of=20' payloads.rln
for filter in 'text=/^s/' 'status=-1, weight=0.1' 'weight<1'; do
    rangeline stats -q -r nvtx_sum,nvtx_pushpop_trace,tree,mark_sum,payload_sum -f csv \
        --filter-payload "$filter" payloads.rln
done
rangeline stats -q -r nvtx_sum -f csv --filter-payload 'op=put' --filter-payload 'status<0' \
    --name served payloads.rln
for type in csv chrome folded nvtxt speedscope; do
    rangeline export -q -t $type -o - --filter-payload 'status<0' payloads.rln |
        sed 's/"rangeline [0-9.]*"/"rangeline VERSION"/'
done
rangeline export -q -t jsonl -o - --filter-payload 'op=put' payloads.rln | grep NVTX_EVENTS
# Deferred events have their payloads at both ends, or identify their range.
rangeline stats -q -r nvtx_sum -f csv --filter-payload 'id=42' deferred.rln
rangeline stats -q -r nvtx_sum -f csv --filter-payload 'what=/^(inner|outer)$/' deferred.rln
rangeline stats -q -r nvtx_sum -f csv --thread 101 deferred.rln
rangeline stats --strict -r nvtx_sum --filter-payload 'nosuch=1' payloads.rln
echo "nothing matches: $?"
rangeline stats --filter-payload 'Bytes' payloads.rln
echo "no test: $?"
rangeline print --filter-payload 'Bytes >= many' payloads.rln
echo "no number: $?"
rangeline export -t csv -o - --filter-payload 'Op=/(/' payloads.rln
echo "no regular expression: $?"
