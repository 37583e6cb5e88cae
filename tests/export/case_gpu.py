# SPDX-License-Identifier: Apache-2.0
"""The GPU reports of Nsight's exports agree with an independent computation."""
import csv
import io
import json
import pathlib
import sqlite3
import sys

import traces

import gpu_by_hand

FIXTURE = (pathlib.Path(__file__).resolve().parents[3] /
           "shared/fixtures/nsys-2026.2-two-gpu.sqlite")
PROCESS = 0x0001000000000000 | 100 << 24


def report(name, *paths):
    text = traces.run(traces.RANGELINE, "stats", "-q", "-r", name, "-f", "csv", *paths
                      ).stdout.decode()
    return list(csv.reader(io.StringIO(text)))


def small():
    """Two threads, both styles, a graph of two kernels, and operations of no range."""
    path = traces.WORK / "small.sqlite"
    if path.exists():
        return path
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        INSERT INTO StringIds VALUES (1, 'void f<int>(int)'), (2, 'f'), (3, '_Z1fIiEvi'),
            (4, 'registered');
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,
            eventType INTEGER NOT NULL, rangeId INTEGER, text TEXT, globalTid INTEGER,
            endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,
            globalTid INTEGER, correlationId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER,
            correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
            shortName INTEGER, mangledName INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER,
            correlationId INTEGER, globalPid INTEGER);
    """)
    one, two = PROCESS | 101, PROCESS | 102
    db.executemany("INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,?,?,?,?,?)", [
        (0, None, 75, None, "io", one, None, None, 1),
        (0, 1000, 59, None, "step", one, None, None, 0),
        (100, 400, 59, None, "load", one, None, None, 1),
        (150, 1200, 60, 7, "across", one, None, None, 0),   # crosses step
        (160, 300, 60, 8, "elsewhere", one, two, None, 0),  # another thread ended it
        (500, 600, 59, None, None, one, None, 4, 0),
        (1000, 1000, 59, None, "empty", one, None, None, 0),
        (1100, None, 59, None, "open", two, None, None, 0),
        (2000, 3000, 59, None, "step", two, None, None, 0),
    ])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?)", [
        (110, 120, one, 1), (200, 210, one, 2), (390, 410, one, 3), (550, 560, one, 4),
        (1300, 1310, one, 5), (2500, 2600, two, 6), (1000, 1100, two, 7)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,1,2,3)", [
        (130, 180, 1, PROCESS), (700, 900, 2, PROCESS), (900, 950, 2, PROCESS),
        (450, 470, 3, PROCESS), (5000, 5500, 5, PROCESS), (2700, 2900, 6, PROCESS),
        (1200, 1210, 7, PROCESS), (1, 2, 99, PROCESS)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,?,?)",
                   [(600, 620, 4, PROCESS)])
    db.commit()
    db.close()
    return path


def compare(path):
    assert report("nvtx_gpu_proj_trace", path)[1:] == gpu_by_hand.proj_trace(path)
    ours = report("nvtx_gpu_proj_sum", path)[1:]
    assert sorted(ours) == sorted(gpu_by_hand.proj_sum(path))
    totals = [int(row[2]) for row in ours]
    assert totals == sorted(totals, reverse=True)
    for argument, column in {"": "demangledName", ":base": "shortName",
                             ":mangled": "mangledName"}.items():
        ours = report(f"nvtx_kern_sum{argument}", path)[1:]
        assert sorted(ours) == sorted(gpu_by_hand.kern_sum(path, column)), argument
        order = [(row[0] != "", *row[0].split(":", 1), int(row[2]), int(row[3]),
                  -int(row[6])) for row in ours]
        assert order == sorted(order)


def test_small_exports_say_what_can_be_counted_by_hand():
    rows = report("nvtx_gpu_proj_trace", small())
    assert rows[0] == ["Name", "Projected Start (ns)", "Projected Duration (ns)",
                       "Orig Start (ns)", "Orig Duration (ns)", "Style", "PID", "TID",
                       "NumGPUOps", "Lvl", "NumChild", "RangeId", "ParentId", "RangeStack"]
    step = next(row for row in rows if row[:2] == [":step", "130"])
    # Four calls: a kernel, a graph of two, one that `load` does not hold, and a copy.
    assert step == [":step", "130", "820", "0", "1000", "PushPop", "100", "101", "4",
                    "0", "3", "1", "", ":1"]
    load = next(row for row in rows if row[0] == "io:load")
    assert load[1:3] + load[8:] == ["130", "820", "2", "1", "0", "2", "1", ":1:2"]
    rows = report("nvtx_kern_sum:base", small())
    assert rows[0] == ["NVTX Range", "Style", "PID", "TID", "NVTX Inst", "Kern Inst",
                       "Total Time (ns)", "Avg (ns)", "Med (ns)", "Min (ns)", "Max (ns)",
                       "StdDev (ns)", "Kernel Name"]
    assert rows[1] == ["", "", "100", "101", "0", "1", "500", "500.0", "500.0", "500",
                       "500", "0.0", "f"], rows[1]
    assert report("nvtx_gpu_proj_sum", small())[0] == [
        "Range", "Style", "Total Proj Time (ns)", "Total Range Time (ns)",
        "Range Instances", "Proj Avg (ns)", "Proj Med (ns)", "Proj Min (ns)",
        "Proj Max (ns)", "Proj StdDev (ns)", "Total GPU Ops", "Avg GPU Ops",
        "Avg Range Lvl", "Avg Num Child"]


def test_small_exports_agree_with_plain_python():
    compare(small())


def test_a_real_export_agrees_with_plain_python():
    if not FIXTURE.exists():
        raise traces.Skipped(f"there is no {FIXTURE.name}")
    compare(FIXTURE)


def test_times_select_ranges_and_what_was_asked_for_in_them():
    rows = report("nvtx_gpu_proj_trace", "--filter-time", "1500/", small())[1:]
    assert [row[0] for row in rows] == [":open", ":step"], rows


def test_filters_leave_their_ranges_and_what_these_launched():
    rows = report("nvtx_gpu_proj_sum", "--name", "st*", small())[1:]
    assert [row[0] for row in rows] == [":step"], rows
    rows = report("nvtx_kern_sum", "--domain", "io", small())[1:]
    assert [row[0] for row in rows] == ["io:load"], rows


def test_traces_without_gpu_data_say_so():
    for name, what in {"nvtx_gpu_proj_sum": "CUDA trace data",
                       "nvtx_gpu_proj_trace": "CUDA trace data",
                       "nvtx_kern_sum": "CUDA kernel data"}.items():
        done = traces.run(traces.RANGELINE, "stats", "-q", "-r", name, "-f", "csv",
                          traces.everything())
        assert done.stdout == b""
        assert f"does not contain {what}.".encode() in done.stderr, done.stderr
    done = traces.run(traces.RANGELINE, "stats", "-r", "nvtx_kern_sum:short", small(),
                      ok=False)
    assert done.returncode == 2 and b"base or mangled to nvtx_kern_sum" in done.stderr


GPU_REPORTS = ["nvtx_gpu_proj_sum", "nvtx_gpu_proj_trace", "nvtx_kern_sum"]


def changed(name, script):
    path = traces.WORK / f"{name}.sqlite"
    path.write_bytes(small().read_bytes())
    db = sqlite3.connect(path)
    db.executescript(script)
    db.commit()
    db.close()
    return path


def test_a_table_that_cannot_be_read_skips_the_reports_that_need_it():
    for table in ["RUNTIME", "KERNEL", "MEMCPY"]:
        for column in ["start", "end", "correlationId"]:
            table_name = f"CUPTI_ACTIVITY_KIND_{table}"
            path = changed(f"no-{table}-{column}",
                           f'ALTER TABLE {table_name} RENAME COLUMN "{column}" TO gone')
            for form in ["csv", "column", "json"]:
                done = traces.run(traces.RANGELINE, "stats", "-q", "-f", form, "-r",
                                  ",".join(["nvtx_sum", *GPU_REPORTS, "tree"]), path)
                said = done.stderr.decode()
                for name in GPU_REPORTS:
                    is_needed = table != "MEMCPY" or name != "nvtx_kern_sum"
                    assert (f"SKIPPED: {name}: " in said) == is_needed, (table, column, said)
                assert f"no column {column}" in said and table_name in said, said
                if form == "json":
                    assert json.loads(done.stdout)["nvtx_sum"], done.stdout
                assert b"load" in done.stdout
            strict = traces.run(traces.RANGELINE, "stats", "--strict", "-r",
                                "nvtx_gpu_proj_sum", path, ok=False)
            assert strict.returncode == 1


GRAPHS = """CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER,
    correlationId INTEGER, globalPid INTEGER);"""


def graph(start, end, correlation):
    return (f"INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES "
            f"({start}, {end}, {correlation}, {PROCESS});")


def test_a_graph_that_was_traced_as_a_whole_is_an_operation():
    """Alone, as nsys records by default, and beside kernels."""
    kernels = "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
    for name, script in {"graph-alone": kernels, "graph-mixed": ""}.items():
        path = changed(name, script + GRAPHS + graph(3000, 4000, 2) + graph(9000, 9100, 7))
        load = next(row for row in report("nvtx_gpu_proj_trace", path)
                    if row[0] == "io:load")
        assert int(load[1]) + int(load[2]) == 4000, load
        assert report("nvtx_gpu_proj_trace", path)[1:] == gpu_by_hand.proj_trace(path)
        assert sorted(report("nvtx_gpu_proj_sum", path)[1:]) == sorted(
            gpu_by_hand.proj_sum(path))


def test_graphs_whose_kernels_are_unknown_are_counted():
    for n in [0, 1, 78]:
        path = changed(f"graphs-{n}", GRAPHS + graph(1, 2, 3) * n)
        for name in GPU_REPORTS:
            said = traces.run(traces.RANGELINE, "stats", "-q", "-r", name, path).stderr.decode()
            is_lacking = n > 0 and name == "nvtx_kern_sum"
            assert ("of CUDA graphs" in said) == is_lacking, said
            assert not is_lacking or f"the kernels of {n} launch" in said, said
        found = traces.run(traces.RANGELINE, "check", "-f", "csv", path, ok=False).stdout.decode()
        rows = [row for row in csv.DictReader(io.StringIO(found)) if "graph-launches" in row.values()]
        assert len(rows) == (n > 0), found
        assert n == 0 or str(n) in rows[0].values(), rows


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
