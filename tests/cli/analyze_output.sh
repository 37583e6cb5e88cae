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
