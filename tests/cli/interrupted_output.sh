# A signal that ends merge or snapshot while it writes a large trace leaves no part of it.
rangeline profile -o big "$BIN/say" mark a many 4000000 2>/dev/null
interrupt() { # COMMAND...: a signal as soon as there is a file that was not there
    local before command n=0
    before=$(find . -type f | wc -l)
    env --default-signal=INT "$@" >/dev/null 2>&1 &
    command=$!
    until [ "$(find . -type f | wc -l)" -gt "$before" ] || ! kill -0 $command 2>/dev/null; do n=$((n + 1)); done
    kill -INT $command 2>/dev/null
    wait $command
    rm -f out.rln
    find . -type f | wc -l
}
interrupt rangeline merge -o out.rln big.rln
interrupt rangeline snapshot -o out big.rln
rangeline merge -o - big.rln
echo $?
# A pipe waits for its reader when it is opened, until a signal comes.
rangeline profile -q -o one "$BIN/say" mark a 2>/dev/null
mkfifo pipe
for command in "export -t csv -f -o pipe" "view --html pipe" "diff --fail-above 5% --junit pipe one.rln"; do
    # shellcheck disable=SC2086 # the words of a command
    env --default-signal=INT timeout -s INT -k 10 0.5 rangeline $command one.rln 2>/dev/null
    echo "$?"
done
