# `profile` records a thousand short children, and a program with 100,000 arguments.
rangeline profile -o children sh -c 'i=0; while [ $i -lt 250 ]; do
    "$BIN/clients" "$BUILD" & "$BIN/clients" "$BUILD" &
    "$BIN/clients" "$BUILD" & "$BIN/clients" "$BUILD" & wait; i=$((i + 1)); done' 2>&1 | tidy
[ "$(stat -c %b children.rln)" -lt 200000 ] || echo 'it takes more than 100 MB'
# shellcheck disable=SC2046
rangeline profile -o words sh -c 'echo $#; "$BIN/clients" "$BUILD"' $(seq 0 100000) 2>&1 | tidy
rangeline info words.rln | grep -c '^command .*\.\.\., exit status 0$'
