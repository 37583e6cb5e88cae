# Traces of every release are read as that release read them. tools/keep_traces keeps
# them. If events get new fields, UPDATE_KEPT=1 writes what is printed of them now.
for kept in "$here"/../kept/*/*.rln.gz; do
    expected=${kept%.rln.gz}.json.gz
    gunzip -c "$kept" >trace.rln
    rangeline print --json trace.rln >found
    [ -z "${UPDATE_KEPT:-}" ] || gzip -9n <found >"$expected"
    gunzip -c "$expected" | diff - found >differences ||
        { echo "${kept#"$here/../"}:" && head -n 20 differences; }
    rangeline check --fail-on damaged trace.rln >/dev/null || echo "$kept: $?"
done
