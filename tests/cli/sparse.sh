# Reading a sparse trace of a terabyte takes only as long as its data.
rangeline profile -o t "$BIN/say" mark a 2>/dev/null
mv t.rln large.rln
rangeline profile -o t "$BIN/say" mark a 2>/dev/null
truncate -s 1T large.rln 2>/dev/null || { echo "this file system has no files of 1 TiB" >&2; exit 77; }
timeout 60 rangeline print large.rln | grep -c ' mark *a'
timeout 60 rangeline merge -o both.rln large.rln t.rln 2>&1 | sed 's/: .*,/: SIZE,/'
timeout 60 rangeline print both.rln 2>&1 | grep -c ' mark '
[ "$(($(stat -c %b both.rln) * 512))" -lt 10000000 ] && echo small
rangeline stats -q -r mark_sum -f csv:nohdr large.rln | cut -d, -f1,8
