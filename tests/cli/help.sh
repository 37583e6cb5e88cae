# Every command prints its help on standard output, with an example.
rangeline --version | sed 's/[0-9.]*$/VERSION/'
for command in profile env stats view print info analyze diff check merge export completions; do
    rangeline $command --help >long
    rangeline $command -h >short
    rangeline help $command >help
    cmp long short && cmp long help
    grep -c -A 2 '^Example' long
    awk -v name=$command 'length > 80 { print name ": too wide: " $0 }
        /default: \)/ { print name ": no default: " $0 }' long
done
rangeline print --help
