# `analyze` says what costs time, how much could be won, where to look, and what speaks
# against it; --baseline and --fail-on make it a gate; wrong words have a way out.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
for fault in clean outliers periodic-stall never-closed; do
    python3 "$here/analyze_runs.py" $fault 1 $fault.sqlite
done
python3 "$here/analyze_runs.py" straggler 1 r0.sqlite r1.sqlite r2.sqlite r3.sqlite
rangeline analyze clean.sqlite
rangeline analyze outliers.sqlite
rangeline analyze -r warm-up,outliers,periodic-stall periodic-stall.sqlite
rangeline analyze -r never-closed never-closed.sqlite
rangeline analyze -r straggler r?.sqlite
echo "--- a long tail inside a step is a part of what is found about the step"
python3 "$here/analyze_runs.py" long-tail 1 long-tail.sqlite
rangeline analyze -r outliers,long-tail long-tail.sqlite
rangeline analyze -r long-tail long-tail.sqlite | head -n 3
steps() { # NAME STEPS OWN READ: so many steps, of OWN ns outside all ranges inside, around read and solve
    python3 - "$here" "$@" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run, t, own, read = Run(sys.argv[2]), 1_000, *(compile(each, each, "eval") for each in sys.argv[4:])
for i in range(int(sys.argv[3])):
    first = t + 500
    middle = first + eval(read) + i * 7919 % 100
    end = middle + 300_000 + i * 7907 % 100
    run.add("step", t, end + eval(own))
    run.add("read", first, middle)
    run.add("solve", middle, end)
    t = end + eval(own) + 100
run.close()
END
}
cause() { rangeline analyze "$@" | grep -e '^note' -e '^warning' -e '^  cause' -e '^    a busy' -e '^  inside' -e '^[0-9]* finding'; }
echo "--- the cause may be the step itself"
steps own.sqlite 400 '3_000_000 if i in (13, 87, 240, 300) else 2_000' 100_000
cause --fail-on warning own.sqlite
rangeline analyze --fail-on warning own.sqlite >/dev/null; echo "$?"
rangeline analyze --json own.sqlite | grep -o '"cause":{[^}]*}'
steps mostly-own.sqlite 100 '8_000_000 if i in (20, 45, 83) else 4_000_000' '200_000 if i in (20, 45, 83) else 100_000'
cause -r outliers mostly-own.sqlite
steps few-own.sqlite 12 '1_200_000 if i == 5 else 2_000' 100_000
cause few-own.sqlite
echo "--- a warm-up has a cause, and the tails of its steps"
steps warm.sqlite 100 2_000 '5_000_000 if i < 3 else 100_000'
cause warm.sqlite
rangeline analyze -r long-tail warm.sqlite | head -n 1
steps warm-own.sqlite 100 '5_000_000 if i < 3 else 2_000' 100_000
cause warm-own.sqlite
steps warm-alike.sqlite 100 2_000 '5_000_000 if i < 3 or i in (30, 47, 79) else 100_000'
cause -r warm-up,long-tail warm-alike.sqlite
echo "--- a share is of the steps, if the run is more than them"
cp outliers.sqlite after.sqlite
python3 -c 'import sqlite3
db = sqlite3.connect("after.sqlite")
db.execute("INSERT INTO NVTX_EVENTS VALUES (300000000, 2300000000, 59, ?, ?, NULL)", ("report", 1 << 48 | 100 << 24 | 100))
db.commit()'
rangeline analyze -r outliers after.sqlite | grep "could win"
echo "--- GPU work"
for fault in gpu-idle gpu-low-util launch-bound; do
    python3 "$here/analyze_runs.py" $fault 1 $fault.sqlite
    rangeline analyze $fault.sqlite
done
rangeline analyze -r gpu-idle --json gpu-idle.sqlite | grep -o '"cause":{"name":"read"'
python3 "$here/analyze_runs.py" gpu 1 gpu.sqlite
rangeline analyze -r gpu-idle --json gpu-idle.sqlite gpu.sqlite | grep -o '"measured":{[^}]*}'
python3 "$here/analyze_runs.py" gpu-idle 2 other.sqlite
rangeline analyze -r gpu-idle --json gpu-idle.sqlite other.sqlite gpu.sqlite | grep -o '"gpus":[0-9]*'
rangeline analyze -r gpu-idle,outliers --filter-time 100ms/110ms gpu-idle.sqlite
rangeline analyze -r gpu-idle --step step --set gpu-idle.calls=5 --filter-time 100ms/110ms gpu-idle.sqlite | head -n 2
echo "--- counters, payloads, locks and pauses"
for fault in memory-growth small-messages cold-cache; do
    python3 "$here/analyze_runs.py" $fault 1 $fault.sqlite
    rangeline analyze -r $fault $fault.sqlite
