# OTF2's library cannot continue after a failed write, so it is abandoned with its
# memory. No incomplete folder remains.
if rangeline export -t otf2 -o - none.rln 2>&1 | grep -q libotf2; then
    echo 'libotf2 is not installed' >&2
    exit 77
fi
rangeline profile -o many "$BIN/say" ranges 300000 2>/dev/null
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
trap '' XFSZ
(ulimit -f 1000 && exec rangeline export -q -t otf2 -o full many.rln) 2>&1 |
    sed 's/: POSIX: .*//'
echo "${PIPESTATUS[0]}"
ls -A
