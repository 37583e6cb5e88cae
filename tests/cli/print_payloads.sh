# Payloads, decoded: what they say about their event, what a range has of both its ends,
# one that was cut, one that nobody described.
golden payloads
rangeline print payloads.rln
rangeline print --ranges payloads.rln
rangeline print --json payloads.rln
rangeline print --ranges --json payloads.rln
rangeline stats -r nvtx_sum -f csv payloads.rln
