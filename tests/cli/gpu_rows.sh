# `stats -r gpu_util,nccl_sum` of traces, and of their sums: the same rows.
"$BIN/make_job" . 3 7
rangeline stats -r gpu_util,nccl_sum t*.rln
for i in 0 1 2; do
    rangeline reduce -o p$i t0000$i.rln 2>/dev/null
done
rangeline reduce -o all p2.rlsum t00000.rln p1.rlsum 2>&1 | tidy
for format in csv json; do
    rangeline stats -q -r gpu_util,nccl_sum -f $format t*.rln >traces 2>/dev/null
    rangeline stats -q -r gpu_util,nccl_sum -f $format all.rlsum >sums 2>/dev/null
    cmp traces sums && echo "$format: the same"
done
rangeline stats -q -r gpu_util -f csv all.rlsum

echo "--- one trace"
rangeline stats -q -r gpu_util -f csv t00001.rln
rangeline stats -q -r gpu_util -f csv p1.rlsum

echo "--- a part of it"
rangeline stats -q -r gpu_util,nccl_sum -f csv --filter-time 100ns/1300ns t00000.rln
for filter in '--name nccl*' '--name copy' '--domain NCCL'; do
    echo "$filter:"
    # shellcheck disable=SC2086 # words
    rangeline stats -q -r gpu_util,nccl_sum -f csv $filter t*.rln 2>/dev/null | tee traces
    # shellcheck disable=SC2086
    rangeline reduce $filter -f -o part t*.rln 2>/dev/null
    rangeline stats -q -r gpu_util,nccl_sum -f csv part.rlsum 2>/dev/null | cmp - traces
done

echo "--- nothing of it"
"$BIN/make_job" . 1 0
rangeline stats -q -r gpu_util,nccl_sum t00000.rln
rangeline reduce -f -o none t00000.rln 2>/dev/null
rangeline stats -q -r gpu_util,nccl_sum none.rlsum
