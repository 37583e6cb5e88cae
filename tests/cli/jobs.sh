# Results are the same bytes on any number of processors, also of a damaged trace.
rangeline profile -o many "$BIN/many_ranges" 300000 2>/dev/null
size=$(wc -c <many.rln)
head -c $((size / 2 + 5)) many.rln >half.rln
cp many.rln scratched.rln
printf '\377\377\377\377\377\377\377\377' |
    dd of=scratched.rln bs=8 seek=$((size / 24)) conv=notrunc status=none
for trace in many half scratched; do
    for n in 1 2 7; do
        rangeline stats -j $n $trace.rln >$trace.$n 2>&1
        rangeline stats -q --jobs $n -r nvtx_sum,tree:thread -f json $trace.rln >>$trace.$n 2>&1
        rangeline analyze -j $n --json $trace.rln >>$trace.$n 2>&1
        rangeline info -j $n $trace.rln >>$trace.$n 2>&1
        cmp $trace.1 $trace.$n
    done
done
grep -c 'could not be read' half.7 scratched.7

# More than there are chunks, and what makes no sense.
golden nested
rangeline stats -q -j 256 -r nvtx_sum -f csv nested.rln
rangeline stats -j 0 nested.rln
rangeline stats -j 257 nested.rln
rangeline stats -j all nested.rln
