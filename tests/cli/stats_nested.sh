# Self time of an outer range excludes its inner range.
golden nested
rangeline stats nested.rln
rangeline stats -r tree nested.rln
rangeline stats -r nvtx_pushpop_sum nested.rln
rangeline stats -r nosuch nested.rln
