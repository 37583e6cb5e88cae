# Without a file the newest trace of the folder is taken, and that is said.
golden gap
golden nested
touch -d '2020-01-01' gap.rln
rangeline print | head -n 3
rangeline info | tidy | head -n 1
rangeline stats -r tree | head -n 1
rm -- *.rln
rangeline print
