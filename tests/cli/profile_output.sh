# --output sets the trace's path, with patterns; one closing line summarizes the contents.
rangeline profile "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline profile "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline profile -o run "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline profile --output=named.rln "$BIN/clients" "$BUILD" 2>&1 | tidy
WHO=me rangeline profile -o '%q{WHO}-100%%' "$BIN/clients" "$BUILD" 2>&1 | tidy
rangeline profile -o 'host-%h' "$BIN/clients" "$BUILD" 2>&1 | sed "s/$(uname -n)/HOST/" | tidy
rangeline profile -o 'pid-%p' "$BIN/clients" "$BUILD" 2>&1 | sed 's/pid-[0-9]*/pid-PID/' | tidy
rangeline profile -o 'a%z' true
rangeline profile -o '%q{NOSUCH}' true
mkdir folder
for output in '' . .. folder/ folder/..; do
    rangeline profile -o "$output" touch started
    echo "$?"
done
rmdir folder
ls -A | grep '^\.'
ls | sed "s/$(uname -n)/HOST/; s/pid-[0-9]*/pid-PID/"
for file in *.rln; do
    [ $(($(stat -c %s "$file") % 65536)) -eq 0 ] || echo "$file is not trimmed"
done
