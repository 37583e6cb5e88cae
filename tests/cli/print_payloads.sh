# `print` decodes payloads: with attributes of their event, of both ends of a range, a
# truncated one, one without a schema.
golden payloads
rangeline print payloads.rln
rangeline print --ranges payloads.rln
rangeline print --json payloads.rln
rangeline print --ranges --json payloads.rln
rangeline stats -r nvtx_sum -f csv payloads.rln
