# Sums of `reduce` stand for the traces of a run on either side of `diff`: a history in git,
# with the verdicts of the traces themselves. --junit writes the outcome for CI services.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
make_run() { # NAME RANGES DURATION-OF-CALL-i: an export of step around load, and of io
    python3 - "$@" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
           " text TEXT, globalTid INTEGER, endGlobalTid INTEGER)")
n = int(sys.argv[2])
for i in range(n):
    start, ns = i * 100_000, int(eval(sys.argv[3]))
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,'step',?,NULL)", (start, start + 20_000 + ns, 1 << 48 | 100 << 24 | 100))
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,'load \"<&>\"',?,NULL)", (start + 5, start + 5 + ns, 1 << 48 | 100 << 24 | 100))
db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,60,'io',?,?)", (0, n * 100_000, 1 << 48 | 100 << 24 | 100, 1 << 48 | 100 << 24 | 100))
db.commit()
END
}
verdicts() { rangeline diff --all -f csv "$@" 2>/dev/null | cut -d, -f1,2,3,4,7-10,20-; }
for i in 1 2 3 4 5; do
    make_run before$i.sqlite 300 "10_000 + 40 * $i + i * 7919 % 1000"
    rangeline reduce -o base$i before$i.sqlite 2>/dev/null
done
make_run slower.sqlite 300 '12_000 + i * 7919 % 1000'
make_run same.sqlite 300 '10_100 + i * 7919 % 1000'
rangeline reduce -o slower slower.sqlite 2>/dev/null

echo "--- a history of sums, and a new run"
rangeline diff 'base?.rlsum' slower.sqlite
rangeline diff --fail-above 5% 'base?.rlsum' slower.sqlite; echo "$?"
rangeline diff --fail-above 5% 'base?.rlsum' slower.rlsum >/dev/null; echo "$?"
rangeline diff --fail-above 5% 'base?.rlsum' same.sqlite; echo "$?"
echo "--- the same verdicts as of the traces"
for after in slower.sqlite slower.rlsum same.sqlite; do
    verdicts 'before?.sqlite' $after >of_traces
    verdicts 'base?.rlsum' $after >of_sums
    cmp of_traces of_sums && cut -d, -f1,8- of_sums
done
verdicts slower.rlsum 'base?.rlsum' >of_sums
verdicts slower.sqlite 'before?.sqlite' | cmp - of_sums && cut -d, -f1,8- of_sums
echo "--- one run per side"
rangeline diff base1.rlsum slower.rlsum
rangeline diff base1.rlsum slower.sqlite
rangeline diff base1.rlsum base1.rlsum

echo "--- sums never find more than the traces, on whichever side they are"
findings() { # VERDICTS: what fails builds or people look at, without what is only possible
    grep '^slower\|^faster' "$1" | sort
}
compare() { # BEFORE AFTER [MEASURE...]: patterns of traces, which have sums beside them
    for measure in median "${@:3}"; do
        for before in "$1" "${1/sqlite/rlsum}"; do
            for after in "$2" "${2/sqlite/rlsum}"; do
                rangeline diff --all --on $measure -f csv "$before" "$after" 2>/dev/null | cut -d, -f1,21- >verdicts
                rangeline diff --on $measure --fail-above 5% --fail-on-one-run "$before" "$after" >/dev/null 2>&1
                status=$?
                [ "$before$after" = "$1$2" ] && findings verdicts >known && most=$status
                findings verdicts | comm -23 - known | sed "s/^/$measure, $before, $after: too much: /"
                [ $status -le $most ] || echo "$measure, $before, $after: failed, and the traces pass"
                [ $measure = median ] && echo "$before $after: $status $(sed -n 's/,.*load.*//p' verdicts)"
            done
        done
    done
    true
}
disturbed() { echo "13_000 if i // 20 in $1 else 10_000 + i % 5"; }
make_run calm.sqlite 300 '10_000 + i * 7919 % 1000'
make_run phases.sqlite 300 "$(disturbed '(2, 4, 6, 8)')"
make_run more_phases.sqlite 300 "$(disturbed '(0, 1, 4, 5, 8, 9, 11, 13, 14)')"
make_run tailed.sqlite 300 '10_000 + (i + 1) * 7919 % 1000 + 5_000 * (i % 5 == 0)'
make_run tail_first.sqlite 300 '10_000 + (i + 1) * 7919 % 1000 + 5_000 * (i < 60)'
for run in calm phases more_phases tailed tail_first; do
    rangeline reduce -o $run $run.sqlite 2>/dev/null
