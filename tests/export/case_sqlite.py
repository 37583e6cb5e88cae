# SPDX-License-Identifier: Apache-2.0
"""The SQLite export is what readers of Nsight Systems' exports expect: each test makes
the queries of one of them (docs/guide/EXPORT.md names them)."""
import collections
import json
import os
import pathlib
import sqlite3
import struct
import sys

import traces

COLUMNS = ("start end eventType rangeId category color text globalTid endGlobalTid textId "
           "domainId uint64Value int64Value doubleValue uint32Value int32Value floatValue "
           "jsonTextId jsonText binaryData").split()
MARK, THREAD, PUSH_POP, START_END, DOMAIN, CATEGORY = 34, 39, 59, 60, 75, 33


def opened(*options, trace=None):
    trace = trace or traces.everything()
    name = "-".join(["s", pathlib.Path(trace).stem, *options]).replace("/", "_")
    path = traces.export(trace, "sqlite", *options, name=name + ".sqlite")
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return db


def column(db, query, *arguments):
    return [row[0] for row in db.execute(query, arguments)]


def tables(db):
    return set(column(db, "SELECT name FROM sqlite_master WHERE type = 'table'"))


def test_every_trace_gives_a_sound_database():
    for name in traces.golden_names():
        db = opened(trace=traces.golden(name))
        whole = [r for r in traces.ranges(traces.golden(name)) if traces.is_whole(r)
                 and r["style"] in ("push_pop", "start_end")]
        n = db.execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType IN (59, 60)")
        assert n.fetchone()[0] == len(whole), name


def test_columns_are_nsights_in_its_order():
    db = opened()
    found = column(db, "SELECT name FROM pragma_table_info('NVTX_EVENTS')")
    assert found == COLUMNS, found
    assert db.execute("PRAGMA page_size").fetchone()[0] == 4096
    later = opened("--schema", "3.28")
    found = column(later, "SELECT name FROM pragma_table_info('NVTX_EVENTS')")
    assert found == COLUMNS + ["eventId"], found
    ids = column(later, "SELECT eventId FROM NVTX_EVENTS ORDER BY rowid")
    assert ids == list(range(1, len(ids) + 1))


def test_real_exports_have_no_other_tables_or_columns():
    schema = (pathlib.Path(__file__).parents[2] / "../shared/fixtures/"
              "nsys-2026.2-schema.sql")
    if not schema.exists():
        raise traces.Skipped("no export of Nsight Systems here")
    theirs = sqlite3.connect(":memory:")
    theirs.executescript(schema.read_text())
    ours = opened("--lazy=false")
    for table in tables(theirs):
        info = f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}')"
        assert ours.execute(info).fetchall() == theirs.execute(info).fetchall(), table


def test_rows_are_in_the_order_of_beginnings():
    for trace in traces.everything(), traces.everything(70000):
        starts = column(opened(trace=trace), "SELECT start FROM NVTX_EVENTS")
        assert starts == sorted(starts)
    db = opened(trace=traces.everything(70000))
    # A range that is open while more than 65,536 others begin keeps its place.
    place, end = db.execute("SELECT rowid, end FROM NVTX_EVENTS WHERE text = 'outer'"
                            ).fetchone()
    assert place == 1 and end > 0
    assert column(db, "SELECT count(*) FROM NVTX_EVENTS WHERE text IN ('odd', 'even')"
                  ) == [70000]
    assert column(db, "SELECT max(rowid) - count(*) FROM NVTX_EVENTS") == [0]


def test_it_says_what_print_says():
    db = opened()
    theirs = collections.Counter()
    for r in traces.ranges(traces.everything()):
        theirs[(r.get("message"), r.get("start"), r.get("end"), r["pid"],
                r["tid"], r.get("color"), r.get("category"), r["style"])] += 1
    ours = collections.Counter()
    for row in db.execute("""
            SELECT COALESCE(n.text, s.value), start, end, globalTid, color, category,
                   eventType
            FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = n.textId
            WHERE eventType IN (59, 60)"""):
        text, start, end, tid, color, category, kind = row
        ours[(text, start, end, tid >> 24 & 0xffffff, tid & 0xffffff,
              None if color is None else f"#{color:08x}", category,
              "push_pop" if kind == PUSH_POP else "start_end")] += 1
    assert ours == theirs, (ours - theirs, theirs - ours)


