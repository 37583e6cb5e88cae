# Commands that read traces find those of a quoted pattern and of a list, as one, and the
# commands that they print find just the same ones.
mkdir job
"$BIN/make_job" job 6
printf '%s\n' job/t0000[0-5].rln >list
for command in "stats -r nvtx_sum -f csv" check print "info --json" "export -t csv -o -"; do
    # shellcheck disable=SC2086
    for files in "'job/t*.rln'" @list; do
        eval "rangeline $command $files" >found 2>&1
        eval "rangeline $command job/*.rln" >named 2>&1
        cmp found named && echo "$command $files: the same"
    done
done
rangeline merge -o all.rln 'job/*.rln' 2>&1 | tidy
rangeline diff job/t00000.rln job/t00001.rln >named
rangeline diff '*/t00000.rln' '*/t00001.rln' | cmp - named && echo "diff: the same"
rangeline diff 'job/t0000[0-2].rln' 'job/t0000[3-5].rln' >found
rangeline diff -b job/t00000.rln -b job/t00001.rln -b job/t00002.rln \
    job/t00003.rln job/t00004.rln job/t00005.rln | cmp - found && echo "sides: the same"

next() { rangeline analyze "$@" | sed -n 's/^  next: rangeline stats -r [^ ]* //p' | head -1; }
echo "all: $(next job/*.rln)"
echo "three: $(next job/t0000[3-5].rln)"
echo "others lie between: $(next job/t0000[0-2].rln job/t0000[45].rln)"
echo "another order: $(next job/t0000[3-5].rln job/t0000[0-2].rln)"
mkdir 'a b'
cp job/*.rln 'a b'
echo "spaces: $(next 'a b'/*.rln)"
mkdir '[j]'
cp job/*.rln '[j]'
echo "a pattern's character: $(next '[j]'/*.rln | wc -w) words"

rangeline stats 'none*'
rangeline stats @none
: >empty
rangeline stats @empty
printf '\njob/t00000.rln\r\nhello\n' >wrong
rangeline stats @wrong
rangeline diff job/t00000.rln @wrong
rangeline stats @/dev/zero # it has no end
true
