# `stats` has reports of single ranges, of threads and of processes.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
golden nested
golden startend
golden threads
golden fork
golden slower_pace
rangeline stats -q -r nvtx_pushpop_trace nested.rln
rangeline stats -q -r nvtxpptrace -f csv threads.rln | head -5 # nsys's former name
rangeline stats -q -r startend_trace -f csv startend.rln
rangeline stats -q -r thread_sum,process_sum -f csv fork.rln
rangeline stats -q -r pace:step -f csv slower_pace.rln | head -4
rangeline stats -q -r histogram:load slower_pace.rln
rangeline stats -q -r histogram -f json slower_pace.rln | head -3
rangeline stats -q -r gaps,outliers -f csv slower_pace.rln
rangeline stats -q -r pace:nosuch nested.rln
rangeline stats -q -o out -r 'pace:io:load,pace' nested.rln
ls
rangeline stats -r 'thread_sum:step' nested.rln
echo "an argument too many: $?"
golden deferred
rangeline stats -q -r nvtx_pushpop_trace,thread_sum,process_sum -f csv deferred.rln
rangeline stats -q -r pace:step -f csv --filter-time 20us/60us nested.rln
rangeline stats -q -r histogram:step -f csv --filter-time 20us/60us nested.rln
echo "--- events are those of the filter, and of the time"
golden pace
rangeline stats -q -r thread_sum,process_sum -f csv threads.rln
rangeline stats -q -r thread_sum,process_sum -f csv --name '*' threads.rln
rangeline stats -q -r thread_sum,process_sum -f csv --thread 101 threads.rln
rangeline stats -q -r thread_sum -f csv --name load pace.rln
rangeline stats -q -r process_sum -f csv --filter-time 20us/60us nested.rln
rangeline stats -q -r pace:load -f csv startend.rln # a style by itself
echo "--- why the longest of a name took longer"
python3 - <<'END'
import sqlite3
db = sqlite3.connect("steps.sqlite")
db.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
           " text TEXT, globalTid INTEGER, endGlobalTid INTEGER)")
def add(text, start, ns):
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,?,?,NULL)", (start, start + ns, text, 1 << 48 | 100 << 24 | 100))
for i in range(2000): # load, then solve twice, of some steps a log; call 777 loads longer
    start, load, own = i * 1_000_000, 100_000 + i, 10 + 70_000 * (i == 1500)
    load += 300_000 * (i == 777)
    add("step", start, load + own + 200_020)
    add("load", start + 1, load)
    add("solve", start + load + 5, 90_000)
    add("solve", start + load + 90_010, 110_000)
    if i % 10 == 0:
        add("log", start + load + 200_011, 5)
db.commit()
END
rangeline stats -q -r outliers:step -f csv steps.sqlite >all
head -n 12 all
cut -d, -f1 all | sort -n | uniq -c
rangeline stats -q -r outliers:stpe steps.sqlite
rangeline stats -q -r outliers:nope steps.sqlite
rangeline stats -q -r outliers:log -n 2 steps.sqlite
