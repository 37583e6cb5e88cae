# What a program writes with the helpers of NVTXW's headers: marks, ranges and counters, in
# all forms. Ids are replaced by their order.
[ -x "$BIN/writer_helpers" ] || { echo "built without the collector" >&2; exit 77; }
NVTXW3_LIBRARY=$(rangeline --nvtxw-library) "$BIN/writer_helpers" || exit
ls
rangeline print --json helpers.rln | grep '"domain"' | sed -E \
    -e 's/"(t|pid|tid|counter|time_domain)":-?[0-9]+,?//g' -e 's/,?\}$/}/' \
    -e 's/"payloads":.*\],"deferred"/"deferred"/' -e 's/"deferred":true,//' |
    awk 'match($0, /"id":[0-9]+/) {
             id = substr($0, RSTART + 5, RLENGTH - 5)
             if (!(id in order)) order[id] = ++n
             sub(id, order[id])
         }
         { print }'
