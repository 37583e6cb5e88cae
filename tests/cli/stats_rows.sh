# --sort and -n say which rows come, in every format; --csv and --json are -f; --under takes
# patterns.
golden nested
golden pace
rangeline stats --csv -r nvtx_sum --sort min nested.rln
rangeline stats --csv -r nvtx_sum --sort range -n 2 nested.rln
rangeline stats --json -r self_sum -n 1 nested.rln
rangeline stats -r pace --sort dur -n 2 -f csv pace.rln
rangeline stats --csv -r nvtx_pushpop_trace --sort name -n 3 nested.rln
rangeline stats -q -n 1 nested.rln
rangeline stats -q --sort calls -n 2 nested.rln
rangeline stats -q --sort rows nested.rln
echo "exit $?"
echo "--- for people, then for programs, without empty lines between"
rangeline stats -q -r self_sum,nvtx_pushpop_sum,self_sum -n 1 -f column,csv nested.rln
echo "--- patterns"
rangeline stats -q -r tree --under 'l*d' nested.rln
rangeline stats -q -r tree --under 'io:*' nested.rln
rangeline stats -q -r tree --under 'nothing*' nested.rln
rangeline stats -q -n 1 --under 'nothing*' nested.rln
echo "--- refused"
rangeline stats -r nvtx_sum --sort nothing nested.rln
echo "exit $?"
rangeline stats -r tree -n 2 nested.rln
echo "exit $?"
