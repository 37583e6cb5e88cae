# SPDX-License-Identifier: Apache-2.0
"""Text formats, parsed by their own grammars, have the recorded events."""
import collections
import csv
import gzip
import io
import json
import shutil
import sqlite3
import sys

import traces

Key = collections.namedtuple("Key", "name start end pid tid")


def parsed(trace, kind, *options, **more):
    return json.loads(traces.export(trace, kind, *options, **more).read_bytes(),
                      parse_float=str)


def expected(trace, *styles):
    return collections.Counter(
        Key(r.get("message"), r["start"], r.get("end"), r["pid"], r["tid"])
        for r in traces.ranges(trace) if traces.is_whole(r) and r["style"] in styles)


def assert_same(ours, theirs):
    assert ours == theirs, (ours - theirs, theirs - ours)


def ns(microseconds):
    whole, _, rest = str(microseconds).partition(".")
    assert len(rest) == 3, microseconds
    return int(whole + rest)


# --- Chrome ---------------------------------------------------------------------------

def check_event(e):
    """Checks what the Trace Event Format requires of each phase."""
    assert isinstance(e["name"], str) and isinstance(e["pid"], int), e
    assert e["ph"] in "XBiCMbe" and isinstance(e["tid"], int), e
    needs = {"X": ["dur"], "i": ["s"], "C": ["args"], "M": ["args"], "b": ["id", "cat"],
             "e": ["id", "cat"]}
    assert all(key in e for key in needs.get(e["ph"], [])), e
    ns(e["ts"])


def test_chrome_has_every_range():
    names = [traces.everything()] + [
        traces.golden(n) for n in traces.golden_names()
        if n not in ("gpu", *traces.RESUMED)]  # case_gpu.py: slices that are no ranges
    for trace in names:
        found = parsed(trace, "chrome")["traceEvents"]
        ours, begun = collections.Counter(), {}
        for e in found:
            check_event(e)
            name = None if e["name"] == "(no message)" else e["name"]
            tid = int(e.get("args", {}).get("thread", e["tid"]))
            if e["ph"] == "X":
                end = ns(e["ts"]) + ns(e["dur"])
                ours[Key(name, ns(e["ts"]), end, e["pid"] % traces.ALIAS, tid)] += 1
            elif e["ph"] == "B":
                ours[Key(name, ns(e["ts"]), None, e["pid"] % traces.ALIAS, tid)] += 1
            elif e["ph"] == "b":
                begun[e["id"], e["cat"], e["pid"]] = (name, e)
            elif e["ph"] == "e":
                name, b = begun.pop((e["id"], e["cat"], e["pid"]))
                ours[Key(name, ns(b["ts"]), ns(e["ts"]), b["pid"] % traces.ALIAS,
                         b["tid"])] += 1
        for name, b in begun.values():
            ours[Key(name, ns(b["ts"]), None, b["pid"] % traces.ALIAS, b["tid"])] += 1
        assert_same(ours, expected(trace, "push_pop", "start_end"))


def test_chrome_tells_processes_of_one_pid_apart():
    found = parsed(traces.golden("nested"), "chrome", traces.golden("startend"))
    pids = {e["pid"] for e in found["traceEvents"]}
    assert pids == {100, 100 + traces.ALIAS}, pids


def test_chrome_tells_processes_of_one_pid_in_one_trace_apart():
    found = parsed(traces.one_pid(), "chrome")["traceEvents"]
    traces.check_one_pid({e["name"]: e["pid"] for e in found if e["ph"] == "X"})


def test_chrome_has_arguments_marks_names_and_counters():
    found = parsed(traces.everything(), "chrome")["traceEvents"]
    marks = [e["name"] for e in found if e["ph"] == "i"]
    assert set(traces.NAMES) <= set(marks)
    read, = (e for e in found if e["name"] == "read")
    assert read["cat"] == "io"
    assert read["args"] == {"category": "disk", "color": "#ff00ff00"}
    send, = (e for e in found if e["name"] == "send")
    assert send["args"]["payloads"][0]["value"] == {"size": 4096, "peer": -3}
    assert {e["args"]["name"] for e in found if e["name"] == "process_name"
            } == {"everything"}
    counters = [e["args"] for e in found if e["ph"] == "C" and e["name"] == "queued"]
    assert counters == [{"bytes": 5}, {"bytes": -2}, {"bytes": 0}], counters


