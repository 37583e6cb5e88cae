# A run whose older events were overwritten begins, for each thread, with the ranges that
# are open; ends of ranges whose beginnings are gone are lost, not wrong.
golden newest
rangeline print newest.rln
rangeline print --ranges newest.rln
rangeline stats -r nvtx_sum newest.rln
rangeline info newest.rln | head -n 12
