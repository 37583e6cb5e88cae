# The time of a start/end range counts on whichever threads it starts and ends.
golden startend
rangeline stats -r nvtx_startend_sum startend.rln
rangeline stats -r nvtx_sum startend.rln
