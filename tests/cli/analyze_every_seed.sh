# As analyze_seeds, in more runs: what chance makes differ is found in all of them.
grep -q __asan_init "$BIN/rangeline" && echo "it takes minutes with sanitizers; analyze_seeds runs with them" >&2 && exit 77
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
python3 "$here/analyze_seeds.py" 10
