# With more than eight ranks, a table has the slowest three, and other formats have all.
golden nested
golden slower_pace
for rank in 1 2 3 4 5 6 7; do cp nested.rln nested$rank.rln; done
rangeline stats -q -r rank_sum nested*.rln slower_pace.rln
rangeline stats -q -r rank_sum -f csv nested*.rln slower_pace.rln
rangeline stats -q -r rank_sum nested[1-7].rln slower_pace.rln
