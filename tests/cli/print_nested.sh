# Depth by indentation; the duration stands on the line that closes a range.
golden nested
rangeline print nested.rln
rangeline print --tree nested.rln
rangeline print --json nested.rln
rangeline print --ranges nested.rln
rangeline print --ranges --json nested.rln
