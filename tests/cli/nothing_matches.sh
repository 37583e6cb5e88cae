# A filter that matches nothing is reported, but fails only with --strict. A comparison
# without events fails. Also tests former names of nsys, and abbreviated options.
golden nested
golden pace
golden startend
on_error() { # COMMAND...: its messages and its exit status
    "$@" 2>&1
    echo "exit $?"
}
on_error rangeline stats -q -r nvtx_sum --filter-time 100s/ nested.rln
on_error rangeline stats -q -r nvtx_sum --filter-nvtx nobody nested.rln
on_error rangeline stats -q -r nvtx_sum --strict --filter-nvtx nobody nested.rln
on_error rangeline print --name nobody nested.rln
on_error rangeline export -q -t csv -o none.csv --name nobody nested.rln
on_error rangeline export -q -t perfetto -o none.perfetto --filter-time 100s/ nested.rln
on_error rangeline export -q -t csv -o some.csv --name load nested.rln
on_error rangeline view --html none.html --name nobody nested.rln | tidy
on_error rangeline view --html some.html --name load nested.rln | tidy
on_error rangeline diff --fail-above 5% pace.rln startend.rln
on_error rangeline stats -q -r nvtxsssum -f csv startend.rln startend.rln
on_error rangeline stats --help-reports nvtxsssum pace
on_error rangeline stats --help-reports nobody
on_error rangeline stats --help-reports=nvtx_sum,pace:step
rangeline stats --help-reports ALL | grep -c "^[a-z]"
on_error rangeline stats --help-formats=csv,:esc
on_error rangeline stats --help-formats none
rangeline analyze --help-rules outliers,drift | grep "^[a-z]"
on_error rangeline stats --timeunit m nested.rln
on_error rangeline stats -q -r nvtx_sum -f csv --timeunit mil nested.rln
on_error rangeline check --help | grep -A 2 '^Kinds of findings'
# With several traces, the message says that there are more.
on_error rangeline stats -r nvtx_sum,mark_sum --format column nested.rln pace.rln startend.rln | grep -E "^Processing|^SKIPPED"
on_error rangeline stats -q -r counter_sum -f csv nested.rln pace.rln
# The nearest name of its kind is suggested.
golden threads
on_error rangeline stats -q -r nvtx_sum --domain oi nested.rln
on_error rangeline print --thread workr threads.rln
on_error rangeline print --thread worker --domain io threads.rln
on_error rangeline print --category dsik nested.rln