def check_nesting(found):
    """Checks that ranges nest on each track: readers drop those that cross."""
    tracks = collections.defaultdict(list)
    for e in found:
        if e["ph"] == "X":
            start = ns(e["ts"])
            tracks[e["pid"], e["tid"]].append((start, -(start + ns(e["dur"])), e["name"]))
    for track in tracks.values():
        stack = []
        for start, end, name in sorted(track):
            while stack and stack[-1] <= start:
                stack.pop()
            assert not stack or -end <= stack[-1], name
            stack.append(-end)


def test_chrome_ranges_nest_on_each_track():
    for trace in [traces.everything()] + [traces.golden(n) for n in traces.golden_names()]:
        found = parsed(trace, "chrome")["traceEvents"]
        check_nesting(found)
        assert all(e["cat"] for e in found), trace


def test_chrome_moves_ranges_that_cross():
    found = parsed(traces.crossing(), "chrome")["traceEvents"]
    check_nesting(found)
    names = {e["tid"]: e["args"]["name"] for e in found if e["name"] == "thread_name"}
    assert collections.Counter((e["name"], names[e["tid"]]) for e in found
                               if e["ph"] == "X") == {
        ("first", "crossing"): 20, ("second", "crossing (2)"): 20,
        ("outer", "crossing (2)"): 1, ("across", "crossing"): 1,
        ("small", "crossing"): 3}


