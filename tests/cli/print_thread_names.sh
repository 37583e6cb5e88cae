# Each line of a thread that the program named shows that name.
rangeline profile -o names "$BUILD/examples/work_queue" >/dev/null 2>&1
rangeline profile -o ends "$BUILD/examples/start_end" >/dev/null 2>&1
rangeline print names.rln | grep -c ' worker [123]  push          count primes  payload='
rangeline print --tree names.rln | grep -o ' worker [123]  - thread_name worker [123]$' | sort
rangeline print --ranges ends.rln | grep -c 'ended by [0-9]*/[0-9]*$'
