# Which process is which rank: in `info`, the viewer and the exports with names of
# processes. The viewer's title has all traces, and whole traces are no capture windows.
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
    sed -n 's/.*class="trace">\([^<]*\).*/\1/p' page.html | base64 -d | zcat |
        grep -aoE '"label":"rank[^"]*"|"title":"[^"]*"|"windows":..'
}
shown rank*.rln
rangeline profile -c nvtx -p a -o part "$BIN/say" push a pop 2>/dev/null
shown part.rln
