# SPDX-License-Identifier: Apache-2.0
"""Tables of rangeline.open() have the contents that `rangeline print --json` prints."""
import errno
import gc
import html.parser
import json
import os
import pickle
import re
import sqlite3
import stat
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest
import rangeline
from rangeline import _native
from conftest import RANGELINE, ROOT, decode
from conftest import recorded as recorded_run

pytestmark = pytest.mark.slow

PROGRAM = """
    import os
    import rangeline.nvtx as nvtx

    domain = nvtx.get_domain("io")
    counter = domain.get_counter("level", float)
    for i in range(3):
        with nvtx.annotate("step", color=0x112233, payload=i):
            with nvtx.annotate("load", domain="io", category="disk"):
                counter.sample(i / 2)
            nvtx.mark("caf\\u00e9", payload=-1.5)
    handle = nvtx.start_range("open \\u2713")
    nvtx.push_range("never closed")
    if "twice" in os.environ:
        nvtx.mark("again")
"""


@pytest.fixture(name="recorded")
def recorded_program(record):
    return record(PROGRAM)


def test_a_trace_is_a_context_manager(recorded):
    with rangeline.open(recorded.trace) as trace:
        assert len(list(trace.marks())) == 3
    assert len(list(trace.marks())) == 3
    with pytest.raises(KeyError), rangeline.open(recorded.trace):
        raise KeyError


def number(value):
    return float(value) if value is not None else None


def test_ranges_are_those_of_print(recorded):
    expected = recorded.ranges()
    found = list(rangeline.open(recorded.trace).ranges())
    assert len(found) == len(expected) == 8
    for row, event in zip(found, expected):
        assert row.name == event["message"]
        assert row.domain == event.get("domain")
        assert row.start == event["start"]
        assert row.end == event.get("end")
        assert row.duration == (None if row.end is None else row.end - row.start)
        assert row.style == {"push_pop": "push_pop", "start_end": "start_end"}[
            event["style"]]
        assert (row.pid, row.tid) == (event["pid"], event["tid"])
        assert row.category_name == event.get("category_name")
        assert row.depth == event.get("depth")
        color = event.get("color")
        assert row.color == (int(color[1:], 16) if color else None)
        assert row.payload == number(event.get("payload"))
        assert not row.registered or event.get("registered")


def test_marks_and_samples_are_those_of_print(recorded):
    trace = rangeline.open(recorded.trace)
    marks = [(e["t"], e["message"], e["payload"]) for e in recorded.of("mark")]
    assert [(r.time, r.name, r.payload) for r in trace.marks()] == marks
    assert [r.payload_int for r in trace.marks()] == [None] * 3
    samples = [(e["t"], e["name"], e["value"]) for e in recorded.of("sample")]
    assert [(r.time, r.counter, r.value) for r in trace.counters()] == samples
    assert len(samples) == 3


def test_events_are_those_of_print(recorded):
    found = list(rangeline.open(recorded.trace).events())
    assert [(r.time, r.type, r.tid) for r in found] == [
        (e["t"], e["type"], e.get("tid")) for e in recorded]


