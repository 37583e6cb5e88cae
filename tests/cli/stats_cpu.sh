# What the time of ranges was made of, by the switches of their threads.
golden switches
rangeline stats -q -r cpu_sum switches.rln
rangeline stats -q -r cpu_sum -f csv switches.rln
rangeline stats -q -r cpu_sum --name load switches.rln
rangeline stats -q -r cpu_sum --filter-time 30us/110us switches.rln
rangeline info switches.rln | grep '^switches'
rangeline info --json switches.rln | grep -o '"switches":[a-z]*'
rangeline print switches.rln

# Without any.
golden nested
rangeline stats -q -r cpu_sum nested.rln

# A ring buffer keeps the newest.
golden newest_switches
rangeline stats -r cpu_sum newest_switches.rln
rangeline info newest_switches.rln | grep '^switches'
rangeline info --json newest_switches.rln | grep -o '"switches_since":[0-9]*'

# The tree has the same, by path.
rangeline stats -q -r tree:cpu switches.rln
rangeline stats -q -r tree:cpu:thread switches.rln
rangeline stats -q -r tree:cpu -f csv switches.rln
rangeline stats -q -r tree:cpu --filter-time 30us/110us switches.rln
rangeline stats -q -r tree:cpu nested.rln
rangeline stats -q -r tree:cpu:gpu switches.rln

# Ranks: these are of one process.
rangeline stats -q -r rank_sum:cpu -f csv switches.rln
rangeline stats -q -r rank_sum:cpu nested.rln
rangeline stats -q -r rank_sum:cpu switches.rln nested.rln
rangeline stats -q -r rank_sum:cpu:gpu switches.rln

# The lives of threads and processes.
rangeline stats -q -r thread_sum:cpu,process_sum:cpu -f csv switches.rln
rangeline stats -q -r thread_sum:cpu --filter-time 30us/110us switches.rln
rangeline stats -q -r thread_sum:cpu nested.rln

# What a long call was made of.
rangeline stats -q -r outliers:step switches.rln

echo "--- of each range, if all of it is known"
golden waiting_steps
golden clocks
for trace in switches newest_switches clocks; do
    rangeline print --ranges --json $trace.rln
    rangeline export -q -t csv -o - $trace.rln | cut -d, -f 1-4,23-
done
rangeline export -q -t csv -o - waiting_steps.rln | tail -n 2 | cut -d, -f 1-4,23-

echo "--- the usual reports say that others had the processor"
rangeline stats waiting_steps.rln 2>&1

# Of several traces, too.
rangeline stats -q -r thread_sum:cpu,process_sum:cpu -f csv switches.rln waiting_steps.rln
rangeline stats switches.rln waiting_steps.rln 2>&1 | tail -n 2
rangeline stats --name step waiting_steps.rln 2>&1 | grep 'had the processor' || echo none
