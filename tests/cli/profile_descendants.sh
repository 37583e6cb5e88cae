# Waits for what the program leaves behind, or does not.
rangeline profile -o all sh -c '(sleep 0.3; "$BIN/clients" "$BUILD") & exit 4' 2>&1 | tidy
echo "${PIPESTATUS[0]}"
rangeline profile -o primary --wait primary sh -c \
    '"$BIN/clients" "$BUILD"; (sleep 0.5; : >late) >/dev/null 2>&1 & exit 4' 2>&1 | tidy
ls late 2>&1
