# On a terminal, `stats` prints suitable units, bars, and a bold header unless NO_COLOR is
# set.
if ! command -v script >/dev/null; then
    echo 'script is not installed' >&2
    exit 77
fi
golden nested
on_terminal() { script -qec "stty cols 200; $*" /dev/null | tr -d '\r'; }
on_terminal TERM=xterm NO_COLOR= rangeline stats -q nested.rln | sed 's/\x1b/ESC/g'
on_terminal rangeline stats -q -r nvtx_sum nested.rln | grep -c "$(printf '\033')"
on_terminal LC_ALL=C rangeline stats -q -r self_sum nested.rln | grep '#'
on_terminal rangeline stats -q -r nvtx_sum --timeunit us nested.rln
on_terminal rangeline stats -q -r nvtx_pushpop_trace nested.rln # start times are never rounded
golden group # numbers with separators, except identifiers
on_terminal rangeline stats -q -r counter_sum group.rln
golden payloads
on_terminal rangeline stats -q -r payload_sum payloads.rln
# Lines are fitted to the width: names lose their middle, and summaries of any kind some
# columns, the least important ones first.
at_width() { script -qec "stty cols $1; rangeline stats -q -r $2" /dev/null | tr -d '\r'; }
golden rare
at_width 100 'mark_sum rare.rln'
at_width 90 'rank_sum nested.rln'
