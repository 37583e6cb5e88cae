# A range counts from its start to its end, on any threads.
golden startend
rangeline stats -r nvtx_startend_sum startend.rln
rangeline stats -r nvtx_sum startend.rln