def test_nsys_ai_names_ranges_by_text_or_string():
    db = opened()
    names = set(column(db, "SELECT COALESCE(n.text, s.value) FROM NVTX_EVENTS n "
                           "LEFT JOIN StringIds s ON n.textId = s.id"))
    assert {"outer", "inner", "read", "block", "crossing"} <= names
    kernel = ("deviceId streamId start end shortName demangledName correlationId "
              "globalPid").split()
    db.execute(f"SELECT {','.join(kernel)} FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchall()
    for table in "RUNTIME", "MEMCPY", "MEMSET":
        assert column(db, f"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_{table}") == [0]
    assert "3" in column(db, "SELECT value FROM META_DATA_EXPORT "
                             "WHERE name = 'EXPORT_SCHEMA_VERSION_MAJOR'")


def test_nsys_ai_decodes_payloads_by_their_schemas():
    db = opened("--include-blobs")
    blob, domain = db.execute("SELECT binaryData, domainId FROM NVTX_EVENTS "
                              "WHERE text = 'send'").fetchone()
    header = struct.unpack_from("<4Q", blob)
    schema = header[1]
    assert header == (domain, schema, 16, 32), header
    name, entries, size = db.execute(
        "SELECT name, numEntries, payloadSize FROM NVTX_PAYLOAD_SCHEMAS "
        "WHERE domainId = ? AND schemaId = ?", (domain, schema)).fetchone()
    assert (name, entries, size) == ("message", 2, 16)
    fields = db.execute("SELECT name, type, COALESCE(offset, 0) FROM "
                        "NVTX_PAYLOAD_SCHEMA_ENTRIES WHERE schemaId = ? ORDER BY idx",
                        (schema,)).fetchall()
    assert fields == [("size", 18, 0), ("peer", 15, 8)], fields
    assert struct.unpack_from("<Q", blob, 32)[0] == 4096
    assert struct.unpack_from("<i", blob, 32 + 8)[0] == -3
    assert column(opened(), "SELECT count(binaryData) FROM NVTX_EVENTS") == [0]


def test_nsys_tui_finds_a_table_of_kernels():
    assert any("KERNEL" in name for name in tables(opened()))


def test_nsys2json_finds_processes_by_their_kernels():
    db = opened("--placeholder-gpu")
    kernels = column(db, "SELECT DISTINCT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL")
    ranges = column(db, "SELECT DISTINCT globalTid & ~0xffffff FROM NVTX_EVENTS")
    assert set(ranges) <= set(kernels)
    assert column(db, "SELECT max(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL") == [0]
    names = column(db, "SELECT s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s"
                       " ON s.id = k.shortName")
    assert len(names) == len(kernels)


def test_nsys2prv_keys_domains_by_process_and_categories_by_domain():
    db = opened()
    domains = {(d, g >> 24 & 0xffffff): text for d, g, text in db.execute(
        "SELECT domainId, globalTid, text FROM NVTX_EVENTS WHERE eventType = 75")}
    categories = {(c, d): text for c, d, text in db.execute(
        "SELECT category, domainId, text FROM NVTX_EVENTS WHERE eventType = 33")}
    for kind, domain, tid, category in db.execute(
            "SELECT eventType, domainId, globalTid, category FROM NVTX_EVENTS "
            "WHERE eventType IN (34, 59, 60)"):
        if domain:
            assert domains[domain, tid >> 24 & 0xffffff] == "io", kind
        if category:
            assert categories[category, domain] == "disk"
    assert sorted(domains.values()) == ["io", "io", "never used"]  # the child's is its own
    minor, micro = (int(column(db, "SELECT value FROM META_DATA_EXPORT WHERE name = ?",
                               f"EXPORT_SCHEMA_VERSION_{part}")[0])
                    for part in ("MINOR", "MICRO"))
    assert (minor, micro) == (25, 0)
    with_json = opened("--include-json")
    payload, = column(with_json, "SELECT jsonText FROM NVTX_EVENTS WHERE text = 'send'")
    assert json.loads(payload)[0]["schema"] == "message"


def test_nvtx_jl_finds_names_that_no_event_uses():
    db = opened()
    assert column(db, "SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 75 AND "
                      "text = 'never used'") == [1]
    io, = set(column(db, "SELECT domainId FROM NVTX_EVENTS WHERE eventType = 75 AND "
                         "text = 'io'"))
    assert db.execute("SELECT domainId, category FROM NVTX_EVENTS WHERE eventType = 33 "
                      "AND text = 'tape, never used'").fetchall() == [(io, 8)]
    of_io = opened("--domain", "io")  # a filter asks for what is used
    assert "never used" not in " ".join(column(
        of_io, "SELECT text FROM NVTX_EVENTS WHERE eventType IN (33, 75)"))


def test_tensorrt_llm_joins_registered_strings_by_id_alone():
    db = opened()
    assert column(db, "SELECT s.value FROM NVTX_EVENTS n JOIN StringIds s ON n.textId ="
                      " s.id WHERE eventType IN (34, 59, 60)") == ["block"]
    both = "SELECT count(*) FROM NVTX_EVENTS WHERE text IS NOT NULL AND textId IS NOT NULL"
    assert column(db, both) == [0]


def test_nvtx_jl_finds_threads_payloads_and_ends_elsewhere():
    db = opened()
    assert column(db, "SELECT text FROM NVTX_EVENTS WHERE eventType = 39") == ["ender"]
    ender, = column(db, "SELECT globalTid FROM NVTX_EVENTS WHERE eventType = 39")
    assert column(db, "SELECT endGlobalTid FROM NVTX_EVENTS WHERE text = 'crossing'"
                  ) == [ender]
    assert column(db, "SELECT endGlobalTid FROM NVTX_EVENTS WHERE text = 'here'") == [None]
    expected = {"u64": 1 << 60, "i64": -1, "double": 2.5, "u32": 0xffffffff, "i32": -1,
                "float": 0.5}
    for name, value in expected.items():
        long = {"u": "uint", "i": "int"}.get(name[0], "") + name[1:]
        field = (long if name[0] in "ui" else name) + "Value"
        row = db.execute("SELECT * FROM NVTX_EVENTS WHERE text = ? AND eventType = 34",
                         (name,)).fetchone()
        values = dict(zip(COLUMNS, row))
        assert values[field] == value, (name, values)
        assert sum(values[c] is not None for c in COLUMNS[11:17]) == 1
        assert values["end"] is None and values["category"] is None


def test_scripts_split_thread_ids_by_arithmetic():
    db = opened()
    found = set(db.execute("SELECT globalTid / 0x1000000 % 0x1000000, globalTid % "
                           "0x1000000 FROM NVTX_EVENTS WHERE eventType = 59"))
    expected = {(r["pid"], r["tid"]) for r in traces.ranges(traces.everything())
                if r["style"] == "push_pop"}
    assert found == expected
    assert column(db, "SELECT text FROM NVTX_EVENTS WHERE text LIKE 'in%' ORDER BY text"
                  ) == ["in the child", "inner"]
    assert set(column(db, "SELECT pid FROM PROCESSES")) >= {p for p, _ in expected}
    named = set(column(db, "SELECT globalTid & 0xffffff FROM ThreadNames"))
    assert {t for _, t in expected} <= named


def test_all_processes_have_names():
    names = dict(opened().execute("SELECT name, count(*) FROM PROCESSES GROUP BY name"))
    assert names == {"everything": 2, "rangeline": 1}, names
    for name in traces.golden_names():
        db = sqlite3.connect(traces.export(traces.golden(name), "sqlite"))
        assert not column(db, "SELECT pid FROM PROCESSES WHERE name IS NULL"), name


def test_processes_of_one_pid_in_two_traces_are_two():
    for one, other, n in ((traces.golden("nested"), traces.golden("startend"), 3),
                          (traces.before_any_clock([(1, 2)]),
                           traces.before_any_clock([(1, 2), (3, 4)]), 2)):
        db = sqlite3.connect(traces.export(one, "sqlite", other, name="aliases.sqlite"))
        pids = column(db, "SELECT globalPid FROM PROCESSES")
        assert len(pids) == len(set(pids)) == n, pids
        assert len(set(column(db, "SELECT globalTid >> 24 FROM NVTX_EVENTS "
                                  "WHERE eventType IN (59, 60)"))) == 2


def test_processes_of_one_pid_in_one_trace_are_two():
    trace = traces.one_pid()
    traces.check_one_pid(dict(opened(trace=trace).execute(
        "SELECT text, globalTid >> 24 FROM NVTX_EVENTS WHERE eventType = 59")))


def test_open_ranges_have_no_end():
    db = opened()
    assert set(column(db, "SELECT text FROM NVTX_EVENTS WHERE end IS NULL AND eventType "
                          "IN (59, 60)")) == {"never ended", "never popped"}
    assert column(db, "SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 60 AND rangeId "
                      "IS NULL") == [0]


def test_names_survive_whatever_is_in_them():
    found = column(opened(), "SELECT text FROM NVTX_EVENTS WHERE eventType = 34")
    missing = [n[:40] for n in traces.NAMES if n not in found]
    assert not missing, (missing, [f[:40] for f in found])


def test_counters_are_generic_events_and_a_view():
    db = opened("--include-json")
    rows = db.execute("SELECT domain, counter, value, unit, interpolation FROM "
                      "RANGELINE_COUNTERS ORDER BY timestamp").fetchall()
    assert rows == [("io", "queued", 5, "bytes", "until next"),
                    ("io", "queued", -2, "bytes", "until next"),
                    ("io", "queued", 0, "bytes", "until next"),
                    ("io", "queued", None, "bytes", "until next"),
                    ("io", "load", 0.25, None, None)], rows
    values = db.execute("""
        SELECT s.value, d.intVal, d.doubleVal FROM GENERIC_EVENTS e
        JOIN GENERIC_EVENT_TYPES t USING (typeId) JOIN StringIds s ON s.id = t.nameId
        LEFT JOIN GENERIC_EVENT_DATA d USING (genericEventId) ORDER BY e.timestamp""")
    assert values.fetchall() == [("queued", 5, None), ("queued", -2, None),
                                 ("queued", 0, None), ("queued", None, None),
                                 ("load", None, 0.25)]
    data = column(db, "SELECT json_extract(data, '$.value') FROM GENERIC_EVENTS")
    assert data == [5, -2, 0, None, 0.25]
    group = opened(trace=traces.golden("group"))
    assert column(group, "SELECT count(DISTINCT field) FROM RANGELINE_COUNTERS")[0] > 1


def test_every_number_has_a_name():
    db = opened()
    known = set(column(db, "SELECT id FROM ENUM_NSYS_EVENT_TYPE"))
    assert set(column(db, "SELECT DISTINCT eventType FROM NVTX_EVENTS")) <= known
    assert len(known) == 155
    assert column(db, "SELECT count(*) FROM ENUM_NSYS_EVENT_CLASS") == [99]


def test_the_session_has_its_times():
    db = opened()
    epoch, utc, clock = db.execute("SELECT utcEpochNs, utcTime, systemClockNs FROM "
                                   "TARGET_INFO_SESSION_START_TIME").fetchone()
    duration, start, stop = db.execute("SELECT duration, startTime, stopTime FROM "
                                       "ANALYSIS_DETAILS").fetchone()
    assert start == clock and stop == start + duration
    assert abs(epoch / 1e9 - os.stat(traces.everything()).st_mtime) < 600
    assert len(utc) == 19 and utc[10] == "T"
    assert duration == max(column(db, "SELECT max(COALESCE(end, start)) FROM NVTX_EVENTS"))


def test_switches_are_sched_events():
    """With the numbers of ENUM_SAMPLING_THREAD_STATE: running, terminated, unscheduled,
    waiting. Threads without events have the process that they were born in."""
    db = opened(trace=traces.golden("switches"))
    assert column(db, "SELECT name FROM pragma_table_info('SCHED_EVENTS')") == [
        "start", "cpu", "isSchedIn", "globalTid", "threadState", "threadBlock"]
    rows = list(db.execute("SELECT start, cpu, isSchedIn, threadState FROM SCHED_EVENTS "
                           "WHERE globalTid % 0x1000000 = 100 ORDER BY start"))
    assert rows == [(0, 0, 1, 1), (30000, 0, 0, 6), (50800, 0, 1, 1), (100000, 0, 0, 7),
                    (150000, 1, 1, 1)], rows
    rows = column(db, "SELECT threadState FROM SCHED_EVENTS WHERE globalTid % 0x1000000 = 101 "
                      "ORDER BY start")
    assert rows == [1, 7, 1, 5], rows
    assert column(db, "SELECT label FROM SCHED_EVENTS JOIN ENUM_SAMPLING_THREAD_STATE ON "
                      "threadState = id WHERE start = 30000") == ["Unscheduled"]
    times = opened("--times", "30us/60us", trace=traces.golden("switches"))
    assert column(times, "SELECT start FROM SCHED_EVENTS ORDER BY start") == [
        30000, 31000, 50000, 50800]
    execed = opened(trace=traces.golden("execed"))
    assert list(execed.execute("SELECT start, cpu, isSchedIn, globalTid % 0x1000000, threadState "
                               "FROM SCHED_EVENTS WHERE start >= 114000 ORDER BY start, isSchedIn")) == [
        (114000, 0, 1, 100, 1), (116000, 0, 0, 100, 5), (120000, 1, 0, 101, 5), (120000, 1, 1, 100, 1),
        (150000, 1, 0, 100, 7), (160000, 1, 1, 100, 1)]
    none = tables(opened(trace=traces.golden("nested")))
    assert not none & {"SCHED_EVENTS", "ENUM_SAMPLING_THREAD_STATE"}, none


def test_tables_that_nobody_asked_for_are_left_out():
    assert tables(opened("--tables", "nvtx_events,^string")) == {"NVTX_EVENTS",
                                                                 "StringIds"}
    views = "SELECT count(*) FROM sqlite_master WHERE type = 'view'"
    assert column(opened("--tables", "generic_event"), views) == [0]  # it needs another one
    few, all_of_them = tables(opened()), tables(opened("--lazy=false"))
    assert few < all_of_them
    assert "NVTX_SCOPES" in all_of_them - few
    assert not column(opened(), "SELECT name FROM sqlite_master WHERE type = 'index'")
    indexes = column(opened("--indexes"), "SELECT name FROM sqlite_master WHERE type = "
                                          "'index'")
    assert "RANGELINE_BY_START" in indexes


def test_times_are_nsights():
    db = opened(trace=traces.golden("nested"))
    span = db.execute("SELECT start, end FROM NVTX_EVENTS WHERE eventType = 59 AND end "
                      "IS NOT NULL ORDER BY start").fetchall()
    assert span == [(0, 100000), (10000, 50000)], span

    def kept(times):
        some = opened("--times", times, trace=traces.golden("nested"))
        return len(some.execute("SELECT 1 FROM NVTX_EVENTS WHERE eventType = 59 AND end "
                                "IS NOT NULL").fetchall())
    assert kept("0/100us") == 2
    assert kept("1/100us") == 1  # the outer one begins before
    assert kept(":1/100us") == 2
    assert kept("0/50us") == 1
    assert kept("0/50us:") == 2
    assert kept("10us/20us,0/100us") == 2
    assert kept("60us/") == 0
    done = traces.export(traces.golden("nested"), "sqlite", "--times", "nonsense",
                         ok=False)
    assert done.returncode == 2 and b"--times 1s/2500ms" in done.stderr, done
    done = traces.export(traces.golden("nested"), "perfetto", "--times", "0/1", ok=False)
    assert done.returncode == 2 and b"--filter-time" in done.stderr, done


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