def test_chrome_has_a_track_per_scope():
    found = parsed(traces.scopes(), "chrome")["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in found if e["name"] == "thread_name"}
    assert {e["name"]: names[e["tid"]] for e in found if e["ph"] == "X"} == {
        name: f"scopes {scope} (deferred)" if scope else "scopes (deferred)"
        for name, scope in traces.SCOPES.items()}


def test_chrome_tracks_are_categories():
    found = parsed(traces.everything(), "chrome", "--tracks", "category",
                   name="category.json")["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in found
             if e["name"] == "thread_name"}
    assert names[next((e["pid"], e["tid"]) for e in found if e["name"] == "read")] == "disk"
    check_nesting(found)


# --- Lines ----------------------------------------------------------------------------

def lines(trace, *options):
    csv.field_size_limit(1 << 22)
    text = traces.export(trace, "csv", *options).read_bytes().decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_csv_has_every_range():
    for trace in [traces.everything()] + [traces.golden(n) for n in traces.golden_names()
                                          if n not in traces.RESUMED]:
        ours = collections.Counter()
        for row in lines(trace):
            assert None not in row and None not in row.values(), row
            if row["type"] in ("push_pop", "start_end"):
                ours[Key(row["name"] or None, int(row["start_ns"]),
                         int(row["end_ns"]) if row["end_ns"] else None, int(row["pid"]),
                         int(row["tid"]))] += 1
        assert_same(ours, expected(trace, "push_pop", "start_end"))


def test_csv_has_names_payloads_and_samples():
    rows = lines(traces.everything())
    assert set(traces.NAMES) <= {r["name"] for r in rows if r["type"] == "mark"}
    crossing, = (r for r in rows if r["name"] == "crossing")
    assert crossing["end_tid"] not in ("", crossing["tid"])
    read, = (r for r in rows if r["name"] == "read")
    assert (read["domain"], read["category"], read["category_name"], read["color"]) == (
        "io", "7", "disk", "#ff00ff00")
    assert {r["name"]: r["payload"] for r in rows if r["payload"]} == {
        "u64": str(1 << 60), "i64": "-1", "double": "2.5", "u32": "4294967295",
        "i32": "-1", "float": "0.5"}
    samples = [(r["name"], r["value"], r["unit"]) for r in rows if r["type"] == "sample"]
    assert samples == [("queued", "5", "bytes"), ("queued", "-2", "bytes"),
                       ("queued", "0", "bytes"), ("queued", "", "bytes"),
                       ("load", "0.25", "")], samples


def test_csv_has_scopes():
    assert {r["name"]: r["scope"] or None for r in lines(traces.scopes())
            } == traces.SCOPES
    assert {r.get("message"): r.get("scope") for r in traces.ranges(traces.scopes())
            } == traces.SCOPES
    assert {e["message"]: e.get("scope") for e in traces.events(traces.scopes())
            if e["type"] == "push"} == traces.SCOPES


def spelled(row):
    """A row as text, in which 1 and 1.0 are one."""
    return json.dumps({k: int(v) if isinstance(v, float) and v == int(v) else v
                       for k, v in row.items()})


def test_jsonl_has_the_rows_of_the_database():
    for trace in traces.everything(), traces.golden("counters"):
        db = sqlite3.connect(traces.export(trace, "sqlite", "--include-json"))
        db.row_factory = sqlite3.Row
        found = collections.defaultdict(list)
        path = traces.export(trace, "jsonl", "--include-json")
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[row.pop("table")].append(row)
        for table, rows in found.items():
            if table == "META_DATA_EXPORT":
                continue
            theirs = [{k: v for k, v in dict(r).items() if v is not None}
                      for r in db.execute(f"SELECT * FROM {table}")]
            assert sorted(map(spelled, rows)) == sorted(map(spelled, theirs)), table


# --- Stacks ---------------------------------------------------------------------------

def self_times(trace):
    """Self times by path of names, from the pushes and pops of `print`."""
    total, stacks, since = collections.Counter(), collections.defaultdict(list), {}
    last = 0
    for e in traces.events(trace):
        last = max(last, e["t"]) if e["type"] != "thread_begin" else last
        where = e["pid"], e.get("tid")
        if e["type"] not in ("push", "pop"):
            continue
        stack = stacks[where]
        if stack:
            total[(where[0], *stack)] += e["t"] - since[where]
        since[where] = e["t"]
        if e["type"] == "push":
            domain = e.get("domain")
            name = e.get("message", "(no message)")
            stack.append((domain + ":" if domain else "") + name)
        elif not (e.get("unmatched") or e.get("inherited")):
            stack.pop()
    for where, stack in stacks.items():
        if stack:
            total[(where[0], *stack)] += last - since[where]
    return {k: v for k, v in total.items() if v}


def test_folded_adds_up_each_stacks_own_time():
    text = traces.export(traces.everything(), "folded").read_text(encoding="utf-8")
    ours = collections.Counter()
    for line in text.splitlines():
        path, _, weight = line.rpartition(" ")
        ours[tuple(path.split(";")[1:])] += int(weight)
        assert path.startswith("everything;"), line
    theirs = collections.Counter()
    for path, weight in self_times(traces.everything()).items():
        theirs[path[1:]] += weight
    assert_same(ours, theirs)
    calls = traces.export(traces.everything(), "folded", "--weight", "calls")
    assert "everything;outer;io:read;io:block 1\n" in calls.read_text(encoding="utf-8")


def folded_path(stack):
    """Levels below the 512th become one frame."""
    return tuple(stack if len(stack) <= 512 else stack[:512] + ["(deeper)"])


def test_speedscope_says_who_without_stray_blanks():
    for trace in traces.before_any_clock([(1, 2)]), traces.golden("nested"):
        for profile in parsed(trace, "speedscope")["profiles"]:
            assert profile["name"] == " ".join(profile["name"].split()), profile["name"]


def test_speedscope_profiles_nest_and_last_as_long():
    for trace in [traces.everything(70000)] + [traces.golden(n)
                                               for n in traces.golden_names()]:
        found = parsed(trace, "speedscope")
        assert found["$schema"] == ("https://www.speedscope.app/"
                                    "file-format-schema.json")
        frames = [f["name"] for f in found["shared"]["frames"]]
        total = collections.Counter()
        for profile in found["profiles"]:
            if " GPU 0/" in profile["name"]:  # folded stacks have no streams (case_gpu.py)
                continue
            assert set(profile) == {"type", "name", "unit", "startValue", "endValue",
                                    "events"}, profile["name"]
            assert (profile["type"], profile["unit"]) == ("evented", "nanoseconds")
            stack, last = [], profile["startValue"]
            for e in profile["events"]:
                assert e["at"] >= last, e
                total[folded_path(stack)] += e["at"] - last
                last = e["at"]
                if e["type"] == "O":
                    stack.append(frames[e["frame"]])
                else:
                    assert stack.pop() == frames[e["frame"]], e
            assert not stack and last == profile["endValue"], profile["name"]
        folded = traces.export(trace, "folded").read_text(encoding="utf-8")
        theirs = collections.Counter()
        for line in folded.splitlines():
            path, _, weight = line.rpartition(" ")
            theirs[tuple(path.split(";")[1:])] += int(weight)
        del total[()]
        assert_same(+total, theirs)


# --- NVTXT ----------------------------------------------------------------------------

def test_nvtxt_has_every_range_and_mark():
    trace = traces.everything()
    columns, ours, stacks = {}, collections.Counter(), collections.defaultdict(list)
    marks = []
    for line in traces.export(trace, "nvtxt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or " = " in line or line.startswith("SetFileDisplayName"):
            continue
        words = next(csv.reader([line], skipinitialspace=True))
        if line.startswith("@"):
            columns[words[0][1:]] = words[1:]
            continue
        r = dict(zip(columns[words[0]], words[1:]))
        assert len(r) == len(words) - 1, line
        pid, tid = int(r["ProcessId"]), int(r["ThreadId"])
        if words[0] == "RangePush":
            stacks[pid, tid].append((r["Message"], int(r["Time"])))
        elif words[0] == "RangePop":
            name, start = stacks[pid, tid].pop()
            ours[Key(name, start, int(r["Time"]), pid, tid)] += 1
        elif words[0] == "RangeStartEnd":
            ours[Key(r["Message"], int(r["Start"]), int(r["End"]), pid, tid)] += 1
        else:
            marks.append(r["Message"])
    assert not any(stacks.values())
    last = max(k.end for k in ours)
    theirs = collections.Counter(
        Key((r["domain"] + ":" if "domain" in r else "") + r["message"], r["start"],
            r.get("end", last), r["pid"], r["tid"]) for r in traces.ranges(trace))
    assert_same(ours, theirs)
    assert "with 'quotes', 'these' and \\" in marks and r"two\x0alines\x09and a tab" in marks


def test_nvtxt_pops_what_is_above_a_range_that_ends_first():
    trace = traces.before_any_clock([(100, 200), (150, 400)])
    text = traces.export(trace, "nvtxt").read_text(encoding="utf-8")
    assert [line.split(",")[:2] for line in text.splitlines()
            if line.startswith("Range")] == [
        ["RangePush", " 100"], ["RangePush", " 150"], ["RangePop", " 200"],
        ["RangePop", " 200"], ["RangePush", " 200"], ["RangePop", " 400"]], text


# --- Files ----------------------------------------------------------------------------

def test_text_goes_to_standard_output_and_is_compressed():
    trace = traces.everything()
    for kind in "chrome", "jsonl", "json", "csv", "folded", "speedscope":
        plain = traces.run(traces.RANGELINE, "export", "-t", kind, "-o", "-", trace)
        assert plain.stdout and not plain.stderr, plain.stderr
        if kind == "jsonl":
            continue  # has the time of the export in it
        packed = traces.export(trace, kind, name=f"packed.{kind}.gz", ok=False)
        if b"built without zlib" not in packed.stderr:
            assert gzip.decompress((traces.WORK / f"packed.{kind}.gz").read_bytes()
                                   ) == plain.stdout
        packed = traces.export(trace, kind, name=f"packed.{kind}.zst", ok=False)
        if b"built without libzstd" in packed.stderr or not shutil.which("zstd"):
            continue
        path = traces.WORK / f"packed.{kind}.zst"
        assert traces.run("zstd", "-dcq", path).stdout == plain.stdout


def test_a_large_export_is_compressed_whole():
    trace = traces.everything(70000)
    packed = traces.export(trace, "chrome", name="large.json.gz", ok=False)
    if b"built without zlib" in packed.stderr:
        raise traces.Skipped("zlib is not installed")
    with gzip.open(traces.WORK / "large.json.gz") as text:
        assert len(json.load(text)["traceEvents"]) > 70000


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
