# If a standard descriptor is closed, the trace does not get its number, so no message
# ends up in the trace; the program finds the descriptor closed, too.
try() { # REDIRECTION...: lingers long enough for the launcher to say what it waits for
    rm -f t.rln
    eval "rangeline profile -o t sh -c '\"\$BIN/clients\" \"\$BUILD\"
        test -e /proc/\$\$/fd/2 || : >closed; sleep 2.5 & exit 3' $*"
    echo "$? $(rangeline print t.rln | wc -l) lines: $*"
}
try '2>&-'
rm closed || echo 'open in the program'
try '<&- >&- 2>&-'
rangeline print t.rln >&-
echo $?
