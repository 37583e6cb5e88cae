# On a terminal with a known size, long output goes to a pager.
golden nested
golden slower_pace
rangeline profile -o big "$BIN/say" many 100000 2>/dev/null
export TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8
on_screen() { # COMMAND: in a terminal of ten lines
    python3 "$here/in_terminal.py" -- sh -c "stty rows 10 cols 120; $1"
}
export RANGELINE_PAGER='sed "s/^/paged: /"'
on_screen 'rangeline stats -q -r nvtx_sum nested.rln'
on_screen 'rangeline print nested.rln | sed -n 1p' # no pager for a pipe
on_screen 'rangeline diff nested.rln slower_pace.rln; echo "status $?"' | grep -c paged
on_screen 'rangeline check --fail-on note nested.rln; echo "status $?"' | tail -n 3
on_screen 'rangeline info nosuch.rln; echo "status $?"'
on_screen 'RANGELINE_PAGER="head -n 1" rangeline print slower_pace.rln; echo "status $?"'
on_screen 'RANGELINE_PAGER=true rangeline print big.rln; echo "status $?"'
on_screen 'RANGELINE_PAGER= rangeline print nested.rln | sed -n 1p'
on_screen 'RANGELINE_PAGER= PAGER=nosuch rangeline stats -q -r nvtx_sum nested.rln | grep -c step'
on_screen 'TERM=dumb rangeline print nested.rln' | sed -n 1p
on_screen 'stty rows 0; rangeline print nested.rln' | sed -n 1p
unset RANGELINE_PAGER
on_screen 'PAGER=cat rangeline print nested.rln' | sed -n 1p
on_screen 'PAGER="sed s/^/other:/" rangeline print nested.rln' | sed -n 1p

# On a narrow terminal, less important columns are omitted and names shortened, paths at
# the front.
export RANGELINE_PAGER=
on_narrow() { # COLUMNS COMMAND
    python3 "$here/in_terminal.py" -- sh -c "stty rows 50 cols $1; $2"
}
for columns in 100 80 60 40; do
    on_narrow $columns 'rangeline stats -q -r nvtx_sum nested.rln'
done
on_narrow 60 'rangeline diff --all nested.rln slower_pace.rln 2>/dev/null'
golden deep_nested
on_narrow 70 "rangeline diff --all deep_nested.rln deep_nested.rln 2>/dev/null" | sed -n 1,8p

on_narrow 60 'rangeline stats -q -r nvtx_sum nested.rln | cat' # a pipe has no width

# Help is as wide as the terminal.
for columns in 70 100 200; do
    on_narrow $columns 'rangeline profile --help' | awk '{ if (length > most) most = length } END { print most }'
done
