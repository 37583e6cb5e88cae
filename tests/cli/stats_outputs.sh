# -f and -o may have a value per report, in order; the last is for all further reports.
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
# Several reports on the console: one JSON document, and tables with a line in between.
golden nested
golden pace
rangeline stats -q -f json -r mark_sum,counter_sum,pace:io:load nested.rln >some.json
cat some.json
python3 -c 'import json; print(*json.load(open("some.json")))'
rangeline stats -q -f json -r counter_sum nested.rln
rangeline stats -q -f tsv -r thread_sum,mark_sum nested.rln
rangeline stats -r mark_sum nested.rln pace.rln | head -n 1
echo "--- a report that is requested twice is one member"
rangeline stats --json -r mark_sum,counter_sum,mark_sum,pace:load,pace:load nested.rln |
    grep -o '"[a-z_:]*": *\['
