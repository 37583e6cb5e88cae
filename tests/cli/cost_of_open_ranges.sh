# What commands cost grows with the number of ranges that a program leaves open, not with
# its square: every report, every export, and every rule of analyze.
grep -q __asan_init "$BIN/rangeline" && echo "times are compared without sanitizers" >&2 && exit 77
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
python3 "$here/cost_of_open_ranges.py" "$BIN/left_open"
