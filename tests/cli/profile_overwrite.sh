# A trace is never overwritten unasked, and the program does not start then.
rangeline profile -o t "$BIN/clients" "$BUILD" 2>/dev/null
before=$(md5sum <t.rln)
rangeline profile -o t touch started
echo "$?"
ls
[ "$before" = "$(md5sum <t.rln)" ] && echo same
rangeline profile -f false -o t touch started
echo "$?"
for yes in '-f true' '-f' '--force-overwrite=true' '--force-overwrite' '-ftrue'; do
    # shellcheck disable=SC2086
    rangeline profile -o t $yes "$BIN/clients" "$BUILD" 2>&1 | tidy
done
rangeline print t.rln | wc -l
