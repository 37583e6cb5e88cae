# The program goes on without its launcher, and the trace with it.
exec 2>/dev/null # where the shell tells of the kill
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
