# 200 traces, synthetic and recorded, of finished and killed programs, and an import: the
# same bytes for any order, split and tree, also after a worker was killed.
"$BIN/make_job" . 190
for i in 0 1 2; do
    rangeline profile -o real$i "$BIN/many_ranges" 1000 >/dev/null 2>&1
    rangeline profile -o killed$i sh -c '"$0" 1000; kill -9 $$' "$BIN/many_ranges" >/dev/null 2>&1
    (
        rangeline profile -o orphan$i sh -c '"$0" 1000; kill -9 $PPID' "$BIN/many_ranges"
        true # the shell says that it was killed
    ) >/dev/null 2>&1
    rangeline export -q -o import$i.sqlite real$i.rln
    SLURM_PROCID=$((500 + i)) rangeline profile -o rank$i "$BIN/many_ranges" 10 >/dev/null 2>&1
done
cp t00000.rln left.rln
truncate -s 70000 left.rln # a copy that was cut off: the same id
mv left.rln ..
ls ./*.rln ./*.sqlite >list
wc -l <list
rangeline reduce -o serial @list 2>/dev/null
rangeline reduce -o none ../left.rln t00000.rln 2>/dev/null || echo "twice is refused"

RANDOM=7
for round in 1 2 3 4 5 6 7 8; do
    rm -f part*.rlsum
    n=$((RANDOM % 12 + 1))
    shuf --random-source=<(yes $round) list >shuffled
    split -n l/$n -d -a 3 shuffled share.
    for share in share.*; do # some as slices of their own
        if ((RANDOM % 2)); then
            rangeline reduce -o part$share-0.rlsum --slice 0/2 @$share 2>/dev/null &
            rangeline reduce -o part$share-1.rlsum --slice 1/2 @$share 2>/dev/null
            wait
        else
            rangeline reduce -o part$share.rlsum @$share 2>/dev/null
        fi
    done
    rm share.*
    while (($(ls part*.rlsum | wc -l) > 1)); do # merges up to four at random
        mapfile -t some < <(ls part*.rlsum | shuf --random-source=<(yes $RANDOM) | head -n $((RANDOM % 3 + 2)))
        rangeline reduce -o partly.new.rlsum "${some[@]}" 2>/dev/null || exit
        rm "${some[@]}"
        mv partly.new.rlsum part$RANDOM$RANDOM.rlsum
    done
    cmp part*.rlsum serial.rlsum && echo "round $round: the same"
done

# A killed worker leaves nothing that a merge would take.
rangeline reduce -o killed @list 2>/dev/null &
{ kill -9 $!; wait $!; } 2>/dev/null
[ -e killed.rlsum ] && ! cmp killed.rlsum serial.rlsum
rm -f killed.rlsum .killed*
rangeline reduce -o killed @list 2>/dev/null
cmp killed.rlsum serial.rlsum && echo "again: the same"

mapfile -t all <list
for report in nvtx_pushpop_sum nvtx_startend_sum tree rank_sum; do
    case $report in # without medians, which are rough
    nvtx*) columns=1-4,6- ;;
    *) columns=1- ;;
    esac
    rangeline stats -q -r $report -f csv "${all[@]}" 2>/dev/null | cut -d, -f$columns >traces
    rangeline stats -q -r $report -f csv serial.rlsum 2>/dev/null | cut -d, -f$columns >sums
    cmp traces sums && echo "$report: the same"
done
