# `stats` has reports of single ranges, of threads and of processes.
golden nested
golden startend
golden threads
golden fork
golden slower_pace
rangeline stats -q -r nvtx_pushpop_trace nested.rln
rangeline stats -q -r nvtxpptrace -f csv threads.rln | head -5 # nsys's former name
rangeline stats -q -r startend_trace -f csv startend.rln
rangeline stats -q -r thread_sum,process_sum -f csv fork.rln
rangeline stats -q -r pace:step -f csv slower_pace.rln | head -4
rangeline stats -q -r histogram:load slower_pace.rln
rangeline stats -q -r histogram -f json slower_pace.rln | head -3
rangeline stats -q -r gaps,outliers -f csv slower_pace.rln
rangeline stats -q -r pace:nosuch nested.rln
rangeline stats -q -o out -r 'pace:io:load,pace' nested.rln
ls
rangeline stats -r 'thread_sum:step' nested.rln
echo "an argument too many: $?"
golden deferred
rangeline stats -q -r nvtx_pushpop_trace,thread_sum,process_sum -f csv deferred.rln
rangeline stats -q -r pace:step -f csv --filter-time 20us/60us nested.rln
rangeline stats -q -r histogram:step -f csv --filter-time 20us/60us nested.rln
echo "--- events are those of the filter, and of the time"
golden pace
rangeline stats -q -r thread_sum,process_sum -f csv threads.rln
rangeline stats -q -r thread_sum,process_sum -f csv --name '*' threads.rln
rangeline stats -q -r thread_sum,process_sum -f csv --thread 101 threads.rln
rangeline stats -q -r thread_sum -f csv --name load pace.rln
rangeline stats -q -r process_sum -f csv --filter-time 20us/60us nested.rln
rangeline stats -q -r pace:load -f csv startend.rln # a style by itself
