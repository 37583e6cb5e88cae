# `merge` writes one file that gives the same results as the files together.
golden nested
golden startend
golden parts
rangeline merge -o both nested.rln startend.rln 2>&1 | tidy
rangeline print nested.rln startend.rln >apart
rangeline print both.rln >together
cmp apart together && echo 'the same'
rangeline merge -o both.rln nested.rln
echo "it exists: $?"
rangeline merge -f -o both.rln parts.rln startend.rln 2>&1 | tidy
rangeline merge -o twice nested.rln both.rln
echo "the same twice: $?"
rangeline merge -o none
echo "no trace: $?"
rangeline merge nested.rln
echo "no output: $?"
rangeline merge -o nowhere/x nested.rln
echo "no folder: $?"
rangeline merge -o x nested.rln /etc/passwd
echo "no trace: $?"
ls -A
