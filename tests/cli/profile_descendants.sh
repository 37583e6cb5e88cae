# --wait decides whether `profile` waits for processes that outlive the program.
rangeline profile -o all sh -c '(while kill -0 $$; do sleep 0.01; done 2>gone
    "$BIN/clients" "$BUILD") & exit 4' 2>&1 | tidy
echo "${PIPESTATUS[0]}"
rangeline profile -o primary --wait primary sh -c \
    '"$BIN/clients" "$BUILD"
    (while [ ! -e go ]; do sleep 0.01; done; : >late) >/dev/null 2>&1 & exit 4' 2>&1 | tidy
[ -e late ] || echo not waited for
: >go
while [ ! -e late ]; do sleep 0.01; done
