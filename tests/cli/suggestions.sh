# Another name for a range that does not exist, and folded names where that helps.
{ for i in $(seq 25); do echo "push step $i"; echo pop; done; } >calls
# shellcheck disable=SC2046
rangeline profile -o steps "$BIN/say" $(sed 's/step /step_/' calls) 2>/dev/null
golden pace
echo "--- a report of a range"
for name in stepp nosuch 'step_#'; do
    rangeline stats -q -r "pace:$name" -f csv pace.rln
    rangeline stats -q -r "straggler:$name" -f csv steps.rln
done
rangeline stats -q --fold-numbers -r 'histogram:step_#' -f csv steps.rln | wc -l
echo "--- diff"
rangeline diff steps.rln steps.rln | sed -n 1p
