# For very deep ranges, the innermost levels are printed in full.
golden deep_nested
rangeline stats -q -r nvtx_pushpop_trace -f csv:nohdr deep_nested.rln >rows
cut -d, -f1-12 rows | sed -n -e '1,3p' -e '63,66p'
sed -n 64,66p rows | cut -d, -f13 | cut -c1-20
sed -n 64,66p rows | cut -d, -f13 | tr -cd ':\n' | awk '{ print length }' # levels
sed -n 64,66p rows | cut -d, -f14 | tr -cd '\n-' | awk '{ print length }'
golden deep # ranges of io cross the steps inside them, so only steps nest
rangeline stats -q -r nvtx_pushpop_trace -f csv:nohdr deep.rln | cut -d, -f1-12 | sed -n -e '1,3p' -e '63,66p'
rangeline stats -q -r thread_sum -f csv deep.rln
