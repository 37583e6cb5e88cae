# Reports count only events that match the filters. The traces are small, so that results
# can be checked by hand.
golden nested
golden fork
golden threads
golden startend
golden payloads
golden slower_pace
rangeline stats -q -r nvtx_sum,tree -f csv --name load nested.rln
rangeline stats -q -r nvtx_sum -f csv --name 's*' --name load nested.rln
rangeline stats -q -r nvtx_sum -f csv --domain io slower_pace.rln
rangeline stats -q -r nvtx_sum -f csv --domain default slower_pace.rln
rangeline stats -q -r mark_sum -f csv --category disk nested.rln
rangeline stats -q -r mark_sum -f csv --category 8 nested.rln
rangeline stats -q -r process_sum,nvtx_pushpop_trace -f csv --process 100 fork.rln
rangeline stats -q -r thread_sum -f csv threads.rln
rangeline stats -q -r thread_sum,nvtx_sum -f csv --thread 101 threads.rln
rangeline stats -q -r startend_trace -f csv --name nosuch startend.rln
rangeline stats -r nvtx_sum --filter-time 0/20us --name load nested.rln
rangeline stats -q -r nvtx_sum --name nosuch nested.rln
echo "nothing matches: $?"
rangeline stats -q -r nvtx_sum -f csv --name '/^(st|lo.d$)/' nested.rln
rangeline stats -q -r nvtx_sum -f csv --domain /O/ --name '/a/' nested.rln
rangeline print --ranges --name '/(/' nested.rln
echo "no regular expression: $?"
rangeline print --ranges --name // nested.rln
