# SPDX-License-Identifier: Apache-2.0
"""Exports in Arrow's formats have the tables of those in SQLite."""
import gzip
import io
import os
import pathlib
import pty
import re
import resource
import sqlite3
import subprocess
import sys

import traces

traces.needs("pyarrow")
import pyarrow  # pylint: disable=wrong-import-position
from pyarrow import ipc, parquet  # pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parents[2]
FULL = ["--lazy=false", "--include-json", "--include-blobs", "--schema=3.28",
        "--placeholder-gpu"]
# Tables that say when and where to the export was.
OF_THE_EXPORT = "META_DATA_EXPORT"
TYPES = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TEXT": pyarrow.string()}


def export(kind, out, *options, paths=(), ok=True, **more):
    """Runs the export with the package and pyarrow of this Python."""
    return traces.run("env", f"PATH={os.path.dirname(sys.executable)}:{os.environ['PATH']}",
                      f"RANGELINE_PYTHON={ROOT}/python/src/rangeline", traces.RANGELINE,
                      "export", "-f", "-t", kind, "-o", out, *options, *paths, ok=ok, **more)


def field_of(column):
    _, name, kind, is_required, _, _ = column
    return pyarrow.field(name, pyarrow.binary() if name == "binaryData" else TYPES[kind],
                         nullable=not is_required)


def of_sqlite(path):
    """{table: (schema, rows)}, by name."""
    with sqlite3.connect(path) as db:
        names = [row[0] for row in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {name: (pyarrow.schema(map(field_of, db.execute(f"PRAGMA table_info({name})")),
                                      metadata={"table_name": name}),
                       db.execute(f"SELECT * FROM {name}").fetchall()) for name in names}


def of_stream(data):
    source, tables = io.BytesIO(data), {}
    while source.tell() < len(data):
        with ipc.open_stream(source) as stream:
            table = stream.read_all()
        table.validate(full=True)
        tables[table.schema.metadata[b"table_name"].decode()] = described(table)
    return tables


def described(table):
    return table.schema, list(zip(*(column.to_pylist() for column in table.columns)))


def of_folder(folder, read):
    return {path.stem: described(read(path)) for path in sorted(folder.iterdir())}


def check_same(found, expected, what):
    assert list(found) == list(expected), (what, list(found))
    for name, (schema, rows) in expected.items():
        assert found[name][0].equals(schema, check_metadata=True), (what, found[name][0])
        if name != OF_THE_EXPORT:
            assert found[name][1] == rows, (what, name, found[name][1], rows)
    if OF_THE_EXPORT in expected:
        keys = [[row[0] for row in tables[OF_THE_EXPORT][1]] for tables in (found, expected)]
        assert keys[0] == keys[1], (what, keys)


def compare(paths, *options):
    """Compares the file of streams with SQLite's tables, which it returns."""
    export("sqlite", traces.WORK / "a.sqlite", *options, paths=paths)
    export("arrow", traces.WORK / "a.arrows", *options, paths=paths)
    expected = of_sqlite(traces.WORK / "a.sqlite")
    check_same(of_stream((traces.WORK / "a.arrows").read_bytes()), expected,
               (paths, options))
    return expected


def recordings():
    """Traces of GPU work, from a GPU."""
    for packed in sorted((ROOT / "tests/gpu/recordings").glob("*.gz")):
        path = traces.WORK / packed.stem
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        yield path


def test_every_trace_has_the_tables_of_sqlite():
    for path in *map(traces.golden, traces.golden_names()), *recordings(), \
            traces.everything():
        compare([path])
        compare([path], *FULL)


def test_traces_of_many_processes_have_them():
    paths = [traces.golden(name) for name in ("ranks", "machines", "gpu", "counters")]
    tables = compare([*paths, traces.everything()], *FULL)
    assert len({row[0] for row in tables["PROCESSES"][1]}) > 4
    assert all(tables[name][1] for name in (
        "NVTX_EVENTS", "GENERIC_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL",
        "NVTX_PAYLOAD_SCHEMAS", "RANGELINE_RANKS"))
    texts = {row[6] for row in tables["NVTX_EVENTS"][1]}
    assert set(traces.NAMES) <= texts


def test_chosen_tables_rows_and_names_are_the_same():
    for options in (["--tables=nvtx_events,enum_cuda.*"], ["--tables=none of them"],
                    ["--tables=StringIds", "--lazy=false"], ["--times=1us/:"],
                    ["--filter-time=1us/"], ["--fold-numbers", "--name=*"]):
        compare([traces.everything()], *options)


def test_long_ranges_keep_their_places():
    """One that is open while more than 65,536 begin, and one that is not exported then."""
    trace = traces.everything(70000)
    tables = compare([trace], *FULL)
    assert [row[0] for row in tables["NVTX_EVENTS"][1]] == sorted(
        row[0] for row in tables["NVTX_EVENTS"][1])
    (none,) = [row for row in tables["NVTX_EVENTS"][1] if row[6] == "no number"]
    assert none[13] is None  # SQLite has no NaN
    with_payloads = [row for row in tables["NVTX_EVENTS"][1] if row[6] in ("long", "sent")]
    assert len(with_payloads) == 3501 and with_payloads[0][6] == "long"
    assert all(row[18] and row[19] for row in with_payloads)
    outer = tables["NVTX_EVENTS"][1][0]
    assert outer[6] == "outer" and outer[1] is not None and outer[-1] == 1
    tables = compare([trace], "--schema=3.28", f"--times={outer[0] + 1}ns/")
    ids = [row[-1] for row in tables["NVTX_EVENTS"][1]]
    assert ids == sorted(ids) and ids[0] > 1


def test_many_ranges_at_once_keep_their_places():
    count = 70000
    source = traces.WORK / "open.sqlite"
    with sqlite3.connect(source) as db:
        db.executescript("""
            CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType
                INTEGER NOT NULL, rangeId INTEGER, text TEXT, globalTid INTEGER,
                jsonText TEXT);
            CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        """)
        db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, 60, ?, 'r', 1 << 48 | 7, NULL)",
                       [(i, 3 * count - i, i) for i in range(count)] +
                       [(count + i, None, count + i) for i in range(count)])
    tables = compare([source])
    assert len(tables["NVTX_EVENTS"][1]) == 2 * count


