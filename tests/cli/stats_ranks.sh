# rank_sum compares ranges by rank of a job, by trace, or by process.
golden ranks
golden nested
golden slower_pace
golden fork
rangeline stats ranks.rln
rangeline stats -q -r rank_sum -f csv ranks.rln
rangeline stats -q -r rank_sum -f json nested.rln slower_pace.rln
rangeline stats -q -r rank_sum -f csv fork.rln
rangeline stats -q -r rank_sum --name 'write' -f csv ranks.rln
rangeline stats -q -r rank_sum --name 'nothing' -f csv ranks.rln
# Rank 2 is the slowest of the only step that several ranks have.
rangeline stats -q -r straggler -f csv ranks.rln
rangeline stats -q -r straggler:write ranks.rln
# The same for an export, and for an export of that.
rangeline export -q -o once.sqlite ranks.rln
rangeline export -q -o twice.sqlite once.sqlite
for file in ranks.rln once.sqlite twice.sqlite; do
    rangeline stats -q -r rank_sum -f csv $file | cksum
done | uniq -c | awk '{ print $1, "times the same" }'
