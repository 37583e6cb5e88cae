# Input files are never overwritten, whatever their name, with and without -f.
golden nested
golden startend
cp nested.rln before
ln nested.rln hard.csv
ln -s nested.rln soft.html
ln -s nested.rln run_nvtx_sum.csv
rangeline export -q -t csv -f -o nested.rln nested.rln
echo "itself: $?"
rangeline export -q -t chrome -f -o hard.csv startend.rln nested.rln
echo "another name of the second: $?"
rangeline merge -f -o nested.rln nested.rln
echo "merged: $?"
rangeline view -f --html soft.html nested.rln
echo "a page: $?"
rangeline stats -q --force-overwrite -r nvtx_sum -o run nested.rln
echo "a report: $?"
cmp before nested.rln && echo 'as it was'
ls -A
