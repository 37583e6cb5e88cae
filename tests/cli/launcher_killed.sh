# If the launcher is killed, the program and its recording continue.
exec 2>/dev/null # hides the shell's message about the kill
rangeline profile -o t sh -c '"$BIN/clients" "$BUILD"; : >ready
    while [ ! -e go ]; do sleep 0.01; done
    "$BIN/clients" "$BUILD"; : >done' &
while [ ! -e ready ]; do sleep 0.01; done
kill -KILL $!
wait $!
echo $?
: >go
while [ ! -e done ]; do sleep 0.01; done
rangeline print t.rln | grep -c 'pushed by the program'
