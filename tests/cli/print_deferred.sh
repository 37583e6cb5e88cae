# Deferred events appear at the time given by their own clocks.
golden deferred
rangeline print deferred.rln
rangeline print --ranges deferred.rln
rangeline print --json deferred.rln | grep -e cross -e lost -e power | head -n 5
rangeline stats -q -r nvtx_sum,tree deferred.rln
rangeline info deferred.rln | tail -n 6
rangeline info --json deferred.rln | grep -o '"unplaced_time_domains":[^]]*]'
