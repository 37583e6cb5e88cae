# `check` names each problem and its remedy, and sets the exit status if requested.
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
# Generated names: the example is one of these, not the first name that is used once.
for i in $(seq 3000); do echo "mark m$i"; done | xargs -x -n 10000 rangeline profile -o made "$BIN/say" push main pop 2>/dev/null
rangeline check made.rln | grep " names, " | tidy
# A domain without events is not named by any event.
rangeline profile -o unused "$BIN/say" domain quiet push main pop 2>/dev/null
rangeline check unused.rln
rangeline check --domain default unused.rln
rangeline check --domain quiet unused.rln
rangeline check --json nested.rln | cmp - <(rangeline check -f json nested.rln) && echo "--json"
rangeline check --markdown nested.rln | cmp - <(rangeline check -f markdown nested.rln) && echo "--markdown"
