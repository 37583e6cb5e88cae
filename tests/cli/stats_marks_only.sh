# In a trace without ranges, the usual reports are empty and suggest others.
rangeline profile -o t "$BIN/filler" 3 >/dev/null 2>&1
rangeline stats t.rln | sed "s,: [0-9.]* [nu]s,: T,"
echo "--- asked for"
rangeline stats -r nvtx_sum t.rln
