# A range counts from where it starts to where it ends, on whatever thread.
golden startend
rangeline stats -r nvtx_startend_sum startend.rln
rangeline stats -r nvtx_sum startend.rln
