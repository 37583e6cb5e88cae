# self_sum: the time of each name without that of ranges inside; what is inside a range of
# its own name counts once in Total. Without -r, -f and -o it comes first, and of the tree
# nodes with 2 % of the time.
python3 - <<'END' || exit
import sqlite3
process = 0x0001000000000000 | 100 << 24
db = sqlite3.connect("self.sqlite")
db.execute("""CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,
    eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, domainId INTEGER)""")
def add(start, end, name, kind=59):
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, 0)",
               (start, end, kind, name, process | 101))
add(0, 10000, "main")
add(0, 8000, "fib")      # fib calls itself, also through others
add(1000, 6000, "fib")
add(2000, 5000, "other")
add(3000, 4000, "fib")
add(8000, 9000, "other")
for i in range(12):      # 1 % of the time each
    add(9000 + i * 10, 9001 + i * 10, f"small {chr(97 + i)}")
add(100, 9000, "request", 60)
add(20000, None, "left open")
db.commit()
END
if [[ $(rangeline stats self.sqlite 2>&1) == *libsqlite3* ]]; then
    echo 'built without libsqlite3' >&2
    exit 77
fi
rangeline stats -q -r self_sum -f csv self.sqlite
rangeline stats self.sqlite
echo "--- only the options' rows"
rangeline stats -q --min-share 0 self.sqlite | sed -n '/Call Tree/,$p' | grep -c small
rangeline stats -q --name 'fib' self.sqlite
rangeline stats --strict --name nothing self.sqlite
echo "exit $?"
echo "--- programs get the same as ever"
rangeline stats -f csv self.sqlite | grep ,
echo "--- where domains cross: no step is inside another, and nothing has over 100 %"
python3 - <<'END'
import sqlite3
process = 0x0001000000000000 | 100 << 24
db = sqlite3.connect("crossing.sqlite")
db.execute("""CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,
    eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, domainId INTEGER)""")
def add(start, end, name, domain):
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, ?)",
               (start, end, name, process | 101, domain))
add(0, 30, "step", 0)
add(10, 90, "load", 1)
add(50, 80, "step", 0)
add(60, 70, "step", 0)
db.commit()
END
rangeline stats -q -r self_sum,tree -f csv crossing.sqlite
rangeline stats -q -r self_sum -f csv --name step crossing.sqlite | grep step
