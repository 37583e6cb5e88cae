# If older events were overwritten, each thread begins with its open ranges. Ends whose
# starts were overwritten count as lost, not as unmatched.
golden newest
rangeline print newest.rln
rangeline print --ranges newest.rln
rangeline stats -r nvtx_sum newest.rln
rangeline info newest.rln | head -n 12 | sed 's/, [0-9.]* KiB,/, SIZE,/'
