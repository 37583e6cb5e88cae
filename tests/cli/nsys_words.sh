# What people type who know nsys, or who mistype, leads to what there is.
golden nested
refused() {
    echo "# rangeline $*"
    rangeline "$@" 2>&1
    echo "$?"
}
printf '#!/bin/sh\n' >my && chmod +x my && touch script.py
for verb in launch shutdown cancel 'sessions list' recipe record finalize import \
    stat profle pritn exprot infos ./my "$PWD/my" nested.rln missing.rln run.sqlite \
    script.py ls ./nosuch nonsense 'help launch'; do
    # shellcheck disable=SC2086 # words
    refused $verb | sed "s|$PWD|HERE|"
done

# Reports of data that is not recorded are left out with a note, the others printed.
for reports in osrt_sum,nvtx_sum cuda_x_unknown,nvtx_sum,um_sum:rows=5 \
    nvtx_sum,mpi_event_sum,osrtsum,khrdebugsum; do
    echo "# $reports"
    rangeline stats -f csv:nohdr -r "$reports" nested.rln 2>&1
done
refused stats -r osrt_sum nested.rln
refused stats -r openacc_sum,vulkan_marker_sum nested.rln
for report in nvtxsums cuda_gpu_kern_summ nosuch nvtx_pushpop umbrella; do
    refused stats -r "$report,nvtx_sum" nested.rln
done
# Formats and files belong to the reports that they were given for.
rangeline stats -r osrt_sum,nvtx_sum,mark_sum -f csv,json:nohdr,csv -o a,b,c nested.rln 2>&1 |
    tidy
ls b_* c_*

# A name that ends in .nsys-rep is that of a trace, for what reads it, too.
rangeline profile -o run.nsys-rep "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline profile -o 'report#.nsys-rep' "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline export -t json --separate-strings=true -o run.json run.nsys-rep 2>&1 | tidy
head -c 9 run.json
echo
rangeline stats -r nvtx_sum -f csv run.nsys-rep other.nsys-rep 2>&1
echo "$?"
touch old.nsys-rep
cp run.rln old.rln
rangeline info old.nsys-rep # that of Nsight's is there
echo "$?"
ls ./*.nsys-rep ./*.rln
