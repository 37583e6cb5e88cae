# Rules fire from their limits on: each pair of runs is at a limit, and a nanosecond or a call away.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
run() { # STEPS: a list of (start, [read], duration), in ns
    rm -f run.sqlite
    python3 - "$here" "$1" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from analyze_runs import Run
run = Run("run.sqlite")
for start, read, ns in eval(sys.argv[2]):
    run.add("step", 1_000_000 + start, 1_000_000 + start + ns)
    if read:
        run.add("read", 1_000_000 + start, 1_000_000 + start + read)
run.close()
END
}
found() { # RULE OPTION...: its severity, what it says, or that it is silent
    local rule=$1
    shift
    rangeline analyze -r "$rule" "$@" run.sqlite >out
    grep -m 1 -e "^note: $rule" -e "^warning: $rule" out || echo "silent$(grep -c '0 rules checked' out | sed 's/1/, not asked/; s/0//')"
}
slow_start() { # EXCESS: 100 steps of 0.9 ms in 100 ms, the first of which takes so much longer
    echo "[(0 if i == 0 else 99_100_000 if i == 99 else $1 + 930_000 * i, 0, 900_000 + $1 * (i == 0)) for i in range(100)]"
}
echo "--- worth a finding, and a warning: 1 and 5 % of the run"
for excess in 999_999 1_000_000 4_999_999 5_000_000; do
    run "$(slow_start $excess)"
    echo "$excess: $(found warm-up)"
done
echo "--- a slow start: over 1.5 times the median, of a tenth at most"
for excess in 450_000 450_001; do
    run "$(slow_start $excess)"
    echo "$excess: $(found warm-up --set warm-up.share=0.1%)"
done
for n in 2 3; do
    run "[(20_000 * i, 0, 10_000 if i < $n else 1_000) for i in range(20)]"
    echo "$n: $(found warm-up)"
done
echo "--- twenty calls show what is usual, four can be compared"
for n in 19 20; do
    run "[(1_000 * i, 0, 500) for i in range($n)]"
    echo "$n: $(found unannotated)"
done
for n in 3 4; do
    run "[(10_000 * i, 0, 9_000 if i == 1 else 5_000) for i in range($n)]"
    echo "$n: $(found few-steps)"
done
for ns in 7_500 7_501; do
    run "[(10_000 * i, 0, $ns if i == 1 else 5_000) for i in range(8)]"
    echo "$ns: $(found few-steps)"
done
echo "--- a long tail: over twice the median and by 1 us, of 100 calls, a tenth of which may be slower"
tail_of() { # CALLS USUAL SLOW TENTH: of TENTH ns are ten calls
    run "[(20_000 * i, $3 if i == 50 else $4 if i % 10 == 3 else $2, 10_000) for i in range($1)]"
    echo "$1 $2 $3 $4: $(found long-tail --set long-tail.share=0)"
}
tail_of 100 1_000 2_000 1_000
tail_of 100 1_000 2_001 1_000
tail_of 100 900 1_899 900
tail_of 100 900 1_900 900
tail_of 99 1_000 2_500 1_000
tail_of 100 1_000 2_500 1_500
tail_of 100 1_000 2_500 1_501
for end in 10_150_000 10_150_001; do # 1 % of the run at least
    run "[(20_000 * i if i < 99 else $end - 10_000, 2_500 if i == 50 else 1_000, 10_000) for i in range(100)]"
    echo "$end: $(found long-tail --set long-tail.share=0)"
done
