# Names of ranges may be anything: none is lost, and the commands of a page can be copied.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed" >&2; exit 77; }
# shellcheck disable=SC2154 # of run.sh
export RANGELINE_PYTHON=$here/../../python/src/rangeline PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # of words for exec()
mkdir job
cat >make.py <<'END'
import sqlite3

NAMES = [b"-x", b"two\nlines", b"it's", b"back\\slash", b"a:b", b":", b"at@x", b"bad\xff", b"bad\xfe1"]
for rank in range(2):
    db = sqlite3.connect(f"job/r{rank}.sqlite")
    db.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,"
               " eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER)")
    ranges = [(name, 100 * i, 100 * i + 10 + i) for i, name in enumerate(NAMES)]
    ranges += [(b"iter %d" % rank, 5000, 5010)]
    # Over 2^63 ns together, of which rank 1 has few.
    ranges += [(b"long", 1000 + i, (1 << 58) - i) for i in range(2 if rank else 40)]
    for name, start, end in ranges:
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,CAST(? AS TEXT),?)",
                   (start, end, name, 1 << 48 | 100 + rank << 24 | 1))
    db.commit()
END
python3 make.py

echo "--- all of them"
rangeline recipe rank_sum --format table 'job/*' 2>&1
rangeline recipe diff -b 'job/*' --format table 'job/*' 2>&1 | tail -n +3

echo "--- names that are not there"
for name in iter 'iter #' lonk; do
    rangeline recipe heatmap "$name" --format table 'job/*' 2>&1
done
rangeline recipe straggler 'iter 1' --format table 'job/*'

echo "--- commands to copy"
commands() { # FOLDER: those of a page, each with a zero byte
    python3 -c 'import html, re, sys
for found in re.findall("<pre>(.*?)</pre>", open(sys.argv[1] + "/index.html").read(), re.S):
    print(html.unescape(found).replace(".rln", ".sqlite").replace("TRACE", "r1"), end="\0")' "$1"
}
for name in -x $'two\nlines' "it's" 'back\slash' :: 'at@x' $'bad\xff' $'bad\xfe1'; do
    rangeline recipe straggler -f -o straggler --format html -- "$name" 'job/*' 2>/dev/null
    while IFS= read -rd '' command; do
        echo "$command"
        (cd "$(mktemp -d -p .)" && ln -s ../job . &&
            bash -c "${command/recipe/recipe --format html}" >said 2>&1 || cat said)
    done < <(commands straggler)
done
true
