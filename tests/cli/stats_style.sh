# Arguments after a format's name: no header, plain numbers, widths, units.
golden nested
rangeline stats -q -r nvtx_sum -f column:nohdr:nofmt nested.rln
rangeline stats -q -r nvtx_sum -f column:nolimit:0:.:0:6:0:0:0:0:0:4 nested.rln
rangeline stats -q -r nvtx_sum -f table:nohdr:6:.:0:0:0:0:0:0:.:3 nested.rln
rangeline stats -q -r nvtx_sum -f csv:nohdr:time=us nested.rln
rangeline stats -q -r nvtx_sum -f .:time=ms:nohdr nested.rln
rangeline stats -q -r nvtx_sum -f json:nohdr nested.rln | head -n 2
for format in csv:wat column:20000 column:nohdr: csv:time=weeks cvs:nohdr; do
    rangeline stats -f $format nested.rln
    echo "$format: $?"
done
# A filter that matches nothing is no error unless requested.
rangeline stats -q -f csv --filter-time 900s/ nested.rln
echo $?
rangeline stats -q -f csv --filter-time 900s/ --strict nested.rln
echo $?
rangeline stats -q -r nvtx_sum -f csv:nohdr --strict nested.rln
echo $?
