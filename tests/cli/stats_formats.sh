# `stats` prints machine-readable formats, and writes files.
golden startend
for format in table csv tsv json; do
    rangeline stats -q -r nvtx_sum -f $format startend.rln
done
rangeline stats -q -r tree -f csv startend.rln # it has no push/pop ranges
rangeline stats -q -r nvtx_sum -f csv --timeunit us startend.rln
golden nested
rangeline stats -q -r tree -f csv -o - nested.rln
rangeline stats -o sums nested.rln
rangeline stats -q -f json -o . nested.rln
rangeline stats -q -r tree -o sums nested.rln
rangeline stats -q -r tree -f json --force-overwrite -o sums nested.rln
head -n 2 ./*.csv
ls
rangeline stats -q -o nosuch/sums nested.rln
