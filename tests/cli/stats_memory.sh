# The memory of reports that list single ranges does not grow with their number.
grep -q __asan_init "$BIN/rangeline" && echo "sanitizers need memory of their own" >&2 && exit 77
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
rangeline profile -o many "$BIN/many_ranges" 1000000 2>/dev/null
# Of 128 MiB, an eighth is for arrays that could be in a file.
peak_kib() (
    ulimit -d 131072
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
)
for report in thread_sum process_sum gaps outliers nvtx_pushpop_trace startend_trace; do
    kib=$(peak_kib rangeline stats -q -r $report -f csv many.rln)
    if [ "$kib" -lt 71680 ]; then echo "$report: less than 70 MiB"; else echo "$report: $kib KiB"; fi
done
for format in column json hdoc; do
    kib=$(peak_kib rangeline stats -q -r nvtx_pushpop_trace -f $format many.rln)
    [ "$kib" -lt 71680 ] || echo "$format: $kib KiB"
done
kib=$(peak_kib rangeline stats -q -r nvtx_pushpop_trace -f csv -o file many.rln)
[ "$kib" -lt 71680 ] || echo "file: $kib KiB"
echo Lines of it:
rangeline stats -q -r nvtx_pushpop_trace -f csv many.rln | tee printed | wc -l
cmp printed file_nvtx_pushpop_trace.csv
# In the order of starts, the shortest first.
awk -F, 'NR > 2 && ($1 < start || $1 == start && $2 < end) { n++ } { start = $1; end = $2 } END { print n + 0, "out of order" }' printed

# Without room for temporary files, the command ends with that error.
(
    ulimit -d 131072
    TMPDIR=$PWD/none rangeline stats -q -r thread_sum many.rln
)
