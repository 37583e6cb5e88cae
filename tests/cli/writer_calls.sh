# A writer's clocks, enums, resources and streams: ranges begin and end where the
# relations of their clocks put them, each in the scope of its stream.
[ -x "$BIN/writer_calls" ] || { echo "built without the collector" >&2; exit 77; }
"$BIN/writer_calls" || exit
ls
rangeline print ./*.rln | grep -o 'resource  .*' | sed 's/  */ /g'
rangeline print --ranges --json ./*.rln |
    sed -E 's/.*"start":([0-9]+),"end":([0-9]+),.*"message":"([^"]*)".*"stream":("[^"]*").*"color":("?[a-z0-9]*"?),.*/\3: \1 \2 \5 \4/' |
    awk '!first { first = $3 } { print $1, $2, $3 - first, $4 - first, $5, $6 }'
