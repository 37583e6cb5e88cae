# --min-duration selects ranges that took at least that time.
golden nested
golden slower_pace
golden startend
rangeline print --ranges --min-duration 50ns nested.rln
rangeline stats -q -r nvtx_sum,nvtx_pushpop_trace -f csv --min-duration 50us nested.rln
rangeline stats -q -r tree --min-duration 50us nested.rln
rangeline stats -q -r nvtx_sum,payload_sum,thread_sum -f csv --min-duration 5us slower_pace.rln
rangeline stats -q -r nvtx_startend_sum,startend_trace -f csv --min-duration 1h startend.rln
echo "nothing: $?"
rangeline stats --min-duration -1s nested.rln
echo "less than none: $?"
rangeline stats --min-duration long nested.rln
echo "no time: $?"
rangeline print --min-duration 50us nested.rln
echo "events: $?"
