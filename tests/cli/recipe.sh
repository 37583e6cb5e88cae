# A recipe makes a folder of the sums of a job: a page, and more; the same bytes wherever
# the traces were summed up.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed" >&2; exit 77; }
# shellcheck disable=SC2154 # of run.sh
export RANGELINE_PYTHON=$here/../../python/src/rangeline PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # of words for exec()
"$BIN/make_job" . 30
rm t00004.rln # two megabytes
cook() { rangeline recipe "$@" --format table,html; }
show() { # FOLDER: of a page, the texts
    sed -e '/<title>/d' -e '/<style>/,/<\/style>/d' -e 's/<svg.*<\/svg>//' -e 's/<\/t[dh]>/  /g' -e 's/<[^>]*>//g' "$1/index.html" | grep .
}

echo "--- what the command line lacks"
rangeline recipe
echo "exit $?"
rangeline recipe stragler step -o out t00000.rln
rangeline recipe soup -o out t00000.rln
for recipe in nvtx_pace nccl_sum cuda_gpu_kern_sum cuda_memcpy_async gpu_gaps tree \
    gpu_metric_util_map mpi_sum network_traffic_map; do
    rangeline recipe $recipe -o out t00000.rln
done
rangeline recipe rank_sum t00000.rln
rangeline recipe rank_sum -o out
rangeline recipe straggler -o out
rangeline recipe straggler -o out t00000.rln
rangeline recipe diff -o out t00000.rln
rangeline recipe rank_sum -o out -b t00000.rln t00001.rln
rangeline recipe rank_sum -o out --format xls t00000.rln
rangeline recipe rank_sum -o out --format html,notebook t00000.rln
rangeline recipe rank_sum -o out -j 0 t00000.rln
rangeline recipe rank_sum -o out 'nothing*'
rangeline recipe rank_sum -o out ''
rangeline recipe diff -o out -b '' t00000.rln
rangeline recipe pace '' -o out t00000.rln
rangeline recipe --help-recipes | tee recipes
rangeline recipe --help >help
while read -r name _; do
    grep -qw -e "$name" help || echo "$name is not in the help"
    [ -e "$RANGELINE_PYTHON/recipes/${name//-/_}.py" ] || echo "$name has no module"
done <recipes
ls -d out* 2>/dev/null

echo "--- each recipe"
cook rank_sum -o rank_sum 't*.rln'
show rank_sum
cook calls-differ -o calls-differ 't*.rln' | tail -n +2 | head -n 5
show calls-differ | head -n 2
cook straggler step -o straggler 't*.rln' | tail -n +2 | head -n 5
show straggler | head -n 2
cook pace step -o pace 't*.rln' | tail -n +2 | head -n 5
show pace | head -n 2
cook heatmap step -o heatmap 't*.rln' | tail -n +2 | head -n 5
show heatmap | head -n 2
grep -c 'href="data:image/png;base64,' straggler/index.html heatmap/index.html
mkdir before after gpu
"$BIN/make_job" before 12 0
"$BIN/make_job" after 14 1 # the same, with a range that is never closed
cook diff -o diff -b 'before/*' 'after/*'
show diff | sed -n '2p;/lacking/,/go on/p'
cook diff -o same -b 'before/*' 'before/*' | head -n 1
"$BIN/make_job" gpu 12 7
for recipe in gpu_util overlap nccl; do
    cook $recipe -o $recipe 'gpu/*' | tail -n +2 | head -n 5
    show $recipe | head -n 2
    rangeline recipe $recipe --format table 'before/*'
done

echo "--- traces and processes, which are no ranks"
mkdir unranked
"$BIN/make_job" unranked 3 4
for recipe in rank_sum calls-differ 'straggler step' 'pace step' 'heatmap step'; do
    # shellcheck disable=SC2086 # words
    rangeline recipe $recipe --format table 'unranked/*' | head -n 3
