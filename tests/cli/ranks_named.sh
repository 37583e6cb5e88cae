# Which process is which rank: in `info`, the viewer and the exports with names of
# processes. The viewer's title has all traces, and whole traces are no capture windows.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
[ -x "$BIN/ask_natively" ] || { echo "there are no pages in files" >&2; exit 77; }
unset PMIX_RANK PMI_RANK RANK SLURM_PROCID
for rank in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$rank rangeline profile -o "rank$rank" "$BIN/say" push a pop 2>/dev/null
done
rangeline info rank*.rln | grep ^process | sed 's/  [0-9]*,/  PID,/; s|: .*/|: |'
rangeline export -q -t chrome -o - rank*.rln | grep -o '"name": *"rank[^"]*"'
rangeline export -q -t perfetto -o ranks.perfetto rank*.rln
strings ranks.perfetto | grep -ao 'rank [0-9]'
shown() { # FILE...: what the data of their page say
    rangeline view -f --html page.html "$@" >/dev/null 2>&1
    python3 -B "$here/page_about.py" page.html |
        grep -aoE '"label":"rank[^"]*"|"title":"[^"]*"|"windows":..'
}
shown rank*.rln
rangeline profile -c nvtx -p a -o part "$BIN/say" push a pop 2>/dev/null
shown part.rln
