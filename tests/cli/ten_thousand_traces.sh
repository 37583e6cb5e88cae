# Commands read 10,000 traces, whose paths have half a megabyte.
golden nested
for ((i = 0; i < 10000; i++)); do cp --sparse=always nested.rln $i.rln; done
ulimit -Sn 64
rangeline stats -q -r nvtx_sum -f csv:nohdr [0-9]*.rln 2>/dev/null
rangeline stats -q -r thread_sum -f csv:nohdr [0-9]*.rln 2>/dev/null | uniq -c
rangeline print [0-9]*.rln 2>/dev/null | wc -l
