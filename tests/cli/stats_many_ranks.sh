# With more than eight ranks, a table has the slowest three, and other formats have all.
golden nested
golden slower_pace
for rank in 1 2 3 4 5 6 7; do cp nested.rln nested$rank.rln; done
rangeline stats -q -r rank_sum nested*.rln slower_pace.rln
rangeline stats -q -r rank_sum -f csv nested*.rln slower_pace.rln
rangeline stats -q -r rank_sum nested[1-7].rln slower_pace.rln

echo "--- calls by rank"
rangeline stats -q -r rank_calls nested*.rln slower_pace.rln
rangeline stats -q -r rank_calls -f csv nested*.rln slower_pace.rln
rangeline stats -q -r rank_calls nested1.rln slower_pace.rln # neither number is that of most
rangeline stats -q -r step_trace:step -f csv nested[12].rln
rangeline stats -q -r step_trace:nothing nested[12].rln
