# --stats prints the reports on standard output; everything else goes to standard error.
rangeline profile --stats true -o t "$BIN/clients" "$BUILD" 2>/dev/null |
    grep -c 'Summary\|Call Tree'
# If they cannot be written, the exit status is still the program's.
rangeline profile --stats true -f -o t sh -c '"$BIN/clients" "$BUILD"; exit 5' >/dev/full 2>err
echo $?
grep -c 'No space left' err
