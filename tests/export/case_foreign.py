# SPDX-License-Identifier: Apache-2.0
"""SQLite files that are old, foreign, or malicious are read, or refused with an error."""
import json
import os
import pathlib
import random
import sqlite3
import sys

import traces

import case_gpu

N_ODD = int(os.environ.get("ODD_CELLS", "25"))
TID = 0x0001000000000000 | 100 << 24 | 101
EVENTS = """CREATE TABLE NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
    globalTid, endGlobalTid, textId, domainId, uint64Value, int64Value, doubleValue,
    uint32Value, int32Value, floatValue, jsonTextId, jsonText, binaryData)"""
COLUMNS = ["start", "end", "eventType", "text", "globalTid", "endGlobalTid", "textId",
           "domainId", "uint64Value", "color", "category", "binaryData"]


def make(name, *rows, tables=EVENTS):
    """A file with these tables and rows of NVTX_EVENTS, of the columns above."""
    path = traces.WORK / name
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.executescript(tables + ";CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);")
    db.executemany(f"INSERT INTO NVTX_EVENTS ({','.join(COLUMNS)}) VALUES "
                   f"({','.join('?' * len(COLUMNS))})",
                   [row + (None,) * (len(COLUMNS) - len(row)) for row in rows])
    db.commit()
    db.close()
    return path


def info(path):
    return json.loads(traces.run(traces.RANGELINE, "info", "--json", path).stdout)


def refused(path, *words):
    done = traces.run(traces.RANGELINE, "stats", path, ok=False)
    assert done.returncode == 1, done
    for word in words:
        assert word in done.stderr.decode(), done.stderr.decode()


def test_databases_of_others_are_refused_with_a_way_out():
    path = traces.WORK / "browser.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE cookies (name)")
    db.commit()
    db.close()
    refused(path, "without tables NVTX_EVENTS and StringIds", "hint: `nsys export")


def test_columns_that_are_missing_are_named():
    path = traces.WORK / "ancient.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE NVTX_EVENTS (start, eventType, text, globalTid)")
    db.commit()
    db.close()
    refused(path, "table=NVTX_EVENTS: no column end", "hint: `nsys export")


def test_exports_that_are_older_than_their_report_are_refused():
    path = make("stale.sqlite", (10, 20, 59, "good", TID))
    report = path.with_suffix(".nsys-rep")
    report.write_bytes(b"")
    os.utime(path, (1000, 1000))
    refused(path, "it is older than", "nsys export -t sqlite -f true", "`touch ")
    os.utime(path)
    assert b":good" in traces.run(traces.RANGELINE, "stats", path).stdout


def test_memory_grows_with_the_processes_not_with_their_square():
    n = 6000
    path = make("many.sqlite", *((i * 100, i * 100 + 50, 59, "work", 1 << 48 | i << 24 | i)
                                 for i in range(1, n + 1)))
    assert traces.peak_kib(traces.RANGELINE, "print", path) < 70_000
    assert len(info(path)["processes"]) == n


def test_another_major_version_is_refused():
    path = make("newer.sqlite", tables=EVENTS + """;
        CREATE TABLE META_DATA_EXPORT (name, value);
        INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '4.1.0')""")
    refused(path, "needs another reader", "schema=4.1.0, supported=3.x")


def test_views_and_virtual_tables_are_not_asked():
    path = traces.WORK / "endless.sqlite"
    db = sqlite3.connect(path)
    db.executescript("""CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);
        CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
        SELECT i + 1 FROM n) SELECT i AS start, i AS end, 59 AS eventType, 'x' AS text,
        1 AS globalTid FROM n""")
    db.close()
    assert info(path)["events"] == 0


def test_texts_may_have_another_encoding():
    row = (1, 9, 59, "t\u00e9st \u2202", TID)
    plain = make("utf8.sqlite", row)
    wide = make("utf16.sqlite", row, tables="PRAGMA encoding = 'UTF-16';" + EVENTS)
    words = ("stats", "-q", "-r", "nvtx_sum", "-f", "csv")
    ours = traces.run(traces.RANGELINE, *words, plain).stdout
    assert "t\u00e9st \u2202" in ours.decode()
    assert traces.run(traces.RANGELINE, *words, wide).stdout == ours


