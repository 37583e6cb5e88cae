# Ranges that begin after the end of --filter-time, when earlier rows exactly fill their
# allocation. Each allocation is its own mapping here, so that it moves when it grows, and
# a stale pointer into it crashes.
words=()
for i in $(seq 300); do words+=(push "step$i" pop); done
rangeline profile -o many "$BIN/say" "${words[@]}" 2>/dev/null
rangeline stats -q -r nvtx_pushpop_trace -f csv many.rln >all
export MALLOC_MMAP_THRESHOLD_=1
for n in 1 16 32 64 128 256; do
    end=$(sed -n "$((n + 1))p" all | cut -d, -f2)
    for report in nvtx_pushpop_trace gaps outliers thread_sum process_sum; do
        timeout 60 rangeline stats -q -r $report -f csv --filter-time "/$end" many.rln >out 2>err
        echo "$report of $n: $?, $(grep -c . out) lines"
    done
done
