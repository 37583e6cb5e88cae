# Without a file argument, the newest trace in the folder is used and named.
golden gap
golden nested
touch -d '2020-01-01' gap.rln
rangeline print | head -n 3
rangeline info | tidy | head -n 1
rangeline stats -r tree | head -n 1
rm -- *.rln
rangeline print
