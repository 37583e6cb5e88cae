# Each rule of `analyze` finds its fault in runs with noise, and is silent without it.
# What a busy machine does to all ranges alike is no more than a note.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
python3 "$here/analyze_seeds.py" 2