def test_exports_without_annotations_are_empty_traces():
    path = traces.WORK / "no_nvtx.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value)")
    db.commit()
    db.close()
    done = traces.run(traces.RANGELINE, "stats", path)
    assert b"does not contain ranges" in done.stdout


def test_rows_in_any_order_nest_as_they_should():
    path = make("shuffled.sqlite",
                (30, 40, 59, "inner", TID), (10, 20, 59, "early", TID),
                (10, 50, 59, "outer", TID), (45, None, 59, "open", TID),
                (60, 70, 34, "mark", TID))
    tree = traces.run(traces.RANGELINE, "stats", "-q", "-r", "nvtx_pushpop_trace", "-f", "csv",
                      path).stdout.decode().splitlines()
    names = {line.split(",")[5]: line.split(",")[8] for line in tree[1:]}
    # A range still open when its thread's outer range ends cannot be on the same stack.
    assert names == {":outer": "0", ":early": "1", ":inner": "1", ":open": "0"}, tree


def test_ranges_that_cross_stand_on_a_thread_each():
    path = make("crossing.sqlite", (10, 30, 59, "a", TID), (20, 40, 59, "b", TID),
                (25, 28, 59, "c", TID), (35, 50, 59, "d", TID))
    rows = traces.ranges(path)
    assert {(r["message"], r["start"], r["end"], r["tid"]) for r in rows} == {
        ("a", 10, 30, 101), ("b", 20, 40, 101), ("c", 25, 28, 101), ("d", 35, 50, 101)}
    assert not any(r.get("unmatched") or r.get("open") for r in rows)
    assert len([t for p in info(path)["processes"] for t in p["threads"]]) == 2


def test_a_domain_that_no_row_names_stays_the_same():
    """Neither without a row nor with one that has no text, on the way through our SQLite."""
    path = make("nameless.sqlite", (10, 20, 59, "a", TID, None, None, 7),
                (30, 40, 59, "b", TID, None, None, 8), (5, None, 75, None, TID, None, None, 8),
                (50, 60, 59, "c", TID, None, None, 9), (5, None, 75, "", TID, None, None, 9))
    back = traces.export(path, "sqlite", name="nameless-again.sqlite")
    kept = [[(r["message"], r.get("domain")) for r in traces.ranges(p)] for p in (path, back)]
    assert kept == [[("a", None), ("b", None), ("c", '""')]] * 2, kept
    done = traces.run(traces.RANGELINE, "diff", "--all", "--json", path, back)
    assert {row["Verdict"] for row in json.loads(done.stdout)} == {"too few"}, done.stdout


def test_cells_that_make_no_sense_cost_their_row_only():
    far = 1 << 62
    path = make("absurd.sqlite",
                (10, 20, 59, "good", TID), ("noon", 20, 59, "a", TID), (None, 5, 59, "b", TID),
                (far, far + 5, 59, "c", TID), (-far, 5, 59, "d", TID), (1.5, 3, 59, "e", TID),
                (50, 40, 59, "backwards", TID), (60, "never", 59, "f", TID),
                (70, 80, 59, None, TID, None, 12345), (90, 95, "x", "g", TID),
                (100, 110, 60, "unknown", None), (120, 130, 60, "wide", -1, 1 << 62),
                (140, 150, 59, "deep", TID, None, None, -5, 1.5, 1 << 40, -7, b"\0" * 40),
                (160, 170, 59, b"\xff\0bytes", TID), (180, 190, 59, 17, TID),
                (-30, -20, 59, "before", TID))
    rows = {r.get("message"): r for r in traces.ranges(path)}
    assert rows["good"]["duration"] == 10 and rows["backwards"]["duration"] == 0
    assert rows["before"]["start"] == -30 and rows["f"]["open"]
    assert rows["unknown"]["duration"] == 10 and rows["wide"]["duration"] == 10
    assert not {"a", "b", "c", "d", "e", "g"} & set(rows)
    told = info(path)
    reasons = {d["reason"] for d in told["damages"]}
    assert reasons == {
        "a row of NVTX_EVENTS has an invalid start",
        "a row of NVTX_EVENTS has an invalid end",
        "a row of NVTX_EVENTS ends before it starts",
        "a row of NVTX_EVENTS has a textId that is not in StringIds",
        "a row of NVTX_EVENTS has an invalid binaryData"}, reasons