done
rangeline recipe diff -b 'unranked/*' --format table 'before/*'
rangeline recipe rank_sum --format table unranked/t00000.rln | head -n 1
rangeline stats -q -r straggler:step -f csv unranked/*.rln | cut -d , -f 8
rangeline stats -q -r straggler:step -f csv unranked/t00000.rln | cut -d , -f 8

echo "--- the same bytes"
for slice in 0 1 2; do
    rangeline reduce --slice $slice/3 --steps step -o p$slice 't*.rln' 2>/dev/null
done
cook straggler step -o of_sums p2.rlsum p0.rlsum p1.rlsum >/dev/null 2>&1
cook straggler step -j 3 -o of_both $(printf '%s\n' t*.rln | sed -n '2~3p;3~3p') p0.rlsum >/dev/null 2>&1
for made in straggler of_sums of_both; do
    grep -v '<pre>' $made/index.html >$made.page # commands have the inputs
done
cmp straggler.page of_sums.page && cmp straggler.page of_both.page && echo "the same page"
cook pace load -o of_load p0.rlsum
echo "exit $?"
rangeline reduce -o no_steps t00000.rln 2>/dev/null
cook pace step -o of_none no_steps.rlsum
mkdir odd
cp t00001.rln $'odd/two\nlines.rln'
rangeline recipe rank_sum --format table odd/*.rln t00000.rln | head -n 1

echo "--- commands have the inputs and the options"
commands() { # FOLDER
    sed -n 's/<pre>\(.*\)<\/pre>/\1/p' "$1/index.html" | sed "s/&#x27;/'/g"
}
commands of_sums
commands of_both
cook heatmap step --fold-numbers --name 'st*' -o copied t0000[01235].rln >/dev/null 2>&1
commands copied
cook diff -o copied_diff -b 'before/*' 'unranked/../after/*' >/dev/null 2>&1
commands copied_diff

echo "--- folders of traces, as nsys spells them"
mkdir folder
cp t0000[0-3].rln folder
rangeline recipe rank_sum --format table --input folder | head -n 1
rangeline recipe pace step --format table --input=folder t00006.rln | head -n 1
rangeline recipe pace --format table --input folder
rangeline recipe rank_sum --format table --input nothing

echo "--- filters, tables alone"
rangeline recipe rank_sum --name step --format table 't*.rln'
rangeline recipe rank_sum --name nothing --format table 't*.rln'
for name in nothing stepp 'halo 1' app:hallo; do
    cook pace "$name" -o named 't*.rln'
    echo "exit $?"
done
ls -d named* 2>/dev/null

echo "--- what is lacking"
echo nothing >broken.rln
cook rank_sum -o lacking t00000.rln t00001.rln broken.rln missing.rln
show lacking | sed -n '/lacking/,/go on/p'
cook rank_sum --strict -o strict t00000.rln broken.rln
echo "exit $?"
ls -d strict* 2>/dev/null

echo "--- folders"
cook rank_sum -o lacking t00000.rln
echo "exit $?"
cook rank_sum -f -o lacking t00000.rln | head -n 1
echo mine >lacking/notes.txt
cook rank_sum -f -o lacking t00000.rln
cat lacking/notes.txt
rm lacking/notes.txt
echo "mine" >lacking/index.html
cook rank_sum -f -o lacking t00000.rln
cat lacking/index.html
echo mine >file
cook rank_sum -f -o file t00000.rln
ln -s lacking link
cook rank_sum -f -o link t00000.rln
cook rank_sum -o no/such/folder nothing.rln
cook rank_sum -f -o . t00000.rln
cook rank_sum -o diff/../ t00000.rln
rangeline recipe rank_sum --format table -o file t00000.rln | head -n 1
rm lacking/index.html
touch lacking/rank_sum.ipynb lacking/steps.parquet # not of a recipe called steps
cook rank_sum -f -o lacking t00000.rln
ls lacking

echo "--- closed"
rangeline recipe rank_sum --format table t00000.rln >&-
echo "exit $?"
ls -A | grep part
true
