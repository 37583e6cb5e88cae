# Reports of sums that Nsight Systems does not have.
golden locks
rangeline stats -q -r sync_sum locks.rln
rangeline stats -q -r sync_sum -f csv --timeunit us locks.rln
rangeline stats -q -r mark_sum,category_sum -f csv locks.rln # it has none
golden startend
rangeline stats -q -r category_sum startend.rln
golden inversion
rangeline stats -q -r mark_sum -f json inversion.rln
golden machines # 3 in 0.353 s
rangeline stats -q -r mark_sum -f csv inversion.rln machines.rln
golden nested # a single mark has no rate
rangeline stats -q -r mark_sum -f csv nested.rln
rangeline stats -q -r mark_sum -f json nested.rln
golden counters
rangeline stats -q -r counter_sum counters.rln
rangeline stats -q -r counter_sum -f json counters.rln
golden group # fields with a unit, an interpolation, a scope of their own
rangeline stats -q -r counter_sum -f csv group.rln
golden payloads
rangeline stats -q -r payload_sum payloads.rln
rangeline stats -q -r payload_sum -f json payloads.rln
