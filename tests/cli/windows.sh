# Commands list the windows of a trace, and --window K reads only one.
golden windows
rangeline info windows.rln | grep -E '^(window|events|unmatched)'
rangeline info --json windows.rln | grep -o '"windows":\[[^]]*\]'
rangeline print windows.rln
rangeline print --ranges --json windows.rln | grep resumed
echo "--- window 0"
rangeline print --tree --window 0 windows.rln
rangeline stats -f csv --window 0 windows.rln
echo "--- window 1"
rangeline print --window=1 windows.rln
rangeline stats -q -r nvtx_sum,category_sum -f csv --window 1 windows.rln
echo "--- window 2"
rangeline stats -q -r tree,mark_sum -f csv --window 2 windows.rln
# Windows are numbered across all files that are read.
golden nested
rangeline stats -q -r nvtx_sum -f csv --window 3 windows.rln nested.rln
# A window that does not exist.
rangeline stats --window 3 windows.rln
echo $?
rangeline print --window 1 nested.rln
echo $?
rangeline print --window first nested.rln
echo $?
