# Noise does not fail a build. With one run per side, the variation between runs is unknown,
# so --fail-above fails only with --fail-on-one-run, whatever is compared; with several runs
# it fails without that. Where only the tail changed, the median's change is marked as noise.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
make_run() { # NAME DURATION-OF-CALL-i: an export with 400 ranges
    python3 - "$@" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
           " text TEXT, globalTid INTEGER, endGlobalTid INTEGER)")
db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
for i in range(400):
    start = i * 100_000
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,'step',?,NULL)",
               (start, start + int(eval(sys.argv[2])), 1 << 48 | 100 << 24 | 100))
db.commit()
END
}
make_run before.sqlite '10_000 + i * 7919 % 1000'
make_run slower.sqlite '14_000 + i * 7919 % 1000'
make_run again.sqlite '14_001 + i * 7919 % 1000'
make_run tail.sqlite '10_000 + (i + 1) * 7919 % 1000 + 5_000 * (i % 5 == 0)'
for on in median p95 total; do
    for limit in 0 5% 39%; do
        echo "--- $on, more than $limit"
        rangeline diff --on $on --fail-above $limit before.sqlite slower.sqlite 2>&1 | grep -c "does not fail"
        rangeline diff --on $on --fail-above $limit before.sqlite slower.sqlite >/dev/null 2>&1
        echo "one run: $?"
        rangeline diff --on $on --fail-above $limit --fail-on-one-run before.sqlite slower.sqlite >/dev/null 2>&1
        echo "on request: $?"
        rangeline diff --on $on --fail-above $limit -b before.sqlite slower.sqlite again.sqlite >/dev/null 2>&1
        echo "several runs: $?"
    done
done
echo "--- the tail alone"
rangeline diff before.sqlite tail.sqlite
rangeline diff --fail-above 0 --fail-on-one-run before.sqlite tail.sqlite
echo "the tail alone: $?"
echo "--- nothing has changed, and that is not certain"
rangeline diff before.sqlite before.sqlite 2>&1
echo "--- a warm-up does not hide that the rest is slower"
make_run warm.sqlite '50_000 if i < 40 else 10_000 + i * 7919 % 1000'
make_run warm_slower.sqlite '50_000 if i < 40 else 14_000 + i * 7919 % 1000'
rangeline diff warm.sqlite warm_slower.sqlite
echo "--- all runs are slower, and one is slower still"
for i in 1 2 3; do
    make_run before$i.sqlite "10_000 + $i + i * 7919 % 1000"
    make_run after$i.sqlite "13_000 + $i + 3_000 * ($i == 2) + i * 7919 % 1000"
    make_run scattered$i.sqlite "10_000 + [1_000, 4_000, 2_000][$i - 1] + i * 7919 % 1000"
done
rangeline diff --fail-above 5% -b before1.sqlite -b before2.sqlite -b before3.sqlite after?.sqlite
echo "$?"
echo "--- it cannot be told"
rangeline diff --fail-above 5% -b before1.sqlite -b before2.sqlite -b before3.sqlite scattered?.sqlite 2>&1
echo "$?"
echo "--- the middle is slower and the tail faster: the verdict is of what is compared"
make_run split_before.sqlite '(40_000 if i % 12 == 0 else 10_000) + i * 7919 % 500'
make_run split_after.sqlite '(30_000 if i % 12 == 0 else 13_000) + i * 7919 % 500'
make_run split_again.sqlite '(30_000 if i % 12 == 0 else 13_001) + i * 7919 % 500'
for on in median p95 total; do
    rangeline diff --on $on -b split_before.sqlite split_after.sqlite split_again.sqlite | tail -n 1
    rangeline diff --on $on --fail-above 5% -b split_before.sqlite split_after.sqlite split_again.sqlite >/dev/null
    echo "$?"
done
echo "--- the middle is slower, and the 95th percentile shorter by chance"
make_run one_before.sqlite '(14_000 if i % 5 == 0 else 10_000) + i * 7919 % 500'
make_run one_after.sqlite '(13_980 if i % 5 == 0 else 13_000) + i * 7919 % 500'
rangeline diff --on p95 one_before.sqlite one_after.sqlite 2>/dev/null | tail -n 1
