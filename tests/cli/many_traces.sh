# Commands read more traces than the limit of open files.
golden nested
for ((i = 0; i < 200; i++)); do cp nested.rln $i.rln; done
rm nested.rln
check() ( # TRACES
    ulimit -n 40
    rangeline stats -q -r nvtx_sum -f csv:nohdr "$@"
    rangeline stats -q -r thread_sum -f csv:nohdr "$@" | uniq -c
    rangeline print "$@" 2>/dev/null | wc -l
    rangeline info --json "$@" 2>/dev/null | grep -o '"path"' | wc -l
    rangeline check "$@" >/dev/null 2>&1 || echo "check: $?"
    rangeline export -q -t csv -o - "$@" 2>/dev/null | wc -l
)
check ./*.rln 2>/dev/null
# The soft limit is raised for those that are copied while they are read.
golden newest
for ((i = 0; i < 60; i++)); do cp newest.rln newest$i.rln; done
(
    ulimit -Sn 40
    rangeline stats -q -r nvtx_sum -f csv:nohdr newest?*.rln
)
# A program that is recorded has the limit of its user.
(
    ulimit -Sn 40
    rangeline profile --stats -o limit sh -c 'ulimit -Sn' 2>/dev/null
)