done
compare calm.sqlite slower.sqlite
compare phases.sqlite more_phases.sqlite
compare phases.sqlite slower.sqlite
compare slower.sqlite more_phases.sqlite
compare calm.sqlite tailed.sqlite p95 total
compare calm.sqlite tail_first.sqlite p95 total
for run in 1 2 3; do
    cp before$run.sqlite many_before$run.sqlite
    make_run many_after$run.sqlite 300 "11_500 + 700 * $run + i * 7919 % 1000"
    rangeline reduce -o many_before$run many_before$run.sqlite 2>/dev/null
    rangeline reduce -o many_after$run many_after$run.sqlite 2>/dev/null
done
compare 'many_before?.sqlite' 'many_after?.sqlite'
echo "--- what is unsure says why"
rangeline diff --fail-above 5% --fail-on-one-run phases.rlsum more_phases.rlsum; echo "$?"
rangeline diff --fail-above 5% --fail-on-one-run calm.rlsum slower.sqlite; echo "$?"
rangeline diff --fail-above 5% --fail-on-one-run --junit - calm.rlsum slower.rlsum 2>/dev/null | grep -A 1 '<testsuite \|step'

echo "--- more ranges than sums keep one by one"
make_run many.sqlite 9000 '10_000 + i * 7919 % 1000'
make_run more.sqlite 9000 '10_030 + i * 7919 % 1000'
make_run most.sqlite 9000 '10_800 + i * 7919 % 1000'
for i in 1 2 3 4 5; do
    make_run many_base$i.sqlite 9000 "10_000 + $i + i * 7919 % 1000"
    rangeline reduce -o many_base$i many_base$i.sqlite 2>/dev/null
done
for after in many more most; do
    rangeline diff --all -f csv 'many_base?.rlsum' $after.sqlite 2>/dev/null | grep load | cut -d, -f1,9-10
done
for i in 1 2; do # in sums, both are the same
    make_run apart$i.sqlite 9000 "{0: 9_000, 1: 13_000}.get(i % 50, 10_500 + 20 * $i)"
    rangeline reduce -o apart$i apart$i.sqlite 2>/dev/null
done
make_run narrow.sqlite 9000 '{0: 9_000, 1: 13_000}.get(i % 50, 11_300)'
rangeline reduce -o narrow narrow.sqlite 2>/dev/null
compare 'apart?.sqlite' narrow.sqlite

echo "--- renamed and filtered"
rangeline reduce --fold-numbers --name 'lo*' -o load before1.sqlite 2>/dev/null
rangeline diff load.rlsum slower.sqlite; echo "$?"
rangeline diff --name 'lo*' base1.rlsum slower.sqlite; echo "$?"
rangeline diff --fold-numbers --name 'lo*' load.rlsum slower.sqlite 2>/dev/null
rangeline diff --filter-time 1s/ base1.rlsum slower.sqlite; echo "$?"
rangeline diff -b base1.rlsum -b before1.sqlite slower.sqlite; echo "$?"
rangeline reduce -o both before1.sqlite before2.sqlite 2>/dev/null
rangeline diff both.rlsum slower.sqlite >/dev/null
head -c 300 base1.rlsum >half.rlsum
rangeline diff half.rlsum slower.sqlite; echo "$?"

echo "--- for CI services"
rangeline diff --junit out.xml 'base?.rlsum' slower.sqlite; echo "$?"
rangeline diff --fail-above 5% --junit out.xml 'base?.rlsum' slower.sqlite >/dev/null; echo "$?"
cat out.xml
python3 -c 'import sys, xml.dom.minidom as x; print([c.getAttribute("name") for c in x.parse("out.xml").getElementsByTagName("testcase")])'
rangeline diff --fail-above 5% --junit - base1.rlsum slower.sqlite 2>/dev/null | grep -A 1 '<testsuite \|load'
rangeline diff --fail-above 5% --name nosuch --junit out.xml before1.sqlite slower.sqlite 2>/dev/null; echo "$?"
cat out.xml
for after in half.rlsum nosuch.sqlite; do # no older outcome stays
    rangeline diff --fail-above 5% --junit out.xml 'base?.rlsum' same.sqlite >/dev/null 2>&1; echo "$? $(grep -c '<error' out.xml)"
    rangeline diff --fail-above 5% --junit out.xml 'base?.rlsum' $after; echo "$?"
    cat out.xml
done
for file in base1.rlsum slower.rlsum slower.sqlite; do # an input, another file, another input
    cp $file kept
    rangeline diff --fail-above 5% --junit $file 'base?.rlsum' slower.sqlite >/dev/null 2>said; echo "$?"
    cmp $file kept; grep 'JUnit\|input' said
done
mkfifo pipe && grep -c '<testcase' <pipe >lines &
while [ ! -p pipe ]; do sleep 0.01; done
timeout 20 rangeline diff --fail-above 5% --junit pipe 'base?.rlsum' slower.sqlite >/dev/null 2>&1; echo "$?"
wait && cat lines
rangeline diff --fail-above 5% --junit nosuch/out.xml 'base?.rlsum' slower.sqlite >/dev/null; echo "$?"