done
python3 "$here/analyze_runs.py" memory-growth 2 other-memory.sqlite
rangeline analyze -r memory-growth --json memory-growth.sqlite other-memory.sqlite | grep -o '"key":"[^"]*"\|"processes":[0-9]*'
"$BIN/make_lock_run" lock-serial 1 locks.rln
rangeline analyze -r lock-serial locks.rln
echo "--- as JSON"
rangeline analyze -r outliers,straggler --json outliers.sqlite
rangeline analyze --schema | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)["properties"]))'
echo "--- without a step, with another one, and with fewer ranges"
golden nested
rangeline analyze nested.rln
rangeline analyze -r outliers --step read --set outliers.times=8 outliers.sqlite
rangeline analyze -r outliers --filter-time 100ms/150ms outliers.sqlite
rangeline analyze -r unannotated --name read outliers.sqlite
echo "--- steps with numbers"
cp outliers.sqlite numbered.sqlite
python3 -c 'import sqlite3
db = sqlite3.connect("numbered.sqlite")
db.execute("UPDATE NVTX_EVENTS SET text = ? || rowid WHERE text = ?", ("step ", "step"))
db.commit()'
rangeline analyze -r outliers numbered.sqlite
rangeline analyze -r outliers,unannotated --step 'step #' numbered.sqlite | tail -n 2
rangeline analyze -r outliers --step 'step #' --fold-numbers numbered.sqlite | head -n 1
rangeline analyze -r outliers --step 'step #@*' --json numbered.sqlite | grep -o '"step":{[^}]*}'
rangeline analyze -r outliers,periodic-stall --json numbered.sqlite | grep -o '"next":[^}]*'
rangeline analyze --step 'step #@app' numbered.sqlite
python3 -c 'import sqlite3
db = sqlite3.connect("numbered.sqlite")
starts = [row[0] for row in db.execute("SELECT start FROM NVTX_EVENTS WHERE text LIKE ? ORDER BY 1", ("step %",))]
for i, start in enumerate(starts[::12]):
    db.execute("INSERT INTO NVTX_EVENTS SELECT ?, ?, 59, ?, globalTid, NULL FROM NVTX_EVENTS LIMIT 1",
               (start - 2, (starts + [1 << 30])[12 * i + 12] - 3, "epoch %d" % i))
