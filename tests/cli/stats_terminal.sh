# On a terminal: fitting units, bars, and a header in bold unless NO_COLOR says no.
if ! command -v script >/dev/null; then
    echo 'script is not installed' >&2
    exit 77
fi
golden nested
on_terminal() { script -qec "stty cols 200; $*" /dev/null | tr -d '\r'; }
on_terminal TERM=xterm NO_COLOR= rangeline stats -q nested.rln | sed 's/\x1b/ESC/g'
on_terminal rangeline stats -q -r nvtx_sum nested.rln | grep -c "$(printf '\033')"
on_terminal rangeline stats -q -r nvtx_sum --timeunit us nested.rln
