# Every command that reads traces has the same filters; `view` has its own test.
golden pace
golden slower_pace
golden nested
golden startend
golden windows
golden deep
echo "--- diff"
rangeline diff --domain default --name load pace.rln slower_pace.rln
rangeline diff --all --min-duration 7100ns --thread 100 pace.rln slower_pace.rln
rangeline diff --all --filter-nvtx step/3 pace.rln slower_pace.rln
rangeline diff --all -f csv --window 0 windows.rln windows.rln | cut -d, -f1,7-10,20
rangeline diff --fail-above 1% --name nosuch pace.rln slower_pace.rln
echo "nothing was compared: $?"
rangeline diff --filter-nvtx step@io pace.rln slower_pace.rln
echo "no such range: $?"
rangeline diff --window 1 pace.rln slower_pace.rln
echo "no such window: $?"
echo "--- analyze"
rangeline analyze -r nested-duplicate deep.rln | head -n 1
rangeline analyze -r nested-duplicate --domain io deep.rln
rangeline analyze -r nested-duplicate --recursive step deep.rln
rangeline analyze -r nested-duplicate --domain nosuch deep.rln
echo "--- check"
rangeline check --domain io --domain io --window 7 --window 0 nested.rln
rangeline check --name step startend.rln
rangeline check --thread 200 -f csv startend.rln
rangeline check --process 7 startend.rln
rangeline check -f csv --min-duration 100us nested.rln
rangeline check -f csv --filter-time /50ns startend.rln
echo "crossed: either of the two"
rangeline check -f csv --domain io --category 7 deep.rln
rangeline check -f csv --domain default deep.rln
rangeline check -f csv --domain nosuch deep.rln
echo "on the wrong thread: either of the two"
rangeline profile -o moved "$BIN/say" push step thread '(' pop ')' 2>/dev/null
for type in push pop; do
    thread=$(rangeline print --json moved.rln | sed -nE "/\"$type\"/s/.*\"tid\":([0-9]+).*/\1/p")
    rangeline check -f csv --thread "$thread" moved.rln | cut -d, -f1-3,10
done
rangeline check --fail-on warning --domain io --name store nested.rln
echo "$?"
echo "--- export"
rangeline export -t csv -o - --min-duration 50us nested.rln | cut -d, -f1-9
rangeline export -t chrome -o - --min-duration 50us nested.rln | grep -o '"name":"[a-z]*"'
rangeline export -t jsonl -o - --min-duration 100ns startend.rln | grep -c NvtxEvent
echo "--- a range that was open before its window, in reports of single ranges"
rangeline stats -q -r nvtx_sum,nvtx_pushpop_trace,startend_trace,thread_sum -f csv --window 1 windows.rln
rangeline stats -q -r nvtx_pushpop_trace -f csv --filter-time 20us/60us nested.rln
rangeline stats -q -r nvtx_pushpop_trace -f csv --filter-time 50us/60us --name load nested.rln
echo "--- the end before the start"
rangeline stats --filter-time 60us/20us nested.rln 2>&1
echo "--- several traces: which one a finding is in"
rangeline check nested.rln startend.rln | tail -n 4
rangeline check -f csv nested.rln startend.rln | cut -d, -f 2,14 | tail -n 2
