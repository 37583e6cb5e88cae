# Formats and outputs by turns: the first report's, the second's, and the last for the rest.
golden nested
rangeline stats -q -r nvtx_sum,tree,mark_sum -f csv,column -o .,- nested.rln
head nested_*
rangeline stats -q -r nvtx_sum -r tree -f json -f tsv:nohdr nested.rln
rangeline stats -q -r nvtx_sum,tree -f csv:time=us -o 'a\,b' nested.rln
head a,b_*
rangeline stats -q -r nvtx_sum,tree -f .,csv -o -,out nested.rln
head out_*
rangeline stats -q -r nvtx_sum -f csv,cvs nested.rln
echo "no format: $?"
rangeline stats -q -r nvtx_sum -o a, nested.rln
echo "no name: $?"
