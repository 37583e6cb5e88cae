# A process that has no free descriptor at its first NVTX call is not recorded, and the
# reason and the way out are printed.
command -v prlimit >/dev/null || { echo "prlimit is not installed" >&2; exit 77; }
grep -q __asan_init "$BIN/say" && echo "AddressSanitizer must be loaded first" >&2 && exit 77
collector=$BUILD/lib/librangeline-collect.so
rangeline profile -o t -e "LD_PRELOAD=$collector" \
    sh -c 'echo $$ >pid; exec "$BIN/say" touch at wait go mark a' 2>said &
for _ in {1..6000}; do ! test -e at || break; sleep 0.02; done
prlimit --pid "$(cat pid)" --nofile=3:3
touch go
wait
sed 's/process [0-9]\+/process PID/' said
ls ./*.rln 2>/dev/null || echo 'no trace'
