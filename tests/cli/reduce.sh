# `reduce` sums up traces and merges sums; `stats` prints them as it prints the traces.
"$BIN/make_job" . 30
reports=nvtx_sum,nvtx_pushpop_sum,nvtx_startend_sum,tree,rank_sum
rangeline reduce -o all './t*.rln' 2>&1 | tidy
rm t00004.rln # more ranges of a name than are kept one by one
rangeline reduce -o few t*.rln 2>/dev/null
for format in csv json; do
    rangeline stats -q -r $reports -f $format t*.rln >traces
    rangeline stats -q -r $reports -f $format few.rlsum >sums
    cmp traces sums && echo "$format: the same"
done
"$BIN/make_job" . 30

echo "--- slices, lists and trees"
ls t*.rln | tac >list
for slice in 0 1 2 3; do
    rangeline reduce --slice $slice/4 -o p$slice @list 2>/dev/null
done
rangeline reduce -o left p3.rlsum p1.rlsum 2>/dev/null
rangeline reduce -o tree p0.rlsum left.rlsum p2.rlsum 2>/dev/null
cmp tree.rlsum all.rlsum && echo "the same bytes"
rangeline reduce -o mixed p[0-2].rlsum $(sed -n '4~4p' list) 2>/dev/null
cmp mixed.rlsum all.rlsum && echo "the same bytes"
rangeline stats -q -r rank_sum p?.rlsum >together
rangeline stats -q -r rank_sum all.rlsum >whole
cmp together whole && echo "the same table"
for launcher in 'SLURM_PROCID=1 SLURM_NTASKS=4' \
    'OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=1' \
    'PMI_RANK=1 PMI_SIZE=4'; do
    env $launcher TASK=1 rangeline reduce --slice auto -f -o 'auto%q{TASK}.rlsum' @list 2>/dev/null
    cmp auto1.rlsum p1.rlsum && echo "the same slice"
done
for jobs in 1 2 7 64; do
    rangeline reduce -j $jobs -f -o jobs @list 2>/dev/null
    cmp jobs.rlsum all.rlsum && echo "the same with $jobs"
done
rangeline reduce -o - p0.rlsum 2>/dev/null | cmp - p0.rlsum && echo "copied"
rangeline reduce -j 0 -o nothing @list
rangeline reduce -j 2 -f -o both p?.rlsum 2>/dev/null
cmp both.rlsum all.rlsum && echo "the same"
rm both.rlsum
rangeline reduce -j 2 -o both p1.rlsum p1.rlsum >/dev/null 2>&1 || echo "refused: $?"
rangeline reduce --slice 39/40 -o none @list 2>&1 | tidy

echo "--- which traces there are"
TZ=UTC rangeline info tree.rlsum | head -n 12
TZ=UTC rangeline info p[12].rlsum p0.rlsum p3.rlsum >together 2>/dev/null
TZ=UTC rangeline info tree.rlsum 2>/dev/null | cmp - together && echo "the same list"
rangeline info --json p1.rlsum | head -n 3

