# Once the program has ended, a signal ends the wait for the processes that outlive it.
set -m # else the shell starts it with SIGINT ignored
rangeline profile -o t sh -c '"$BIN/clients" "$BUILD"
    (trap "" INT; while kill -0 $$; do sleep 0.01; done; : >ready
     while [ ! -e stop ]; do sleep 0.01; done
     "$BIN/clients" "$BUILD") >/dev/null 2>&1 & exit 5' 2>err &
while [ ! -e ready ]; do sleep 0.01; done
kill -INT $!
wait $!
echo $?
tidy <err
rangeline print t.rln | grep -c 'pushed by the program'
: >stop
until [ "$(rangeline print t.rln | grep -c 'pushed by the program')" = 4 ]; do sleep 0.01; done
rangeline info t.rln | grep -c 'not finished'
