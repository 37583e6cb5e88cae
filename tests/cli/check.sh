# What is wrong, what to do about it, and an exit status for those who ask.
golden startend
golden windows
golden nested
golden locks
rangeline check startend.rln
rangeline check -f csv windows.rln
rangeline check --format json nested.rln
rangeline check --fail-on note locks.rln
for what in error warning note never-closed crossed lost,note; do
    rangeline check --fail-on $what windows.rln >/dev/null
    echo "$what: $?"
done
rangeline check --fail-on crossd windows.rln
echo "crossd: $?"
rangeline check --window 9 windows.rln
echo "no such window: $?"
# Names that are made up: one of them, not the first that is said once.
for i in $(seq 3000); do echo "mark m$i"; done | xargs -x -n 10000 rangeline profile -o made "$BIN/say" push main pop 2>/dev/null
rangeline check made.rln | grep " names, " | tidy
# A domain that nothing was said in has no event that names it.
rangeline profile -o unused "$BIN/say" domain quiet push main pop 2>/dev/null
rangeline check unused.rln
