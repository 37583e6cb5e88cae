# Without -r, -f and -o, people get the rows with the most time, and a line about the
# others; else there is every row.
if ! command -v script >/dev/null; then
    echo 'script is not installed' >&2
    exit 77
fi
on_terminal() {
    NO_COLOR=1 PAGER='' script -qec "stty cols 200; rangeline stats $*" /dev/null | tr -d '\r'
}
python3 - <<'END' || exit
import sqlite3
process = 0x0001000000000000 | 100 << 24
db = sqlite3.connect("many.sqlite")
db.executescript("""
    CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,
        eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, domainId INTEGER);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER,
        correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
        shortName INTEGER, mangledName INTEGER);
""")
def add(start, ns, name):
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, 0)",
               (start, start + ns, name, process | 101))
add(10000, 200, "step 50")
for i in range(50): # five each of 100 to 190 ns, all but 40 ns in "load N"
    add(i * 200, 100 + i // 5 * 10, f"step {i}")
    add(i * 200 + 1, 60 + i // 5 * 10, f"load {i}")
for i in range(31):
    db.execute("INSERT INTO StringIds VALUES (?, ?)", (i, f"kernel{i}"))
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?, ?, ?, ?)",
               (i * 1000, i * 1000 + 100, i, process, i, i, i))
db.commit()
END
if [[ $(rangeline stats many.sqlite 2>&1) == *libsqlite3* ]]; then
    echo 'built without libsqlite3' >&2
    exit 77
fi
count() { awk '/\*\*/ { name = $NF } /(step|load) [0-9]|kernel[0-9]/ { n[name]++ }
    / more row/ { print name, n[name] " and" $0 }'; }
on_terminal many.sqlite | count # and the hint about numbers only there
# Of equal nodes the first, and none without the nodes around it, which may have no time.
on_terminal -q many.sqlite | sed -n '/Call Tree/,/more row/p'
on_terminal -q --name "'load*'" many.sqlite | sed -n '/Call Tree/,$p' | head -9
# All of them.
rows() { grep -cE '(step|load) [0-9]|kernel[0-9]|more row'; }
for options in '' '-r nvtx_sum,cuda_gpu_sum,tree' '-f csv' '-f json'; do
    # shellcheck disable=SC2086 # words
    rangeline stats -q $options many.sqlite | rows
done
rangeline stats -q -f column -o all many.sqlite
cat all_*.txt | rows
on_terminal -q -f table many.sqlite | rows
# Thousands of names that numbers tell apart are one, unless something was asked for.
python3 - <<'END'
import sqlite3
db = sqlite3.connect("many.sqlite")
process = 0x0001000000000000 | 100 << 24
db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, 0)",
               [(20000 + i * 10, 20005 + i * 10, f"op {i}, seq {i % 7}", process | 101)
                for i in range(1200)])
db.commit()
END
op() { on_terminal "$@" many.sqlite 2>&1 | grep -E 'op [0-9#]|differ|hint|without numbers'; }
op
op -q | grep -c 'op #, seq #'
for options in '-r nvtx_sum' "--name 'op*'" '-f csv' '--rename s/step/op/'; do
    op "$options" | grep -c 'op [0-9]'
done
rangeline stats -q many.sqlite | grep -c 'op [0-9]'
op --fold-numbers
