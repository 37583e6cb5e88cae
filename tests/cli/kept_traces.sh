# Traces and sums of every release are read as that release read them. tools/keep_traces
# keeps them. If events get new fields, UPDATE_KEPT=1 writes what is printed of them now.
same() { # WORD...: prints of trace what $expected has
    "$@" "$trace" >found
    [ -z "${UPDATE_KEPT:-}" ] || gzip -9n <found >"$expected"
    gunzip -c "$expected" | diff - found >differences ||
        { echo "${kept#"$here/../"}:" && head -n 20 differences; }
}
for kept in "$here"/../kept/*/*.rl*.gz; do
    trace=$(basename "$kept" .gz) expected=${kept%.rl*.gz}.json.gz
    gunzip -c "$kept" >"$trace"
    if [ "$trace" = "${trace%.rlsum}" ]; then
        same rangeline print --json
        rangeline check --fail-on damaged "$trace" >/dev/null || echo "$kept: $?"
    else
        same rangeline stats -q -f json
    fi
done
