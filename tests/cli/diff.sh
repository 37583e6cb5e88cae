# `diff` reports which ranges became slower and by how much, and --fail-above sets the
# exit status of a build.
golden pace
golden slower_pace
rangeline diff pace.rln slower_pace.rln
rangeline diff --all -f csv pace.rln slower_pace.rln
rangeline diff --markdown --on total slower_pace.rln pace.rln
rangeline diff --json --on p95 pace.rln slower_pace.rln
rangeline diff pace.rln pace.rln
rangeline diff -b pace.rln -b pace.rln slower_pace.rln
for limit in 5 5% 30% '34.5 %' 100%; do
    rangeline diff --fail-on-one-run --fail-above "$limit" pace.rln slower_pace.rln
    echo "more than $limit: $?"
done
rangeline diff --fail-on-one-run --fail-above 1% slower_pace.rln pace.rln
echo "faster: $?"
rangeline diff --fail-above five pace.rln slower_pace.rln
echo "five: $?"
rangeline diff pace.rln
echo "one trace: $?"
rangeline diff -b pace.rln
echo "one side: $?"
rangeline diff pace.rln nosuch.rln
echo "no such trace: $?"