def test_many_threads_and_long_names_are_read():
    n = 3000
    path = make("many.sqlite", *[(i, i + 5, 59, f"n{i}", TID + i) for i in range(n)],
                (n, n + 1, 59, "\u20ac" * (1 << 19), TID))
    told = info(path)
    assert told["pushes"] == n + 1 and len(told["processes"][0]["threads"]) == n
    longest = max(len(r["message"].encode()) for r in traces.ranges(path))
    assert (1 << 20) - 3 < longest <= 1 << 20


def test_damage_in_the_file_is_an_error_or_less():
    """Bytes changed anywhere: an answer, or exit 1 with a message."""
    whole = traces.export(traces.everything(), "sqlite", "--include-blobs",
                          name="damaged.sqlite").read_bytes()
    gpu = case_gpu.small().read_bytes()
    chance = random.Random(1)
    for i in range(60):
        at_most = 100 if i % 3 == 0 else 1 << 30
        broken = bytearray(whole if i % 2 else gpu)
        for _ in range(1 + i % 7):
            at = 16 + chance.randrange(min(at_most, len(broken) - 24))
            broken[at:at + 1 + i % 5] = chance.randbytes(1 + i % 5)
        path = traces.WORK / "broken.sqlite"
        path.write_bytes(broken[:len(broken) - (i % 4 == 0) * chance.randrange(5000)])
        done = traces.run(traces.RANGELINE, "stats", "-q", "-r",
                          "nvtx_sum,counter_sum,payload_sum,nvtx_gpu_proj_sum,nvtx_kern_sum",
                          "-f", "csv", path, ok=False)
        assert done.returncode in (0, 1), (i, done)
        assert done.returncode == 0 or b"rangeline: " in done.stderr, done


ODD = [None, 0, 1, -1, 7, 59, 60, 1 << 24, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 61, (1 << 61) + 1,
       (1 << 63) - 1, -1 << 63, 0.5, -1e300, 1e300, float("inf"), "", "text", "9" * 30, b"",
       b"\xff" * 40, b"\0" * 3000, TID, TID - 101]


def test_any_value_in_any_cell_is_survived():
    seed = pathlib.Path(__file__).parents[2] / "fuzz/seeds/fuzz_import/small"
    chance = random.Random(2)
    for i in range(N_ODD):
        path = traces.WORK / "odd.sqlite"
        path.write_bytes(seed.read_bytes())
        db = sqlite3.connect(path)
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master")]
        for _ in range(1 + i % 12):
            table = chance.choice(tables)
            column = chance.choice(list(db.execute(f"PRAGMA table_info({table})")))[1]
            try:
                db.execute(f"UPDATE {table} SET \"{column}\" = ? WHERE rowid % ? = 0",
                           (chance.choice(ODD), chance.choice((1, 1, 2, 3))))
            except sqlite3.Error:  # a duplicate key, or one that is no number
                pass
        db.commit()
        db.close()
        done = traces.run(traces.RANGELINE, "stats", "-q", "-r",
                          "nvtx_sum,tree,counter_sum,payload_sum,nvtx_gpu_proj_trace,"
                          "nvtx_kern_sum", "-f", "csv", path, ok=False)
        assert done.returncode in (0, 1), (i, done)
        done = traces.run(traces.RANGELINE, "info", "--json", path, ok=False)
        assert done.returncode == 0 and json.loads(done.stdout), (i, done)


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