def test_events_of_every_kind_are_those_of_print(tmp_path):
    """Traces of what no program here says, or of recorders of other days."""
    make_traces = os.path.join(os.path.dirname(RANGELINE), "make_traces")
    if not os.path.exists(make_traces):
        pytest.skip("the project was built without its tests: no make_traces")
    subprocess.run([make_traces, str(tmp_path)], check=True)
    seen = set()
    for trace in sorted(tmp_path.glob("*.rln")):
        done = subprocess.run([RANGELINE, "print", "--json", str(trace)],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode:
            continue
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        types = [line["type"] for line in lines if "t" in line]
        assert [row.type for row in rangeline.open(trace).events()] == types, trace.name
        seen.update(types)
    assert {"overwritten", "resumed", "gap", "memory", "sync_wait"} <= seen


def test_sqlite_exports_are_traces(recorded, tmp_path):
    export = tmp_path / "export.sqlite"
    done = subprocess.run([RANGELINE, "export", "-o", export, recorded.trace],
                          stderr=subprocess.PIPE, check=False)
    if b"without SQLite" in done.stderr:
        pytest.skip("this build is without SQLite")
    assert not done.returncode, done.stderr
    keys = "name domain start end depth style pid tid payload color category".split()
    kept = [sorted([[getattr(row, key) for key in keys] for row in rangeline.open(path).ranges()],
                   key=lambda row: (row[2], row[4]))
            for path in (recorded.trace, export)]
    assert kept[0] == kept[1] and len(kept[0]) == 8
    marks = [[(row.time, row.name, row.payload) for row in rangeline.open(path).marks()]
             for path in (recorded.trace, export)]
    assert marks[0] == marks[1] and len(marks[0]) == 3


def test_summary_and_tree(recorded):
    trace = rangeline.open(recorded.trace)
    summary = {(r.domain, r.name): r for r in trace.summary()}
    assert summary[None, "step"].count == 3
    assert summary["io", "load"].total == sum(
        r.duration for r in trace.ranges(name="load"))
    assert summary[None, "never closed"].open == 1
    tree = list(trace.tree())
    load = next(node for node in tree if node.name == "load")
    assert tree[load.parent].name == "step"
    assert load.level == 1
    for row in trace.summary():
        own = [node.self for node in tree
               if (node.domain, node.name) == (row.domain, row.name)]
        assert row.self == (sum(own) if row.style == "push_pop" else None), row
    assert [(r.name, r.count) for r in trace.summary(name="l*", domain="io")] == [
        ("load", 3)]
    assert [r.name for r in trace.summary(domain=None)] == [
        r.name for r in trace.summary() if r.domain is None]
    assert [(node.level, node.name, node.count) for node in trace.tree(domain="io")] == [
        (0, "step", 0), (1, "load", 3)]
    assert len(trace.summary(thread="no such thread")) == 0
    with pytest.raises(TypeError, match="min_duration"):
        trace.summary(min_duration=1)
    assert "    io:load" not in str(trace.tree()).splitlines()[0]
    assert any(line.endswith("  io:load") for line in str(trace.tree()).splitlines())


@pytest.mark.parametrize("filters,expected", [
    ({"name": "load"}, ["load"] * 3),
    ({"name": ["l*", "never*"]}, ["load"] * 3 + ["never closed"]),
    ({"domain": "io"}, ["load"] * 3),
    ({"domain": None, "name": "s*"}, ["step"] * 3),
    ({"category": "disk"}, ["load"] * 3),
    ({"thread": 0}, []),
    ({"name": "step", "min_duration": 10**15}, []),
    ({"name": "\\u2713"}, []),
    ({"payload": ">= 1"}, ["step"] * 2),
    ({"payload": [0, "2..3"], "name": "s*"}, ["step"] * 2),
])
def test_filters(recorded, filters, expected):
    found = rangeline.open(recorded.trace).ranges(**filters)
    assert [r.name for r in found] == expected
    assert len(found) == len(expected)


def test_names_are_what_rules_make_of_them(recorded):
    trace = rangeline.open(recorded.trace)
    renamed = trace.ranges(rename=["s/^s.*/step 7/", "numbers"], name="step #")
    assert [r.name for r in renamed] == ["step #"] * 3
    assert {r.name for r in trace.summary(rename="s/.*/x/")} == {"x"}
    assert {m.name for m in trace.marks(rename="s/.*/x/")} == {"x"}
    assert len(trace.diff(trace, rename="s/.*/x/")) < len(trace.diff(trace))


def test_events_of_ranges_that_a_payload_chooses(recorded):
    trace = rangeline.open(recorded.trace)
    assert [(e.type, e.name) for e in trace.events(payload="=2")] == [
        ("push", "step"), ("pop", "step")]
    assert [e.type for e in trace.events(payload="< 0")] == ["mark"] * 3
    assert [m.payload for m in trace.marks(payload="-2..-1")] == [-1.5] * 3
    assert [row.count for row in trace.summary(payload="!= 0")] == [2]


def test_a_trace_may_be_named_like_an_option(recorded, monkeypatch):
    monkeypatch.chdir(recorded.trace.parent)
    recorded.trace.rename("-q.rln")
    trace = rangeline.open("-q.rln")
    assert len(trace.reports["nvtx_sum"]) == len(trace.diff("-q.rln")) == 4
    assert trace.check() and trace.info["finished"]


def test_reports_diff_and_check_are_those_of_the_command(recorded, record):
    trace = rangeline.open(recorded.trace)
    other = record(PROGRAM, env={"twice": "1"})
    text = subprocess.run([RANGELINE, "stats", "-q", "-f", "json", "-r", "nvtx_sum",
                           recorded.trace], stdout=subprocess.PIPE, check=True).stdout
    assert list(trace.reports["nvtx_sum"]) == json.loads(text)
    assert trace.reports["pace:step"].columns[0] == "Number"
    verdicts = {row["Range"]: row["Verdict"] for row in trace.diff(other.trace)}
    assert verdicts["step"] == "too few"
    assert {row["Finding"] for row in trace.check()} >= {"never-closed"}
    assert trace.info["events"] == len(recorded.of(
        "mark", "push", "pop", "start", "end", "sample"))


def test_reports_are_a_mapping(recorded):
    reports = rangeline.open(recorded.trace).reports
    assert all(name in reports for name in (*reports, "pace:step"))
    assert len(reports) == len(list(reports)) > 5
    assert repr(reports) == f"<rangeline.Reports {', '.join(reports)}>"
    for name in "nosuch", "nosuch:step", "", 3, None, b"pace", ("pace",):
        assert name not in reports and reports.get(name, "default") == "default"
        with pytest.raises(KeyError):
            reports[name]
    assert "nvtx_sum:step" not in reports
    with pytest.raises(ValueError, match="nvtx_sum has no arguments"):
        reports["nvtx_sum:step"]


def test_without_the_command_reports_say_so(recorded, monkeypatch):
    reports = rangeline.open(recorded.trace).reports
    monkeypatch.setattr("rangeline.trace._find_command", lambda: None)
    for use in list, len, lambda each: each["pace"], lambda each: "pace" in each:
        with pytest.raises(FileNotFoundError, match="the command rangeline is neither"):
            use(reports)


def test_the_head_of_a_table(recorded):
    table = rangeline.open(recorded.trace).ranges()
    rows = list(table)
    assert [table.head(n) for n in (0, 2, 2**70)] == [[], rows[:2], rows]
    assert table.head() == rows
    with pytest.raises(ValueError, match="^n must be 0 or more, not -1$"):
        table.head(-1)
    for n, name in ((1.5, "float"), ("x", "str"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"^n must be int, not {name}$"):
            table.head(n)


def test_what_cannot_be_opened_says_why(recorded, tmp_path):
    (tmp_path / "text.rln").write_text("no trace")
    nosuch = tmp_path / "nosuch.rln"
    for path in (nosuch, [recorded.trace, nosuch]):
        with pytest.raises(FileNotFoundError) as caught:
            rangeline.open(path)
        assert caught.value.filename == str(nosuch)
    with pytest.raises(NotADirectoryError):
        rangeline.open(tmp_path / "text.rln" / "run.rln")
    with pytest.raises(ValueError, match="not a trace"):
        rangeline.open(str(tmp_path / "text.rln"))
    (tmp_path / "job.rlsum").write_text("sums")
    with pytest.raises(ValueError, match="`rangeline stats` reads sums"):
        rangeline.open(tmp_path / "job.rlsum")
    for path, text in ((3, "not int"), (None, "not NoneType"), ([1], "not list")):
        with pytest.raises(TypeError, match=text):
            rangeline.open(path)
    with pytest.raises(ValueError, match="at least one"):
        rangeline.open([])
    trace = rangeline.open([recorded.trace])
    with pytest.raises(TypeError, match="no filter 'nme'"):
        trace.ranges(nme="x")
    with pytest.raises(TypeError, match="name must be str"):
        trace.ranges(name=1.5)
    with pytest.raises(ValueError, match="window=9"):
        trace.ranges(window=9)
    with pytest.raises(ValueError, match="path must not contain a null character"):
        rangeline.open(f"{recorded.trace}\0")


@pytest.mark.parametrize("filters,error,text", [
    ({"window": -1}, ValueError, "window must be from 0 to 2**32 - 1, not -1"),
    ({"window": 2**64 - 1}, ValueError, "window must be from 0 to 2**32 - 1"),
    ({"window": True}, TypeError, "window must be int or None, not bool"),
    ({"min_duration": -5}, ValueError, "min_duration must be from 0 to 2**64 - 1 ns, not"),
    ({"min_duration": 2**64}, ValueError, "min_duration must be from 0 to 2**64 - 1 ns"),
    ({"min_duration": float("nan")}, ValueError, "must be from 0 to 2**64 - 1 ns"),
    ({"min_duration": "1ms"}, TypeError, "min_duration must be a number, not str"),
    ({"name": b"step"}, TypeError, "name must be str, int or a list of them"),
    ({"name": []}, ValueError, "name must have at least one value"),
    ({"name": "step\0x"}, ValueError, "name must not contain a null character"),
    ({"name": [None]}, TypeError, "name must be str"),
    ({"payload": "many"}, ValueError, '"many" is not a test'),
    ({"rename": "s/a"}, ValueError, 'rule="s/a": not s/PATTERN/TEXT/'),
    ({"rename": []}, ValueError, "rename must have at least one value"),
])
def test_filters_that_mean_nothing_are_refused(recorded, filters, error, text):
    trace = rangeline.open(recorded.trace)
    with pytest.raises(error, match=re.escape(text)):
        trace.ranges(**filters)
    if "window" in filters:
        for table in trace.summary, trace.tree:
            with pytest.raises(error, match=re.escape(text)):
                table(**filters)


def test_filters_take_what_tables_and_numpy_give(recorded):
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    trace = rangeline.open(recorded.trace)
    step = next(iter(trace.ranges(name="step")))
    assert len(trace.ranges(thread=numpy.int64(step.tid), domain=[None, "io"])) == 8
    assert len(trace.ranges(thread=numpy.array([step.tid]), window=numpy.int32(0))) == 8
    assert len(trace.ranges(min_duration=numpy.int64(10**15), name="step")) == 0
    assert len(trace.ranges(min_duration=1e15, name="step")) == 0


def test_tables_and_rows_can_be_sent_to_other_processes(recorded):
    trace = rangeline.open(recorded.trace)
    for table in trace.ranges(name="step"), trace.tree():
        rows = list(table)
        sent = pickle.loads(pickle.dumps([trace, table, rows]))
        assert list(sent[1]) == sent[2] == rows
        assert type(sent[1]) is type(table) and sent[2][0].name == rows[0].name
        assert sent[0].paths == trace.paths


def test_tables_show_themselves(recorded):
    trace = rangeline.open(recorded.trace)
    assert repr(trace.marks()).splitlines()[0] == "marks"
    assert repr(trace.ranges(name="nosuch")) == "ranges: no rows"
    assert "<table>" in trace._repr_html_()


def test_ranges_show_themselves_as_a_picture(recorded):
    ranges = list(rangeline.open(recorded.trace).ranges())
    html = rangeline.open(recorded.trace).ranges()._repr_html_()
    picture = xml.fromstring(html[:html.index("<table>")])
    assert picture.tag == "svg" and [e.tag for e in picture] == 8 * ["g"]
    width, height = map(int, picture.get("viewBox").split()[2:])
    first = min(r.start for r in ranges)
    last = max(r.end or r.start for r in ranges)
    scale = width / (last - first)
    lanes = {}
    for r, group in zip(ranges, picture):
        took = "open" if r.end is None else f"{r.duration:,} ns"
        assert group.findtext("title") == f"{r.name}: {took}"
        box = group.find("rect").attrib
        assert float(box["x"]) == pytest.approx((r.start - first) * scale, abs=0.06)
        expected = max(0.5, ((r.end or last) - r.start) * scale)
        assert float(box["width"]) == pytest.approx(expected, abs=0.06)
        assert r.color is None or box["fill"] == f"#{r.color:06x}"
        lanes.setdefault((r.style, r.depth), set()).add(int(box["y"]))
    # A row for each depth of the thread, and one for what was started.
    assert sorted(y for lane in lanes.values() for y in lane) == list(
        range(0, height, height // len(lanes)))


def test_names_with_markup_are_escaped(record):
    recorded = record("""
        import rangeline.nvtx as nvtx
        with nvtx.annotate("<script>alert(1)</script>"):
            pass
    """)
    trace = rangeline.open(recorded.trace)
    assert "<script" not in trace._repr_html_()
    assert "&lt;script" in trace._repr_html_()


def test_long_names_and_control_characters_do_not_spoil_what_is_shown(record):
    recorded = record("""
        import rangeline.nvtx as nvtx
        for i in range(50):
            with nvtx.annotate("long" + "x" * 100_000):
                pass
        with nvtx.annotate("a\\x1b[31m\\nb\\t\\u202e", domain="d\\ne"):
            pass
    """, events=False)
    trace = rangeline.open(recorded.trace)
    odd = trace.ranges(domain="d*")
    for text in trace._repr_html_(), odd._repr_html_(), repr(odd), str(trace.tree()):
        assert len(text) < 50_000
        assert not set(text) & {"\x1b", "\t", "\u202e"}
    assert len(repr(odd).splitlines()) == 3 and r"a\x1b[31m\nb\t\u202e" in repr(odd)
    assert next(iter(odd)).name == "a\x1b[31m\nb\t\u202e"
    assert max(len(row.name) for row in trace.ranges()) > 100


def test_several_traces_are_one(recorded, record):
    other = record(PROGRAM)
    both = rangeline.open([recorded.trace, other.trace])
    assert len(both.ranges(name="step")) == 6
    assert both.paths == [str(recorded.trace), str(other.trace)]


# ---- What reads Arrow's interface ----------------------------------------------------


def test_pyarrow_reads_all_tables_and_keeps_them(recorded):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    trace = rangeline.open(recorded.trace)
    for table in (trace.ranges(), trace.marks(), trace.counters(), trace.events(),
                  trace.summary(), trace.tree()):
        rows = [tuple(row) for row in table]
        read = pyarrow.table(table)
        read.validate(full=True)
        del table
        gc.collect()
        assert [tuple(row.values()) for row in read.to_pylist()] == rows
    batches = list(pyarrow.RecordBatchReader.from_stream(trace.ranges()))
    del trace
    gc.collect()
    assert sum(batch.num_rows for batch in batches) == 8
    assert batches[0].column("name")[0].as_py() == "load"


def test_a_table_of_many_batches(record):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    recorded = record("""
        import rangeline.nvtx as nvtx
        for i in range(70_000):
            nvtx.mark(f"m{i % 300}")
    """, events=False)
    marks = rangeline.open(recorded.trace).marks()
    read = pyarrow.table(marks)
    read.validate(full=True)
    assert read.num_rows == len(marks) == 70_000
    assert read.column("name").num_chunks == 2
    names = read.column("name").to_pylist()
    assert names == [f"m{i % 300}" for i in range(70_000)]


def test_pandas_polars_and_duckdb_read_it(recorded):
    for library in ("pyarrow", "pandas", "polars", "duckdb"):
        pytest.importorskip(library, reason=f"{library} is in one environment only")
    import duckdb
    import polars

    trace = rangeline.open(recorded.trace)
    frame = trace.ranges().to_pandas()
    assert frame[frame.name == "step"].payload.tolist() == [0, 1, 2]
    assert polars.DataFrame(trace.marks())["time"].to_list() == [
        r.time for r in trace.marks()]
    assert trace.summary().to_polars().height == 4
    ranges = trace.ranges()  # found by its name
    assert ranges is not None
    counted = duckdb.sql("select count(*) from ranges where name = 'load'")
    assert counted.fetchall() == [(3,)]
    assert trace.reports["nvtx_sum"].to_pandas().shape[0] == 4
    assert trace.reports["nvtx_sum"].to_arrow().num_rows == 4


def test_pandas_has_integers_exactly_whatever_row_has_no_value(record):
    """Each column of integers, with and without a row without a value."""
    pandas = pytest.importorskip("pandas", reason="pandas is in one environment only")
    pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    recorded = record("""
        import rangeline.nvtx as nvtx
        for payload in [2**53 + 1, None, -(2**63), 2**63 - 1]:
            with nvtx.annotate("step", color=0x112233 if payload else None, payload=payload):
                nvtx.mark("m", payload=payload)
        nvtx.start_range("open")
        nvtx.push_range("never closed")
    """)
    trace = rangeline.open(recorded.trace)
    for table in (trace.ranges(), trace.marks(), trace.events(), trace.summary(),
                  trace.ranges(name="step"), trace.tree(), trace.reports["nvtx_sum"],
                  trace.reports["nvtx_pushpop_trace"]):
        frame = table.to_pandas()
        rows = [row if isinstance(row, dict) else row._asdict() for row in table]
        assert rows
        for name in frame.columns:
            values = [row[name] for row in rows]
            known = [value for value in values if value is not None]
            if not known or any(type(value) is not int for value in known):
                continue
            assert pandas.api.types.is_integer_dtype(frame[name].dtype), (name, frame.dtypes)
            assert frame[name].dtype.name[0] in "IU", (name, frame.dtypes)
            found = [None if value is pandas.NA else int(value) for value in frame[name]]
            assert found == values, name


class Asked:
    """A table that returns what a caller requests."""

    def __init__(self, table, schema):
        self.table, self.schema = table, schema

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(self.schema.__arrow_c_schema__())


def schema_with(pyarrow, schema, changes):
    """A schema in which some types, or columns, have others."""
    return pyarrow.schema([
        field.with_type(changes.get(field.name, changes.get(field.type, field.type)))
        for field in schema])


@pytest.mark.parametrize("text", ["string", "large_string"])
def test_a_reader_gets_the_types_that_it_asks_for(recorded, text):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    polars = pytest.importorskip("polars", reason="polars is in one environment only")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is in one environment only")
    trace = rangeline.open(recorded.trace)
    for table in (trace.ranges(), trace.marks(), trace.counters(), trace.events(),
                  trace.summary(), trace.tree(), trace.reports["nvtx_sum"]):
        own = pyarrow.RecordBatchReader.from_stream(table).read_all()
        texts = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        wanted = schema_with(pyarrow, own.schema, {
            texts: getattr(pyarrow, text)(), pyarrow.string(): getattr(pyarrow, text)(),
            "color": pyarrow.int64(), "category": pyarrow.float64(),
            "depth": pyarrow.uint64(), "duration": pyarrow.duration("ns")})
        read = pyarrow.RecordBatchReader.from_stream(Asked(table, wanted)).read_all()
        read.validate(full=True)
        assert read.schema.types == wanted.types
        # pyarrow itself asks in the same way, and casts what is left.
        assert pyarrow.table(table, schema=wanted).equals(read)
        assert read.cast(own.schema.remove_metadata()).to_pylist() == own.to_pylist()
        if "name" in own.column_names:
            asked = Asked(table, wanted)
            names = own.column("name").to_pylist()
            assert polars.DataFrame(asked)["name"].to_list() == names
            found = duckdb.sql("select name from asked").fetchall()
            assert [name for (name,) in found] == names


def test_what_a_reader_asks_for_in_vain(recorded):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    for table in (rangeline.open(recorded.trace).ranges(),
                  rangeline.open(recorded.trace).reports["nvtx_sum"]):
        own = pyarrow.RecordBatchReader.from_stream(table).read_all()
        first = own.column_names[0]
        # A type that would change values: the stream is as without the request.
        vain = schema_with(pyarrow, own.schema, {first: pyarrow.int8()})
        read = pyarrow.RecordBatchReader.from_stream(Asked(table, vain)).read_all()
        assert read.equals(own)
        for schema, text in (
            (own.schema.remove(0), "must have the table's "),
            (pyarrow.schema([]), "must have the table's "),
            (own.schema.set(0, own.schema.field(0).with_name("caf\u00e9")),
             f"must have the column '{first}', not 'caf\u00e9'"),
        ):
            with pytest.raises(ValueError, match=re.escape(f"requested_schema {text}")):
                table.__arrow_c_stream__(schema.__arrow_c_schema__())
        for wrong in (own.schema, "s", table.__arrow_c_stream__()):
            with pytest.raises(TypeError, match="^requested_schema must be a capsule"):
                table.__arrow_c_stream__(wrong)
        taken = own.schema.__arrow_c_schema__()
        pyarrow.Schema._import_from_c_capsule(taken)
        with pytest.raises(ValueError, match="^requested_schema must not be released"):
            table.__arrow_c_stream__(taken)


def test_reports_are_tables_too(recorded):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    trace = rangeline.open(recorded.trace)
    for rows in (trace.reports["nvtx_sum"], trace.reports["nvtx_pushpop_trace"],
                 trace.check(), trace.diff(recorded.trace)):
        read = pyarrow.table(rows)
        read.validate(full=True)
        assert read.to_pylist() == list(rows)
    column = read.column("Range")
    del read, rows, trace
    gc.collect()
    assert "step" in column.to_pylist()
    assert pyarrow.table(rangeline.open(recorded.trace).reports["sync_sum"]).num_rows == 0


@pytest.mark.parametrize("columns,error", [
    (3, "columns must be dict, not int"),
    ({"a": (1, 2)}, "columns must be lists"),
    ({"a": [1], "b": [1, 2]}, "of equal length"),
    ({1: [1]}, "names of columns must be str, not int"),
    ({"a": [1, "b", 2]}, "a column must not mix str and int"),
])
def test_rows_that_are_no_table(columns, error):
    with pytest.raises(TypeError, match=error):
        _native.arrow_rows(columns)
    with pytest.raises(OverflowError):
        _native.arrow_rows({"a": [2**70]})


def test_a_stream_that_nobody_takes_is_released(run_python, recorded):
    done = run_python("""
        import sys, rangeline
        from rangeline import _native
        trace = rangeline.open(sys.argv[1])
        for i in range(2000):
            trace.ranges().__arrow_c_stream__()
            _native.arrow_rows({"a": [1, 2], "b": ["x", None]})
        size = open("/proc/self/statm").read().split()[1]
        for i in range(2000):
            trace.ranges().__arrow_c_stream__()
            _native.arrow_rows({"a": [1, 2], "b": ["x", None]})
        grown = int(open("/proc/self/statm").read().split()[1]) - int(size)
        print(grown < 500, grown)
    """, str(recorded.trace))
    assert done.stdout.startswith("True"), done.stdout + done.stderr


# ---- rangeline export -t arrow -------------------------------------------------------


def test_exports_are_those_of_the_command(recorded, tmp_path):
    trace = rangeline.open(recorded.trace)
    ours, its = tmp_path / "ours.csv", tmp_path / "its.csv"
    chosen = {"name": "s*", "domain": None, "payload": ">=1", "window": 0,
              "min_duration": 1, "rename": ["s/^s.*/step 7/", "numbers"]}
    subprocess.run([RANGELINE, "export", "-q", "-o", its, "--name", "s*", "--domain",
                    "default", "--filter-payload", ">=1", "--window", "0",
                    "--min-duration", "1ns", "--rename", "s/^s.*/step 7/",
                    "--fold-numbers", recorded.trace], check=True)
    assert trace.export(ours, **chosen) is None
    assert ours.read_text() == its.read_text()
    assert "step #" in ours.read_text()
    trace.export(tmp_path / "any", format="folded")
    assert "step;io:load" in (tmp_path / "any").read_text()
    trace.export(tmp_path / "a.arrows")
    assert (tmp_path / "a.arrows").read_bytes().startswith(b"\xff\xff\xff\xff")
    trace.export(str(tmp_path / "a.json"))
    assert json.loads((tmp_path / "a.json").read_text())["traceEvents"]


def test_a_page_has_the_trace_inside(recorded, tmp_path):
    page = tmp_path / "a page.html"
    rangeline.open(recorded.trace).to_html(page, name="step")
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_what_is_there_is_replaced_only_if_asked_for(recorded, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trace = rangeline.open(recorded.trace)
    for write in (lambda path, **more: trace.export(path, format="csv", **more),
                  trace.to_html):
        with open("there", "w") as file:
            file.write("mine")
        with pytest.raises(FileExistsError, match="there"):
            write("there")
        with open("there") as file:
            assert file.read() == "mine"
        write("there", replace=True)
        write("-")
        assert os.path.getsize("-") > 4 and os.path.getsize("there") > 4
        os.remove("-")


@pytest.mark.parametrize("arguments, error, says", [
    ({"path": 5}, TypeError, "path must be a path, not int"),
    ({"path": ["a", "b"]}, TypeError, "path must be a path, not list"),
    ({"path": "a\0b"}, ValueError, "null character"),
    ({"path": "a", "format": 5}, TypeError, "format must be str or None, not int"),
    ({"path": "a", "format": "nosuch"}, ValueError, 'type="nosuch": not one of'),
    ({"path": "a", "format": "csv", "nosuch": 1}, TypeError, "no filter 'nosuch'"),
    ({"path": "no/such/folder.csv"}, ValueError, "No such file or directory"),
    ({"path": "a.csv", "window": 7}, ValueError, "window"),
])
def test_exports_that_make_no_sense_are_refused(recorded, tmp_path, monkeypatch,
                                                arguments, error, says):
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir())
    with pytest.raises(error, match=says):
        rangeline.open(recorded.trace).export(**arguments)
    assert sorted(os.listdir()) == before


def exported(recorded, kind, *options, path=None):
    here = os.path.dirname(sys.executable) if path is None else path
    env = {**os.environ, "PATH": f"{here}:/usr/bin:/bin",
           "RANGELINE_PYTHON": os.path.dirname(rangeline.__file__)}
    return subprocess.run([RANGELINE, "export", "-t", kind, *options, recorded.trace],
                          stderr=subprocess.PIPE, text=True, env=env, check=False)


def sqlite_tables(recorded, tmp_path):
    """{table: (columns, rows)} of the export in SQLite."""
    path = tmp_path / "tables.sqlite"
    subprocess.run([RANGELINE, "export", "-o", path, "-q", recorded.trace], check=True)
    tables = {}
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            found = connection.execute(f'SELECT * FROM "{name}"')
            columns = [column[0] for column in found.description]
            tables[name] = columns, found.fetchall()
    return tables


def test_exports_have_the_tables_of_sqlite(recorded, tmp_path):
    for package in ("pyarrow", "pandas"):
        pytest.importorskip(package, reason=f"{package} is in one environment only")
    import pyarrow
    from pyarrow import feather, parquet

    expected = sqlite_tables(recorded, tmp_path)
    assert len(expected["NVTX_EVENTS"][1]) > 8
    found = {"arrow": {}, "arrowdir": {}, "parquetdir": {}}
    for kind in found:
        done = exported(recorded, kind, "-q", "-o", tmp_path / kind)
        assert (done.returncode, done.stderr) == (0, "")
    for name in expected:
        found["arrowdir"][name] = feather.read_table(tmp_path / "arrowdir" / f"{name}.arrow")
        found["parquetdir"][name] = parquet.read_table(
            tmp_path / "parquetdir" / f"{name}.parquet")
    with open(tmp_path / "arrow", "rb") as file:
        for _ in expected:
            with pyarrow.ipc.open_stream(file) as stream:
                table = stream.read_all()
            found["arrow"][table.schema.metadata[b"table_name"].decode()] = table
        assert file.read() == b""
    del expected["META_DATA_EXPORT"]  # has the time of the export
    for tables in found.values():
        del tables["META_DATA_EXPORT"]
        assert {name: (table.column_names, [tuple(row.values())
                                            for row in table.to_pylist()])
                for name, table in tables.items()} == expected


def test_exports_replace_only_what_is_theirs(recorded, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    folder = tmp_path / "tables"
    assert exported(recorded, "parquetdir", "-o", folder).returncode == 0
    done = exported(recorded, "parquetdir", "-o", folder)
    assert done.returncode == 1 and "File exists" in done.stderr
    assert exported(recorded, "parquetdir", "-f", "-o", folder).returncode == 0
    (folder / "notes.txt").write_text("mine")
    done = exported(recorded, "parquetdir", "-f", "-o", folder)
    assert done.returncode == 1 and "files other than" in done.stderr
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "NVTX_EVENTS.parquet").exists()
    done = exported(recorded, "arrow", "-f", "-o", folder)
    assert done.returncode == 1 and "Is a directory" in done.stderr


def test_a_full_disk_is_reported_with_the_file():
    from rangeline import _parquet

    with pytest.raises(OSError, match='path="out.parquet": No space left'):
        with _parquet._writing("out.parquet"):
            raise OSError(errno.ENOSPC, "Error writing bytes to file")


def test_exports_without_pyarrow_say_so(recorded, tmp_path):
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -S -E \"$@\"\n")
    python.chmod(0o755)
    assert exported(recorded, "arrow", "-o", tmp_path / "run.arrows",
                    path=python.parent).returncode == 0
    done = exported(recorded, "arrowdir", "-o", tmp_path / "out", path=python.parent)
    assert done.returncode == 1
    assert "has no pyarrow" in done.stderr and "-t arrow" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()
                  if path.name.startswith("out")) == []
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "NVTX_EVENTS.parquet").write_text("of before")
    done = exported(recorded, "parquetdir", "-f", "-o", tmp_path / "old",
                    path=python.parent)
    assert done.returncode == 1
    assert (tmp_path / "old" / "NVTX_EVENTS.parquet").read_text() == "of before"
    assert exported(recorded, "arrowdir", "-o", "-").returncode == 2


def ranked(tmp_path, rank, steps):
    """The path of a trace of one rank of a job, with so many steps."""
    path = tmp_path / f"rank{rank}.rln"
    recorded_run(path, [sys.executable, "-c", f"""if True:
        import rangeline.nvtx as nvtx
        for i in range({steps}):
            with nvtx.annotate("step", payload=i):
                with nvtx.annotate("solve", domain="app"):
                    pass"""], env={"PMI_RANK": str(rank), "PMI_SIZE": "2"})
    return path


def parquet_of(tmp_path, *words):
    """The rows that `rangeline export -t parquet` writes for some words of it."""
    from pyarrow import parquet

    output = tmp_path / "ranges.parquet"
    env = {**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin",
           "RANGELINE_PYTHON": os.path.dirname(rangeline.__file__)}
    done = subprocess.run([RANGELINE, "export", "-f", "-o", output, *words],
                          stderr=subprocess.PIPE, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return parquet.read_table(output), done.stderr


def test_parquet_has_the_ranges_of_all_ranks(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    paths = [ranked(tmp_path, 0, 3), ranked(tmp_path, 1, 5)]
    table, _ = parquet_of(tmp_path, *paths)
    rows = table.to_pylist()
    for rank, path in enumerate(paths):
        trace = rangeline.open(path)
        began = trace.info["start_realtime"]
        of_rank = [row for row in rows if row["rank"] == rank]
        assert {row["trace"] for row in of_rank} == {str(path)}
        assert {row["host"] for row in of_rank} == {trace.info["parts"][0]["host"]}
        columns = trace.ranges().columns
        assert [tuple(row[name] - began if name in ("start", "end") else row[name]
                      for name in columns)
                for row in of_rank] == [tuple(row) for row in trace.ranges()]
    assert len(rows) == 16

    table, _ = parquet_of(tmp_path, "--name", "s?lver #", "--domain", "app", "--fold-numbers",
                          "--rename", "s/solve/solver 7/", paths[1])
    assert table["name"].to_pylist() == ["solver #"] * 5
    table, said = parquet_of(tmp_path, "--min-duration", "1h", *paths)
    assert len(table) == 0 and "rank" in table.column_names
    assert "no event matches the filter" in said


def test_parquet_is_read_by_duckdb_as_rank_sum_reads_traces(tmp_path):
    for package in ("pyarrow", "duckdb"):
        pytest.importorskip(package, reason=f"{package} is in one environment only")
    import duckdb

    paths = [ranked(tmp_path, 0, 3), ranked(tmp_path, 1, 5)]
    parquet_of(tmp_path, *paths)
    text = (ROOT / "docs" / "guide" / "jobs.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    rows = duckdb.sql(query.replace("job/*.parquet", str(tmp_path / "ranges.parquet")))
    report = rangeline.open(paths).reports["rank_sum"]
    assert [(row[0], row[1], row[2]) for row in rows.fetchall()] == [
        (row["Range"], row["Total Time (ns)"], row["Slowest"]) for row in report]


def test_parquet_refuses_what_needs_all_traces(recorded, tmp_path):
    for option in ("--filter-time=1s/", "--filter-nvtx=step", "--align=realtime"):
        done = exported(recorded, "parquet", option, "-o", tmp_path / "out")
        assert done.returncode == 2
        assert f"type=parquet: {option.split('=')[0]} needs all traces" in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_parquet_is_no_device(recorded, tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    done = exported(recorded, "parquet", "-f", "-o", tmp_path / "pipe.parquet")
    assert done.returncode == 1 and "not a regular file" in done.stderr
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe.parquet").st_mode)


# ---- Notebooks -----------------------------------------------------------------------


def test_the_viewer_is_shown_in_a_frame(recorded):
    frames = []

    class Parser(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            frames.append((tag, dict(attributes)))

    trace = rangeline.open(recorded.trace)
    view = trace.view(height=300, name="step")
    Parser().feed(view._repr_html_())
    ((tag, attributes),) = frames
    assert tag == "iframe" and "height: 300px" in attributes["style"]
    assert attributes["sandbox"] == "allow-scripts"
    page = attributes["srcdoc"]
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert len(page) < len(trace.view()._repr_html_())
    assert str(recorded.trace) in repr(view)


@pytest.mark.parametrize("arguments, error, says", [
    ({"height": 0}, ValueError, "height must be at least 1, not 0"),
    ({"height": "300"}, TypeError, "height must be an int, not str"),
    ({"nosuch": 1}, TypeError, "no filter 'nosuch'"),
])
def test_views_that_make_no_sense_are_refused(recorded, arguments, error, says):
    with pytest.raises(error, match=says):
        rangeline.open(recorded.trace).view(**arguments)


def test_a_cell_of_a_notebook_is_recorded(run_python):
    done = run_python('''
        import os
        import sys
        import rangeline

        class Shell:
            names = {}
            def register_magic_function(self, function, kind, name):
                assert (kind, name) == ("cell", "rangeline")
                self.cell = function
            def run_cell(self, text):
                exec(text, self.names)
            def push(self, names):
                self.names.update(names)

        shell = Shell()
        rangeline.load_ipython_extension(shell)
        shell.run_cell("import rangeline.nvtx as nvtx")
        shell.run_cell("nvtx.mark('between cells')")
        cell = "with nvtx.annotate('step'):\\n  nvtx.mark('inside')"
        first = shell.cell("", cell)
        shell.run_cell("nvtx.mark('between cells')")
        second = shell.cell("again", cell + "\\n  nvtx.mark('more')")
        assert shell.names["again"] is second
        for recorded in (first, second):
            print([r.name for r in recorded.ranges()],
                  [r.name for r in recorded.trace.marks(window=recorded.window)])
        assert "<rect" in first._repr_html_()
        assert "<iframe" in second.view(height=9)._repr_html_()
        assert "step" in repr(second)
        try:
            shell.cell("no name", "pass")
        except ValueError as error:
            print(error)
        shell.names["shell"] = shell
        outer = shell.cell("", """if True:
            with nvtx.annotate('outer'):
                try:
                    shell.cell("", "pass")
                except RuntimeError as error:
                    print(error)
            nvtx.mark('after')
        """)
        rangeline.load_ipython_extension(shell)
        if not os.fork():
            sys.exit()
        os.wait()
        last = shell.cell("", cell)
        for recorded in (outer, last):
            print([r.name for r in recorded.ranges()],
                  [r.name for r in recorded.trace.marks(window=recorded.window)])
    ''')
    assert done.stdout.splitlines() == [
        "['step'] ['inside']",
        "['step'] ['inside', 'more']",
        "cannot name what was recorded: 'no name' is no identifier",
        "cannot record: a cell that is recorded is running",
        "['outer'] ['after']",
        "['step'] ['inside']",
    ], done.stderr


def test_a_cell_that_records_nothing_says_what_to_do(run_python):
    done = run_python("""
        import rangeline

        class Shell:
            def register_magic_function(self, function, kind, name):
                self.cell = function
            def run_cell(self, text):
                exec(text)
            def push(self, names):
                print(list(names))

        shell = Shell()
        rangeline.load_ipython_extension(shell)
        print(shell.cell("first", "pass"))
        print(shell.cell("", "pass"))
        for line in "--python=all first", "--functions", "--python functions":
            try:
                shell.cell(line, "print('does not run')")
            except ValueError as error:
                print(error)
        one = "import rangeline.nvtx as nvtx; nvtx.get_domain('io').get_counter('n', int).sample(1)"
        print(shell.cell("", one) is None)
    """)
    advice = ["", "as the first line of the cell records each call of a Python function. "
              "Nothing was recorded, because no annotation ran, such as",
              '`with rangeline.nvtx.annotate("load"):`.', "None"]
    usage = "write %%rangeline [--python=functions|--python=mine] [NAME]"
    assert done.stdout.splitlines() == [
        "['first']",
        "%%rangeline --python=functions first", *advice,
        "%%rangeline --python=functions", *advice,
        f"cannot record: unknown option '--python=all'; {usage}",
        f"cannot record: unknown option '--functions'; {usage}",
        f"cannot record: unknown option '--python'; {usage}",
        "False",
    ], done.stderr


def test_the_functions_of_a_cell_are_recorded_without_those_of_ipython(run_python):
    pytest.importorskip("IPython", reason="IPython is in one environment only")
    done = run_python(r"""
        from IPython.core.interactiveshell import InteractiveShell

        shell = InteractiveShell.instance()
        shell.run_cell("%load_ext rangeline")

        def cell(text, which="functions"):
            shell.run_cell(f"%%rangeline --python={which} got\n{text}")
            return [r.name.rpartition(".")[2] for r in shell.user_ns["got"].ranges()]

        made = cell("def inner(): return {}\ndef outer(): return inner()\nouter()\nouter()")
        print("NAMES", made)
        print("NAMES", cell("def bad(): 1/0\nbad()"))
        print("NAMES", cell("import json\njson.dumps({}), outer()", "mine"))
        print("NAMES", cell("import asyncio\nawait asyncio.sleep(0)\nouter()")[-2:])
        shell.run_cell("%%rangeline got\nouter()")
        shell.run_cell("outer()")
        print("NAMES", list(shell.user_ns["got"].ranges()))
    """)
    module, outer = "<module>", ["inner", "outer", "<module>"]
    assert [line for line in done.stdout.splitlines() if line.startswith("NAMES")] == [
        f"NAMES {[module, module, *outer, *outer]}",
        f"NAMES {[module, 'bad', module]}",
        f"NAMES {[module, *outer]}",
        f"NAMES {outer[1:]}",
        "NAMES []",
    ], done.stdout + done.stderr
    assert "ZeroDivisionError" in done.stdout


def test_a_kernel_that_has_annotated_before_is_told(run_python):
    done = run_python("""
        import rangeline, rangeline.nvtx as nvtx
        nvtx.mark("early")
        try:
            rangeline.load_ipython_extension(None)
        except RuntimeError as error:
            print(error)
    """)
    assert "restart it and load the extension first" in done.stdout
