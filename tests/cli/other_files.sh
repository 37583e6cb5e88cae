# For files that are no trace, such as packed ones and Nsight's reports, errors name the
# command that makes them readable; exports of Nsight are read.
golden nested
echo report >run.nsys-rep
for packing in gz zst xz; do
    echo packed >nested.rln.$packing
    rangeline stats nested.rln.$packing
done 2>&1 | tidy
rangeline stats run.nsys-rep 2>&1 | tidy
rangeline stats missing.nsys-rep
if [[ $(rangeline export -t sqlite -o - nested.rln 2>&1) == *libsqlite3* ]]; then
    echo run_nvtx_sum.csv
else
    rangeline export -q -t sqlite -o run.sqlite nested.rln
    rm run.nsys-rep
    rangeline stats -q -r nvtx_sum --format csv -o . run.sqlite
    ls -- *.csv
fi
