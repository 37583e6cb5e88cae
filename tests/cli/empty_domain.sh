# A domain with an empty name is not the default domain, in any output: its name is shown
# as two quotes.
rangeline profile -o run "$BIN/say" push step push step@ mark x@ pop @ pop 2>/dev/null
has_both() { # WHAT PATTERN-OF-DEFAULT PATTERN-OF-EMPTY
    cat >said
    grep -qE -e "$2" said && grep -qE -e "$3" said || { echo "$1:"; cat said; }
}
quotes='\\"\\"'
rangeline print run.rln | has_both print ' step' '"":step'
rangeline print --ranges run.rln | has_both ranges ' step' '"":step'
for words in 'print --json' 'print --ranges --json'; do
    # shellcheck disable=SC2086 # words
    rangeline $words run.rln | grep step >json
    grep -v "$quotes" json | has_both "$words" 'step' 'step'
    has_both "$words" "$quotes" "$quotes" <json
done
for report in nvtx_sum tree mark_sum nvtx_pushpop_trace; do
    rangeline stats -q -r $report -f csv run.rln 2>/dev/null | has_both $report . '"{4,}:(step|x)'
    rangeline stats -q -r $report -f column run.rln 2>/dev/null | has_both $report . '"":(step|x)'
done
rangeline export -q -t jsonl -o - run.rln | grep '"eventType":75' | has_both jsonl . "$quotes"
rangeline info run.rln | has_both info 'default' '""'
rangeline info --json run.rln | has_both 'info --json' . "$quotes"
rangeline export -q -t folded -o - run.rln | has_both folded ';step' '"":step'
rangeline export -q -t chrome -o - run.rln | has_both chrome step "$quotes"
rangeline diff --all run.rln run.rln 2>/dev/null | has_both diff ' step' '"":step'
rangeline check run.rln | grep -i unused
# It can be selected.
rangeline stats -q -r nvtx_sum -f csv --domain '""' run.rln | cut -d, -f3,10
rangeline stats -q -r nvtx_sum -f csv --domain default run.rln | cut -d, -f3,10
