# `check` and `diff` print tables in the formats of `stats`.
golden windows
golden pace
golden slower_pace
for format in column table markdown htable; do
    rangeline check -f $format windows.rln
    rangeline diff -f $format pace.rln slower_pace.rln
done
rangeline check -f hdoc windows.rln | grep -c Findings
rangeline diff -f hdoc pace.rln pace.rln
