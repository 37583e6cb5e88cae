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
on_terminal rangeline stats -q -r nvtx_sum --timeunit us nested.rln
on_terminal rangeline stats -q -r nvtx_pushpop_trace nested.rln # start times are never rounded
golden group # numbers with separators, except identifiers
on_terminal rangeline stats -q -r counter_sum group.rln
golden payloads
on_terminal rangeline stats -q -r payload_sum payloads.rln
golden rare # names are cut to the width
script -qec "stty cols 100; rangeline stats -q -r mark_sum rare.rln" /dev/null | tr -d '\r'