def test_folders_have_a_file_for_each_table():
    paths = [traces.golden("gpu"), traces.golden("counters"), traces.everything()]
    expected = compare(paths, *FULL)
    for kind, read in (("arrowdir", lambda path: ipc.open_file(path).read_all()),
                       ("parquetdir", parquet.read_table)):
        out = traces.WORK / kind
        done = export(kind, out, *FULL, paths=paths)
        assert b"wrote" in done.stderr
        check_same(of_folder(out, read), expected, kind)
        export(kind, out, "--tables=none of them", paths=paths)
        assert not os.listdir(out), kind


def test_a_hosts_name_may_be_no_text():
    trace = traces.WORK / "host.rln"
    host = os.uname().nodename.encode()
    trace.write_bytes(traces.everything().read_bytes().replace(
        host, b"\xff" + host[1:], 1))
    assert ("\ufffd" + host[1:].decode()) in [
        row[4] for row in compare([trace])["TARGET_INFO_SYSTEM_ENV"][1]]


def test_it_is_a_stream():
    trace = traces.everything()
    expected = compare([trace])
    done = export("arrow", "-", paths=[trace])
    check_same(of_stream(done.stdout), expected, "-")
    packed = traces.WORK / "packed.arrows.gz"
    traces.run(traces.RANGELINE, "export", "-o", packed, trace)
    check_same(of_stream(gzip.decompress(packed.read_bytes())), expected, "gz")
    parent, child = pty.openpty()
    done = subprocess.run([traces.RANGELINE, "export", "-t", "arrow", "-o", "-", trace],
                          stdout=child, stderr=subprocess.PIPE, env=traces.environment(),
                          check=False)
    os.close(parent)
    os.close(child)
    assert done.returncode == 2 and b"not text" in done.stderr, done


def test_buffers_are_compressed():
    out = traces.WORK / "a.arrows"
    export("arrow", out, paths=[traces.everything(70000)])
    with out.open("rb") as file:
        n_bytes = 0
        while file.peek(1):
            with ipc.open_stream(file) as stream:
                n_bytes += stream.read_all().nbytes
    assert out.stat().st_size * 10 < n_bytes, (out.stat().st_size, n_bytes)


def test_the_example_of_the_guide_runs():
    place = traces.WORK / "example"
    place.mkdir()
    trace = traces.everything()
    text = (ROOT / "docs/guide/EXPORT.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    export("arrow", place / "run.arrows", paths=[trace])
    lines = traces.run(sys.executable, "-c", example, cwd=place).stdout.decode().split("\n")
    assert lines[:-1] == [f"{name} {len(rows)}" for name, (_, rows) in compare([trace]).items()]


def test_a_full_disk_leaves_nothing_behind():
    trace = traces.everything(70000)
    # While rows are read, and while the file is written.
    for kind, limit in (("arrow", 20_000), ("arrow", 200_000), ("parquetdir", 20_000),
                        ("arrowdir", 200_000)):
        place = traces.WORK / f"full-{kind}-{limit}"
        place.mkdir()
        done = export(kind, place / "out", paths=[trace], ok=False, preexec_fn=lambda:
                      resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        assert done.returncode == 1, (kind, limit, done)
        assert b"rangeline: cannot " in done.stderr, (kind, done.stderr)
        assert not os.listdir(place), (kind, limit, os.listdir(place))


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
