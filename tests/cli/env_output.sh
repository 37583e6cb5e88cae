# Without the launcher, RANGELINE_OUTPUT may contain the same patterns. The collector
# cannot report errors, so it uses invalid patterns literally.
eval "$(rangeline env -o 'it'"'"'s %q{WHO} at 100%%')"
WHO=me "$BIN/clients" "$BUILD"
RANGELINE_OUTPUT='%p-%h.rln' "$BIN/clients" "$BUILD"
RANGELINE_OUTPUT='a%z%q{NOSUCH}b%q{c' "$BIN/clients" "$BUILD"
unset NVTX_INJECTION64_PATH RANGELINE_OUTPUT
for trace in *.rln; do
    echo "$trace $(rangeline print "$trace" | grep -c 'push ')"
done | sed -E "s/^[0-9]+-$(uname -n)/PID-HOST/" | sort
# A folder that cannot have traces is a note, where the shell does not read it.
rangeline env -o missing/run 2>&1 >/dev/null
rangeline env -o '%h/run' 2>&1 >/dev/null
