# Indentation shows the depth; the line that closes a range has its duration.
golden nested
rangeline print nested.rln
rangeline print --tree nested.rln
rangeline print --json nested.rln
rangeline print --ranges nested.rln
rangeline print --ranges --json nested.rln