db.execute("UPDATE NVTX_EVENTS SET text = ? WHERE text NOT LIKE ?", ("step", "epoch %"))
db.commit()'
echo "in numbered epochs:"
rangeline analyze -r outliers numbered.sqlite | tail -n 2
cp outliers.sqlite jobs.sqlite
python3 -c 'import sqlite3
db = sqlite3.connect("jobs.sqlite")
for i in range(60):
    db.execute("INSERT INTO NVTX_EVENTS SELECT ?, ?, 59, ?, globalTid + ?, NULL FROM NVTX_EVENTS LIMIT 1",
               (i // 2 * 8000000 + 1000000, i // 2 * 8000000 + 8000000, "job %d" % i, 1 + i % 2))
db.commit()'
echo "beside numbered jobs of other threads:"
rangeline analyze -r outliers jobs.sqlite | tail -n 2
python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run, leaky = Run("loader.sqlite"), Run("leaky.sqlite")
for i in range(60):
    run.add(f"iter {i}", i * 1_000_000, i * 1_000_000 + 950_000)
    run.add("wait for data", i * 1_000_000, i * 1_000_000 + 480_000)
    run.add("load batch", i * 1_000_000, i * 1_000_000 + 970_000, tid=101)
    leaky.add(f"step {i}", i * 1_000_000, None if i == 40 else i * 1_000_000 + 900_000)
run.close()
leaky.close()' "$here"
echo "beside a loader on another thread:"
rangeline analyze -r loader-wait,outliers loader.sqlite | grep -E 'loader|findings? in'
echo "one without a pop:"
rangeline analyze -r never-closed leaky.sqlite | grep -E 'closed|findings? in'
python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run = Run("few.sqlite")
for i in range(8):
    run.add(f"step {i}", i * 1_000_000, i * 1_000_000 + 900_000)
    for k in range(100):
        run.add("operator", i * 1_000_000 + k * 8_000, i * 1_000_000 + k * 8_000 + 1_000)
        run.add("part", i * 1_000_000 + k * 8_000 + 1_000, i * 1_000_000 + k * 8_000 + 3_000)
run.close()' "$here"
echo "a few steps, of which the first compiles:"
python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
first, same = Run("first.sqlite"), Run("same.sqlite")
for i in range(8):
    for run, slow in (first, i == 0), (same, False):
        start, ns = i * 3_000_000, 2_700_000 if slow else 900_000 + 1_000 * i
        run.add(f"epoch {i}", start, start + ns)
        run.add("compile", start + 1_000, start + ns - 898_000)
        run.add("train", start + ns - 897_000, start + ns - 1_000)
first.close()
same.close()' "$here"
rangeline analyze first.sqlite
rangeline analyze -r few-steps same.sqlite
rangeline analyze -r few-steps outliers.sqlite
echo "around many operators:"
rangeline analyze few.sqlite
rangeline analyze --step operator few.sqlite | grep findings
python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run = Run("sliver.sqlite")
for i in range(30):
    run.add("option", i * 2_000, i * 2_000 + 1_000)
for i in range(19):
    run.add("step", 1_000_000 + i * 1_000_000, 1_900_000 + i * 1_000_000)
run.close()
for rank in range(3):  # one is fast, which makes none slow
    run = Run(f"fast{rank}.sqlite")
    for i in range(60):
        run.add("step", i * 1_000_000, i * 1_000_000 + (600_000 if rank == 1 else 900_000 + rank))
    run.close()' "$here"
echo "a little of the run:"
rangeline analyze -r outliers sliver.sqlite
rangeline analyze -r straggler fast?.sqlite
echo "--- events are missing"
golden gap
rangeline analyze gap.rln
echo "--- only new findings fail"
rangeline analyze --json outliers.sqlite >old.json
rangeline analyze -r outliers --baseline old.json outliers.sqlite | head -n 1
rangeline analyze -r outliers,drift --baseline old.json --fail-on outliers outliers.sqlite | tail -n 2
echo "known: ${PIPESTATUS[0]}"
rangeline analyze --baseline old.json --fail-on warning periodic-stall.sqlite | grep 'findings\? '
echo "new: ${PIPESTATUS[0]}"
for what in warning outliers outliers:3% outliers:4% drift,outliers periodic-stall; do
    rangeline analyze --fail-on $what outliers.sqlite >/dev/null
    echo "$what: $?"
done
echo "--- baselines that are none"
bad() { printf "$1" >bad.json; rangeline analyze --baseline bad.json clean.sqlite; echo "$?"; }
bad ''
bad '[]'
bad '{"schema":"rangeline.findings/2"}'
bad '{"schema":"rangeline.findings/1"}'
bad '{"schema":"rangeline.findings/1",\n "findings":[{"key":"a\\ud800"}]}'
bad '{"schema":"rangeline.findings/1","findings":{}}'
bad '{"schema":"rangeline.findings/1","findings":[]} x'
bad '{"schema":"rangeline.findings/1","findings":[{"key":7}]}'
bad '{"schema":"rangeline.findings/1","findings":[{"key":"\xff"}]}'
bad "$(printf '[%.0s' {1..100})"
bad "{\"a\":$(printf '[%.0s' {1..100})"
rangeline analyze --baseline nosuch.json clean.sqlite
echo "$?"
echo "--- wrong words"
try() { rangeline analyze "$@" clean.sqlite; echo "$?"; }
try -r outlier
try -r warm-up,nosuch
try --step nosuch
try --step step@app
try --step @app
try --set outliers
try --set outliers.time=2
try --set outlirs.times=2
try --set outliers.times=many
try --set outliers.times=-1
try --fail-on error
try --fail-on outliers:much
rangeline analyze --help-rules outlier
echo "$?"
echo "--- the rules"
rangeline analyze --help-rules outliers
rangeline analyze --help-rules | grep '^[a-z]'