echo "--- what the default reports are"
rangeline reduce -o two t0000[01].rln 2>/dev/null
rangeline stats two.rlsum
mkdir gpu
"$BIN/make_job" gpu 2 7
rangeline reduce -o gpu gpu/*.rln 2>/dev/null
rangeline stats gpu.rlsum 2>/dev/null | grep '\*\*'
rangeline stats -q -r nvtx_sum,pace,tree:thread -f csv two.rlsum
rangeline stats -q -r pace two.rlsum
rangeline stats --name step two.rlsum
echo "exit $?"
rangeline stats two.rlsum t00002.rln
echo "exit $?"
rangeline print two.rlsum
echo "exit $?"
rangeline stats -q -r nvtx_sum -f csv all.rlsum
rangeline stats -q -r nvtx_startend_sum -f csv -o . all.rlsum && ls all_*
rangeline all.rlsum

echo "--- what time was made of"
for trace in switches newest_switches clocks deferred; do
    golden $trace
    rangeline reduce -o of_$trace $trace.rln 2>/dev/null
    for report in cpu_sum tree:cpu rank_sum:cpu; do
        rangeline stats -q -r $report -f csv $trace.rln >traces 2>/dev/null
        rangeline stats -q -r $report -f csv of_$trace.rlsum 2>/dev/null | cmp - traces && wc -l <traces
    done
done
rangeline stats -q -r cpu_sum,rank_sum:cpu of_switches.rlsum two.rlsum

echo "--- steps"
rangeline stats -q -r straggler:step -f csv t0000[0-3].rln | tee traces
rangeline reduce --steps step -o steps0 t0000[02].rln 2>/dev/null
rangeline reduce --steps step -o steps1 t0000[31].rln 2>/dev/null
rangeline stats -q -r straggler -f csv steps?.rlsum >sums
cmp traces sums && echo "the same"
rangeline stats -q -r step_trace:step -f csv t0000[0-3].rln >traces
rangeline stats -q -r step_trace -f csv steps?.rlsum | tee sums | head -3
cmp traces sums && echo "the same"
rangeline stats -q -r step_trace:step -f csv t0000[02].rln >traces
for order in "0 2" "2 0"; do # the trace that begins earlier is the first by name, or not
    mkdir begins
    cp t0000${order% *}.rln begins/a.rln
    cp t0000${order#* }.rln begins/b.rln
    rangeline reduce --steps step -o begins/both begins/*.rln 2>/dev/null
    rangeline stats -q -r step_trace -f csv begins/both.rlsum | cmp traces - && echo "the same from the earlier one"
    rm -r begins
done
rangeline stats -q -r straggler:load steps?.rlsum
rangeline stats -q -r straggler two.rlsum
rangeline reduce -j 1 -o steps2 steps0.rlsum t0000[13].rln
rangeline reduce -j 1 -o steps3 steps[01].rlsum
rangeline reduce -j 3 -f -o steps2 steps0.rlsum t0000[13].rln 2>/dev/null
cmp steps2.rlsum steps3.rlsum && echo "the same bytes"
rangeline reduce -j 1 -o steps4 steps0.rlsum two.rlsum
rangeline reduce -j 1 --steps stpe -o typo t0000[02].rln # says so, as does a merge
rangeline reduce -j 1 --steps step --name load -o typo2 t0000[02].rln
rangeline reduce -j 1 -o typo3 typo.rlsum
rangeline reduce -j 1 --steps stpe -o typo4 --slice 39/40 t0000[02].rln
rm steps?.rlsum typo*

echo "--- refusals"
rangeline reduce -j 1 -o twice two.rlsum p0.rlsum t00001.rln
echo "exit $?"
rangeline reduce --name step -o steps t00002.rln 2>/dev/null
rangeline reduce -j 1 -o both two.rlsum steps.rlsum
rangeline reduce -o both --fold-numbers two.rlsum
rangeline reduce -o both --name step --name step steps.rlsum t00003.rln 2>&1 | tidy
head -c 200 two.rlsum >cut.rlsum
rangeline reduce -o both2 cut.rlsum
rangeline stats cut.rlsum
printf 'RLNSUM\r\n\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >newer.rlsum
rangeline stats newer.rlsum
rangeline reduce -o two t00005.rln
rangeline reduce -f -o t00005.rln t00005.rln
rangeline reduce -o x --slice 4/4 t00005.rln
rangeline reduce -o x --slice auto t00005.rln
rangeline reduce -o x 'nothing*'
rangeline reduce -o x @nothing
printf '\r\n\n' >empty
rangeline reduce -o x @empty
echo "exit $?"
sed 's/$/\r/' list >windows
rangeline reduce -o x.crlf @windows 2>/dev/null
cmp x.crlf all.rlsum && rm x.crlf && echo "the same from a list with CR LF"
rangeline reduce -o 'x%q{UNSET_VARIABLE}' t00005.rln
rangeline reduce t00005.rln
rangeline reduce -o x
ls x* both2* 2>/dev/null

echo "--- traces that cannot be read"
cp t00001.rln damaged.rln
printf '\377\377\377\377\377\377\377\377' | dd of=damaged.rln bs=1 seek=82100 conv=notrunc 2>/dev/null
echo nothing >broken.rln
rangeline reduce -o lacking t00000.rln broken.rln missing.rln damaged.rln 2>&1 | tidy
rangeline stats -q -r nvtx_startend_sum -f csv lacking.rlsum
rangeline reduce --strict -o strict t00000.rln broken.rln
echo "exit $?"
rangeline reduce --strict -o strict damaged.rln
echo "exit $?"
cp t00000.rln double.rln
truncate -s %64K double.rln
cat t00000.rln >>double.rln
rangeline reduce -o strict double.rln
echo "exit $?"
rangeline reduce -o strict broken.rln missing.rln
echo "exit $?"
ls strict* 2>/dev/null

echo "--- windows in files of their own"
rangeline profile -o whole -c nvtx -p s --split "$BIN/say" mark a push s mark b pop mark c 2>/dev/null
rangeline reduce -o window whole.1.rln 2>/dev/null
rangeline reduce -o windows whole.rln window.rlsum 2>&1 | grep note
rangeline stats -q -r tree windows.rlsum 2>&1 | grep note

echo "--- limits"
"$BIN/make_job" . 200
(
    ulimit -n 64
    rangeline reduce -o many './t*.rln' 2>&1 | tidy
)
(
    grep -q __asan_init "$BIN/rangeline" || ulimit -v 20000 # sanitizers need more
    rangeline reduce -j 1 -o little './t*.rln' 2>&1 | tidy
)
ls -A | grep part
true
