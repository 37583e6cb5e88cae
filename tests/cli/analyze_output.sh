# What `analyze` prints: safe for a terminal, the same keys in every run, commands that
# work as they are, and gates that can fail.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
runs() { python3 "$here/analyze_output_runs.py" "$@"; }
echo "--- names that act on terminals and shells"
file=$'h\033[1mo st\342\200\256.sqlite'
runs hostile "$file"
rangeline analyze -r outliers,periodic-stall "$file" >out
LC_ALL=C tr -d '\n -~' <out | od -c | head
grep '^  next: ' out
for rule in outliers periodic-stall; do
    rangeline analyze -r $rule --set periodic-stall.deviation=1 --set periodic-stall.mad=1 \
        --set periodic-stall.outliers=3 "$file" | sed -n 's/^  next: //p' >next
    LC_ALL=C grep -c '[^ -~]' next
    cut -c 1-60 next
    eval "$(cat next)" | wc -l
done
echo "--- keys without pids and without the order of files"
keys() { rangeline analyze --json "$@" | grep -o '"key":"[^"]*"'; }
runs ranks 300 first.sqlite
runs ranks 700 again.sqlite
keys first.sqlite
keys again.sqlite
python3 "$here/analyze_runs.py" straggler 1 r0.sqlite r1.sqlite r2.sqlite
keys -r straggler r0.sqlite r1.sqlite r2.sqlite
keys -r straggler r2.sqlite r1.sqlite r0.sqlite
runs pools pools.sqlite
keys pools.sqlite
rangeline analyze -r thread-imbalance pools.sqlite | grep -A 1 '^warning'
echo "--- known findings that have grown"
python3 "$here/analyze_runs.py" periodic-stall 1 slow.sqlite
rangeline analyze -r periodic-stall --json slow.sqlite >same.json
sed 's/"share":0.2[0-9]*}/"share":0.0625}/' same.json >less.json
for gate in periodic-stall periodic-stall:5% periodic-stall:20% periodic-stall:30% warning; do
    for old in same less; do
        rangeline analyze -r periodic-stall --baseline $old.json --fail-on $gate slow.sqlite >out
        echo "$? $gate $old: $(head -n 1 out | cut -c 1-55)"
    done
done
rangeline analyze -r periodic-stall --baseline less.json --json slow.sqlite | grep -o '"known.*"title'
echo "--- gates that nothing fails, and values that make no sense"
for words in "--fail-on never-closed:5%" "--fail-on outliers:101%" "-r drift --fail-on outliers" \
    "--set outliers.share=3" "--set level-shift.chance=101%" "--set .share=3" \
    "--set outliers.$(printf 'long%.0s' {1..12})=1" "--fail-on straggler,outliers"; do
    # shellcheck disable=SC2086
    rangeline analyze $words slow.sqlite 2>&1 >/dev/null
    echo "$?"
done
echo "--- sentences"
runs recursive recursive.sqlite
rangeline analyze -r nested-duplicate recursive.sqlite | head -n 2
rangeline analyze -r outliers "$file" | grep -A 1 -e ^note -e cause
python3 "$here/analyze_runs.py" drift 1 drift.sqlite
rangeline analyze -r drift drift.sqlite | head -n 2
python3 "$here/analyze_runs.py" outliers 1 outliers.sqlite
rangeline analyze -r outliers --step read outliers.sqlite | grep cause
echo "--- help of rules, as they are asked"
rangeline analyze --help-rules -r never-closed,drift --set drift.rise=20% | grep -v '^    '
rangeline analyze --help-rules -r nosuch
echo "$?"
rangeline analyze --help-rules --set drift.nosuch=1 2>&1
echo "$?"
rangeline analyze --help-rules | grep '^  a finding' | sort | uniq -c
echo "--- commands have the filters"
python3 "$here/analyze_runs.py" periodic-stall 1 run.sqlite
rangeline analyze -r periodic-stall --rename 's/step/big step/' --fold-numbers --filter-time /200ms \
    --min-duration 10us --name 'big step' --name read run.sqlite | grep -A 1 '^  next' | tee out
eval "$(sed -n 's/^  next: //p' out)" | head -n 8
echo "--- many findings, and long names"
runs leaks leaks.sqlite
rangeline analyze -r never-closed leaks.sqlite >out
head -n 8 out
rangeline analyze -r never-closed --name "solve*" leaks.sqlite | head -n 4
tail -n 4 out
grep -c ^warning: out
rangeline analyze -r never-closed --json leaks.sqlite | grep -o '"key"' | wc -l
echo "--- a number and its % on one line"
for n in $(seq 12 32); do
    rangeline analyze -r drift --rename "s/step/$(printf "%0${n}d" 0)/" drift.sqlite
done | grep -c '^ *%' || true
echo "--- commas and backslashes of a name reach the report of the next command"
python3 -c 'import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run = Run("odd.sqlite")
for i in range(200):
    run.add(r"a\b,c", i * 1_000_000, i * 1_000_000 + 400_000 + i * 2_000 + i * 7919 % 1000)
run.close()' "$here"
next=$(rangeline analyze -r drift odd.sqlite | sed -n 's/^  next: //p')
echo "$next"
eval "$next -f csv -q" | wc -l
