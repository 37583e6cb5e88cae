# --stats prints the reports on standard output, all else goes to standard error.
rangeline profile --stats true -o t "$BIN/clients" "$BUILD" 2>/dev/null |
    grep -c 'Summary\|Call Tree'
