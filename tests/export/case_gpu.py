# SPDX-License-Identifier: Apache-2.0
"""The GPU reports of Nsight's exports agree with an independent computation."""
import collections
import csv
import io
import json
import os
import pathlib
import pty
import re
import sqlite3
import subprocess
import sys

import traces

import case_otf2
import gpu_by_hand

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "viewer"))
import page_blocks

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


KERNEL_NAMES = {"": "demangledName", ":base": "shortName", ":mangled": "mangledName"}


def compare_work(path):
    for argument, column in KERNEL_NAMES.items():
        assert report(f"cuda_gpu_kern_sum{argument}", path)[1:] == gpu_by_hand.time_sum(
            path, "CUDA_KERNEL", name=column)
        assert report(f"cuda_gpu_sum{argument}", path)[1:] == gpu_by_hand.time_sum(
            path, "CUDA_KERNEL", "MEMORY_OPER", name=column)
        assert sorted(report(f"cuda_kern_exec_sum{argument}", path)[1:]) == sorted(
            gpu_by_hand.exec_sum(path, column))
        assert report(f"cuda_gpu_trace{argument}", path)[1:] == gpu_by_hand.gpu_trace(
            path, column)
    assert report("cuda_gpu_mem_time_sum", path)[1:] == gpu_by_hand.time_sum(
        path, "MEMORY_OPER")
    assert report("cuda_gpu_mem_size_sum", path)[1:] == gpu_by_hand.size_sum(path)
    assert report("cuda_api_sum", path)[1:] == gpu_by_hand.time_sum(path, "CUDA_API")
    assert report("cuda_api_gpu_sum", path)[1:] == gpu_by_hand.time_sum(
        path, "CUDA_KERNEL", "MEMORY_OPER", "CUDA_API")
    averages = [float(row[5]) for row in report("cuda_kern_exec_sum", path)[1:]]
    assert averages == sorted(averages, reverse=True) and averages


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
    compare_work(FIXTURE)


def test_times_select_ranges_and_what_was_asked_for_in_them():
    rows = report("nvtx_gpu_proj_trace", "--filter-time", "1500/", small())[1:]
    assert [row[0] for row in rows] == [":open", ":step"], rows


def test_filters_leave_their_ranges_and_what_these_launched():
    rows = report("nvtx_gpu_proj_sum", "--name", "st*", small())[1:]
    assert [row[0] for row in rows] == [":step"], rows
    rows = report("nvtx_kern_sum", "--domain", "io", small())[1:]
    assert [row[0] for row in rows] == ["io:load"], rows


def test_traces_without_gpu_data_say_so():
    for name, what in {"cuda_gpu_kern_sum": "CUDA kernel data",
                       "cuda_kern_exec_sum": "CUDA kernel data",
                       "cuda_gpu_mem_time_sum": "GPU memory data",
                       "cuda_gpu_mem_size_sum": "GPU memory data",
                       "cuda_api_sum": "CUDA API data",
                       "cuda_gpu_trace": "GPU trace data",
                       "nvtx_gpu_proj_sum": "CUDA trace data",
                       "nvtx_gpu_proj_trace": "CUDA trace data",
                       "nvtx_kern_sum": "CUDA kernel data"}.items():
        done = traces.run(traces.RANGELINE, "stats", "-q", "-r", name, "-f", "csv",
                          traces.everything())
        assert done.stdout == b""
        assert f"does not contain {what}.".encode() in done.stderr, done.stderr
    done = traces.run(traces.RANGELINE, "stats", "-r", "nvtx_kern_sum:short", small(),
                      ok=False)
    assert done.returncode == 2 and b"--help-reports nvtx_kern_sum" in done.stderr


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


# --- Reports of the work itself -------------------------------------------------------

def test_work_by_name_can_be_counted_by_hand():
    times = ["Avg (ns)", "Med (ns)", "Min (ns)", "Max (ns)", "StdDev (ns)"]
    rows = report("cuda_gpu_kern_sum:base", placed())
    assert rows == [
        ["Time (%)", "Total Time (ns)", "Instances", *times, "Name"],
        ["100.0", "1031", "8", "128.9", "50.0", "1", "500", "170.1", "f"]]
    assert report("cuda_api_sum", placed()) == [
        ["Time (%)", "Total Time (ns)", "Num Calls", *times, "Name"],
        ["100.0", "260", "7", "37.1", "10.0", "10", "100", "43.1", "cudaLaunchKernel"]]
    assert report("cuda_gpu_mem_time_sum", placed()) == [
        ["Time (%)", "Total Time (ns)", "Count", *times, "Operation"],
        ["66.7", "20", "1", "20.0", "20.0", "20", "20", "0.0",
         "[CUDA memcpy Host-to-Device]"],
        ["33.3", "10", "1", "10.0", "10.0", "10", "10", "0.0", "[CUDA memset]"]]
    sizes = report("cuda_gpu_mem_size_sum", placed())
    assert sizes[0] == ["Total (MB)", "Count", "Avg (MB)", "Med (MB)", "Min (MB)", "Max (MB)",
                        "StdDev (MB)", "Operation"]
    assert sizes[1] == ["0.004", "1", "0.004", "0.004", "0.004", "0.004", "0.000",
                        "[CUDA memcpy Host-to-Device]"]
    assert [row[8:] for row in report("cuda_api_gpu_sum", placed())] == [
        ["Category", "Operation"], ["CUDA_KERNEL", "void f<int>(int)"],
        ["CUDA_API", "cudaLaunchKernel"], ["MEMORY_OPER", "[CUDA memcpy Host-to-Device]"],
        ["MEMORY_OPER", "[CUDA memset]"]]


def test_how_busy_gpus_were_agrees_with_plain_python():
    rows = report("gpu_util", placed())
    assert rows[0] == ["PID", "Device", "Span (ns)", "Busy (ns)", "Util (%)", "Compute (ns)",
                       "Communication (ns)", "Copy (ns)", "Exposed Communication (ns)",
                       "Exposed Copy (ns)", "Idle (ns)"]
    assert rows[1] == ["100", "0", "2899", "561", "19.4", "531", "0", "30", "0", "30", "2338"]
    overlapping = changed("overlapping", placed_script() + """
        UPDATE StringIds SET value = 'ncclDevKernel_AllReduce' WHERE id = 2;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 2, end = end + 300
            WHERE start IN (130, 700, 2700);
        UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET end = end + 200;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 880 WHERE start = 900;
    """)
    for path in [placed(), overlapping, *filter(pathlib.Path.exists, [FIXTURE])]:
        assert report("gpu_util", path)[1:] == gpu_by_hand.util(path), path
    nccl = report("gpu_util", overlapping)[1]
    assert 0 < int(nccl[8]) < int(nccl[6]), nccl


def test_each_process_has_its_own_numbers_of_gpus():
    """One GPU is device 0 of one process, and device 1 of another."""
    path = changed("gpus", """
        CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, uuid TEXT,
            totalMemory INTEGER, smCount INTEGER, chipName TEXT);
        INSERT INTO TARGET_INFO_GPU VALUES (0, 2, 'Big', 'GPU-b', 1000, 100, 'B'),
            (0, 3, 'Small', 'GPU-a', 10, 1, 'S'), (0, 4, NULL, NULL, NULL, NULL, NULL),
            (NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
        INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2, 0, 100), (3, 1, 100), (3, 0, 200),
            (2, 1, 200), (4, 2, 100), (99, 3, 100), (NULL, NULL, NULL), (2, NULL, 100),
            (3, 0, 100), (3, -1, 100);
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN deviceId INTEGER;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 3 WHERE start = 5000;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1 WHERE start = 450;
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (8000, 8500, 5,
            0x0001000000000000 | (200 << 24), 1, 2, 3, 0),
            (9000, 9500, 5, 0x0001000000000000 | (200 << 24), 1, 2, 3, 1);
    """)
    again = traces.WORK / "gpus-again.sqlite"
    traces.run(traces.RANGELINE, "export", "-q", "-t", "sqlite", "-f", "true", "-o", again, path)
    for readable in (path, again):
        rows = report("cuda_gpu_trace", readable)
        at = rows[0].index("Device")
        devices = {row[0]: row[at] for row in rows[1:]}
        assert devices["450"] == "Small (1)" and devices["130"] == "Big (0)", devices
        assert devices["5000"] == "GPU 3", devices
        assert devices["8000"] == "Small (0)" and devices["9000"] == "Big (1)", devices
        # They are no names of ranges or kernels.
        folded = report("cuda_gpu_trace", "--fold-numbers", "--rename", "s/Big/x/", readable)
        assert {row[at] for row in folded[1:]} == set(devices.values()), folded
    db = sqlite3.connect(again)
    assert db.execute("SELECT name, uuid, totalMemory, smCount FROM TARGET_INFO_GPU "
                      "WHERE uuid IS NOT NULL ORDER BY uuid").fetchall() == [
                          ("Small", "GPU-a", 10, 1), ("Big", "GPU-b", 1000, 100)]
    assert sorted(db.execute("SELECT pid, cudaId, uuid FROM TARGET_INFO_CUDA_DEVICE "
                             "WHERE uuid IS NOT NULL").fetchall()) == [
                                 (100, 0, "GPU-b"), (100, 1, "GPU-a"),
                                 (200, 0, "GPU-a"), (200, 1, "GPU-b")]
    db.close()


def test_damaged_tables_of_gpus_leave_the_work():
    """The rest of the export is read."""
    for table, columns in (("TARGET_INFO_GPU", "id INTEGER, name TEXT"),
                           ("TARGET_INFO_CUDA_DEVICE", "gpuId INTEGER, cudaId INTEGER")):
        path = changed(f"damaged-{table}", f"CREATE TABLE {table} ({columns});"
                       f"INSERT INTO {table} VALUES (0, 0);")
        db = sqlite3.connect(path)
        root, = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?",
                           (table,)).fetchone()
        size, = db.execute("PRAGMA page_size").fetchone()
        db.close()
        with path.open("r+b") as file:
            file.seek((root - 1) * size)
            file.write(b"\xff" * size)
        assert len(report("cuda_gpu_trace", path)) == 10
        damages = lines("info", "--json", path)[0]["damages"]
        assert [table in d["reason"] for d in damages] == [True], damages


def test_calls_of_equal_times_are_counted_once():
    path = changed("interleaved", """
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
            SELECT 2500, 2600, globalTid, 8 FROM CUPTI_ACTIVITY_KIND_RUNTIME
            WHERE correlationId = 6;
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
            SELECT 2800, 2850, 8, globalPid, 1, 2, 3 FROM CUPTI_ACTIVITY_KIND_KERNEL
            WHERE correlationId = 6;
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
            SELECT 2900, 2950, 6, globalPid, 1, 2, 3 FROM CUPTI_ACTIVITY_KIND_KERNEL
            WHERE start = 2700;
    """)
    counts = [row[8] for row in report("nvtx_gpu_proj_trace", path)[1:] if row[3] == "2000"]
    assert counts == ["2"], counts


def test_processes_of_one_pid_keep_their_ranges():
    """As of containers: machines apart in their ids."""
    path = changed("pids", """
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = globalPid | (3 << 48)
            WHERE start = 2700;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid | (3 << 48)
            WHERE correlationId = 6;
    """)
    names = {row[0]: row[-1] for row in report("cuda_gpu_trace:nvtx-name:base", path)[1:]}
    assert names["2700"] == "f" and names["130"] == "load/f", names


def test_people_read_sizes_with_their_units():
    terminal, inside = pty.openpty()
    with subprocess.Popen([traces.RANGELINE, "stats", "-r", "cuda_gpu_mem_size_sum", placed()],
                          stdout=inside, stderr=subprocess.DEVNULL,
                          env=dict(traces.environment(), PAGER="cat")):
        os.close(inside)
        text = b""
        try:
            while got := os.read(terminal, 4096):
                text += got
        except OSError:  # the terminal's other end is closed
            pass
    os.close(terminal)
    text = text.decode()
    assert "4.0 KiB" in text and "64 bytes" in text and "(MB)" not in text, text


def test_kernels_are_named_by_their_innermost_range():
    def names(argument):
        rows = report(f"cuda_gpu_trace:{argument}", small())
        return {int(row[0]): row[-1] for row in rows[1:]}

    expected = {130: "load/f", 700: "load/f", 900: "load/f", 450: "step/f", 5000: "f",
                2700: "step/f", 1200: "f", 1: "f"}
    found = names("nvtx-name:base")
    assert {t: found[t] for t in expected} == expected, found
    assert found[600] == "[CUDA memcpy Unknown]", found  # operations on memory have no prefix
    assert names("nvtx-name")[130] == "load/void f<int>(int)"
    assert names("nvtx-name:mangled")[130] == "load/_Z1fIiEvi"
    sums = {row[-1]: (row[1], row[2]) for row in
            report("cuda_gpu_kern_sum:nvtx-name:base", small())[1:]}
    by_hand = collections.defaultdict(lambda: [0, 0])
    for row in report("cuda_gpu_trace:nvtx-name:base", small())[1:]:
        if row[-1] != "[CUDA memcpy Unknown]":
            by_hand[row[-1]][0] += int(row[1])
            by_hand[row[-1]][1] += 1
    assert sums == {k: (str(t), str(n)) for k, (t, n) in by_hand.items()}, (sums, by_hand)
    launched = {row[-1] for row in report("cuda_kern_exec_sum:nvtx-name:base", small())[1:]}
    assert launched == set(by_hand), launched


def test_kernels_of_other_shapes_have_rows_of_their_own():
    path = changed("shapes", """
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN gridX INTEGER;
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN blockZ INTEGER;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 16384, blockZ = 2 WHERE start < 800;
    """)
    rows = report("cuda_gpu_kern_gb_sum:base", path)
    assert rows[0][8:] == ["GridXYZ", "BlockXYZ", "Name"], rows
    kernels = [r for r in report("cuda_gpu_trace:base", path)[1:] if r[-1] == "f"]
    wide = [int(r[1]) for r in kernels if r[3] == "16384"]
    assert 0 < len(wide) < len(kernels), kernels
    assert sorted((r[8], r[9], int(r[1]), int(r[2])) for r in rows[1:]) == sorted([
        ("16384    0    0", "   0    0    2", sum(wide), len(wide)),
        ("   0    0    0", "   0    0    0", sum(int(r[1]) for r in kernels) - sum(wide),
         len(kernels) - len(wide))]), rows


def test_launches_are_in_the_order_of_their_calls():
    head, *rows = report("cuda_kern_exec_trace:base", placed())
    assert head == ["API Start (ns)", "API Dur (ns)", "Queue Start (ns)", "Queue Dur (ns)",
                    "Kernel Start (ns)", "Kernel Dur (ns)", "Total Dur (ns)", "PID", "TID",
                    "DevId", "API Function", "GridXYZ", "BlockXYZ", "Kernel Name"]
    assert rows == sorted(rows, key=lambda row: int(row[0])) and len(rows) > 2, rows
    kernels = {row[0]: row for row in report("cuda_gpu_trace:base", placed())[1:]}
    calls = {row[0]: row for row in report("cuda_api_trace", placed())[1:]}
    for row in rows:
        kernel, call = kernels[row[4]], calls[row[0]]
        call_end, end = int(row[0]) + int(row[1]), int(row[4]) + int(row[5])
        queue = int(row[4]) - call_end
        assert [row[5], row[13]] == [kernel[1], kernel[-1]] and row[1] == call[1], row
        assert row[7:9] + [row[10]] == call[5:7] + [call[2]], (row, call)
        assert row[2:4] == (["", ""] if queue < 0 else [str(call_end), str(queue)]), row
        assert int(row[6]) == max(call_end, end) - int(row[0]), row
    counts = collections.Counter(row[-1] for row in rows)
    for row in report("cuda_kern_exec_sum:base", placed())[1:]:
        counts[row[-1]] -= int(row[3])
    assert not +counts and not -counts, counts


def test_calls_are_in_time_order():
    path = changed("calls", """
        ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN nameId INTEGER;
        ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN returnValue INTEGER;
        INSERT INTO StringIds VALUES (9, 'cudaLaunchKernel_v7000'), (10, 'worker');
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = 9, returnValue = correlationId - 1;
        CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
        INSERT INTO ThreadNames VALUES (10, 20, 0x0001000000000000 | (100 << 24) | 102);
    """)
    rows = report("cuda_api_trace", path)
    assert rows[0] == ["Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid",
                       "Tid", "T-Pri", "Thread Name"], rows
    db = sqlite3.connect(path)
    expected = [[str(start), str(end - start), "cudaLaunchKernel", str(result), str(id),
                 "100", str(tid & 0xffffff), "", "worker" if tid & 0xffffff == 102 else ""]
                for start, end, tid, id, result in db.execute(
                    "SELECT start, end, globalTid, correlationId, returnValue "
                    "FROM CUPTI_ACTIVITY_KIND_RUNTIME ORDER BY start, rowid")]
    db.close()
    assert rows[1:] == expected, (rows, expected)


def test_traces_of_work_are_in_time_order():
    rows = report("cuda_gpu_trace", placed())
    assert rows[0] == [
        "Start (ns)", "Duration (ns)", "CorrId", "GrdX", "GrdY", "GrdZ", "BlkX", "BlkY",
        "BlkZ", "Reg/Trd", "StcSMem (MB)", "DymSMem (MB)", "Bytes (MB)",
        "Throughput (MB/s)", "SrcMemKd", "DstMemKd", "Device", "Ctx", "GreenCtx", "Strm",
        "Name"]
    starts = [int(row[0]) for row in rows[1:]]
    assert starts == sorted(starts) and len(starts) == 8 + 1 + 1
    (copy,) = [row for row in rows if "memcpy" in row[20]]
    assert copy[:3] + copy[12:14] == ["600", "20", "4", "0.004", "204800.000"]
    last = rows[-1]
    assert last[:4] + last[16:] == ["5000", "500", "5", "93600", "GPU 1", "1", "", "13",
                                    "void f<int>(int)"]


def test_launches_wait_from_the_end_of_their_call():
    rows = report("cuda_kern_exec_sum", placed())
    assert rows[0][:7] == ["PID", "TID", "DevId", "Count", "QCount", "TAvg (ns)",
                           "TMed (ns)"]
    assert rows[0][10:17:5] + rows[0][20:21] + rows[0][25:] == [
        "AAvg (ns)", "QAvg (ns)", "KAvg (ns)", "API Name", "Kernel Name"]
    alone = next(row for row in rows if row[2] == "1")
    # Launched at 1300 to 1310, on the GPU from 5000 to 5500.
    assert alone[:6] + alone[10:11] + alone[15:16] + alone[20:21] == [
        "100", "101", "1", "1", "1", "4200.0", "10.0", "3690.0", "500.0"]
    early = changed("early", placed_script() + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL "
                    "SET start = 1305 WHERE correlationId = 5;")
    alone = next(row for row in report("cuda_kern_exec_sum", early) if row[2] == "1")
    assert alone[4] == "0" and alone[15:20] == [""] * 5, alone


def test_the_usual_reports_name_what_kept_a_gpu_busy():
    def headings(*args):
        text = traces.run(traces.RANGELINE, "stats", "-q", *args).stdout.decode()
        return "void f<int>(int)" in text
    assert headings(placed())
    assert not headings("--domain", "io", placed())
    assert not headings(traces.everything())


def test_filters_and_times_select_the_work_of_reports():
    def names(*args):
        return [row[-1] for row in report("cuda_gpu_sum", *args, placed())[1:]]
    assert names("--name", "*memset*") == ["[CUDA memset]"]
    assert names("--thread", "GPU 1/*") == ["void f<int>(int)"]
    assert names("--filter-payload", "bytes=64") == ["[CUDA memset]"]
    rows = report("cuda_gpu_sum", "--filter-time", "5000ns/5250ns", placed())[1:]
    assert [row[1:3] for row in rows] == [["250", "1"]]
    assert report("cuda_kern_exec_sum", "--filter-time", "5000ns/5250ns", placed())[1][:4] == [
        "100", "101", "1", "1"]


# --- GPU work as events ---------------------------------------------------------------

def placed():
    """`small`, with streams and other columns of newer exports."""
    return changed("placed", placed_script())


def placed_script():
    columns = "".join(
        f"ALTER TABLE CUPTI_ACTIVITY_KIND_{table} ADD COLUMN {name} INTEGER DEFAULT {value};"
        for table in ["KERNEL", "MEMCPY"] for name, value in [
            ("deviceId", 0), ("contextId", 1), ("streamId", 7)])
    return columns + """
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN gridX INTEGER DEFAULT 93600;
        ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN copyKind INTEGER DEFAULT 1;
        ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN bytes INTEGER DEFAULT 4096;
        ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN nameId INTEGER DEFAULT 5;
        INSERT INTO StringIds VALUES (5, 'cudaLaunchKernel_v7000');
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = 13, deviceId = 1
            WHERE correlationId = 5;
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER,
            correlationId INTEGER, globalPid INTEGER, deviceId INTEGER,
            contextId INTEGER, streamId INTEGER, bytes INTEGER, value INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (640, 650, 4, %d, 0, 1, 7, 64, 255);
        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER,
            correlationId INTEGER, globalPid INTEGER, deviceId INTEGER,
            contextId INTEGER, streamId INTEGER, syncType INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
            VALUES (5600, 5700, 5, %d, 0, 1, 4294967295, 4);
        CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER, end INTEGER,
            globalTid INTEGER, correlationId INTEGER, overheadType INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (1, 9, %d, 0, 3);
    """ % (PROCESS, PROCESS, PROCESS | 103)


def lines(command, *args):
    out = traces.run(traces.RANGELINE, command, *args).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


def test_print_has_operations_and_calls_where_they_began():
    events = lines("print", "--json", placed())
    times = [e["t"] for e in events if "t" in e]
    assert times == sorted(times)
    work = [e for e in events if e["type"] == "gpu"]
    assert len(work) == 8 + 1 + 1 + 1
    first = next(e for e in work if e["t"] == 130)
    assert (first["duration"], first["name"], first["stream"], first["correlation"]) == (
        50, "void f<int>(int)", "GPU 0/context 1/stream 7", 1)
    assert '"gridX": 93600' in json.dumps(first["payloads"]), first
    names = {e["stream"]: e["name"] for e in work}
    assert names["GPU 1/context 1/stream 13"] == "void f<int>(int)"
    assert names["GPU 0/context 1"] == "[CUDA Context sync]"
    assert {"[CUDA memcpy Host-to-Device]", "[CUDA memset]"} <= {e["name"] for e in work}
    calls = [e for e in events if e["type"] == "call"]
    assert [(e["t"], e["tid"], e["name"]) for e in calls][:2] == [
        (1, 103, "[Buffer flush (Profiler)]"), (110, 101, "cudaLaunchKernel_v7000")]
    assert len(calls) == 8
    ranges = [r for r in lines("print", "--json", "--ranges", placed())
              if r["style"] in ("gpu", "call")]
    assert sorted((r["start"], r["duration"], r["name"]) for r in ranges) == sorted(
        (e["t"], e["duration"], e["name"]) for e in work + calls)


def test_info_counts_work_and_lists_streams():
    info = json.loads(traces.run(traces.RANGELINE, "info", "--json", placed()).stdout)
    plain = json.loads(traces.run(traces.RANGELINE, "info", "--json", small()).stdout)
    assert (info["gpu_operations"], info["kernels"], info["cuda_calls"]) == (11, 8, 7)
    assert info["events"] == plain["events"]
    streams = {t["system_name"]: t["events"]
               for t in info["processes"][0]["threads"] if t.get("stream")}
    assert streams == {"GPU 0/context 1/stream 7": 9, "GPU 1/context 1/stream 13": 1,
                       "GPU 0/context 1": 1}
    text = traces.run(traces.RANGELINE, "info", placed()).stdout.decode()
    assert "8 kernels, 3 other operations, 7 calls" in text
    assert "GPU 0/context 1/stream 7, 9 operations" in text


def test_reports_of_ranges_and_threads_do_not_see_it():
    path = placed()
    bare = changed("bare", "".join(f"DROP TABLE CUPTI_ACTIVITY_KIND_{table};"
                                   for table in ["RUNTIME", "KERNEL", "MEMCPY"]))
    for name in ["nvtx_sum", "nvtx_pushpop_trace", "nvtx_startend_sum", "tree", "gaps",
                 "outliers", "process_sum", "thread_sum"]:
        with_work, without = report(name, path), report(name, bare)
        if name == "thread_sum":  # a thread whose only event is a call
            with_work = [row for row in with_work if row[6] != "103"]
        if name == "process_sum":
            with_work, without = [[row[:5] + row[6:] for row in rows]
                                  for rows in (with_work, without)]
        assert with_work == without, name


def rows_of(db, table, columns):
    strings = dict(db.execute("SELECT id, value FROM StringIds"))
    texts = {"demangledName", "shortName", "mangledName", "nameId"}
    rows = db.execute('SELECT "' + '","'.join(columns) + f'" FROM {table}')
    return sorted(([strings.get(cell, cell) if name in texts else cell
                    for name, cell in zip(columns, row)] for row in rows), key=repr)


def test_an_export_has_its_tables_again():
    for path in [placed(), *([FIXTURE] if FIXTURE.exists() else [])]:
        again = traces.WORK / f"again-{path.stem}.sqlite"
        traces.run(traces.RANGELINE, "export", "-q", "-t", "sqlite", "-o", again, path)
        with sqlite3.connect(path) as one, sqlite3.connect(again) as two:
            for table in ["KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "SYNCHRONIZATION",
                          "OVERHEAD"]:
                table = f"CUPTI_ACTIVITY_KIND_{table}"
                columns = [c[1] for c in one.execute(f"PRAGMA table_info({table})")]
                if not columns or not one.execute(f"SELECT 1 FROM {table}").fetchone():
                    continue
                first, second = (rows_of(db, table, columns)
                                 for db in (one, two))
                lost = {c for before, after in zip(first, second)
                        for c, x, y in zip(columns, before, after) if x != y}
                assert len(first) == len(second) and not lost, (table, lost)
        for name in GPU_REPORTS if path != FIXTURE else []:  # it has a domain named ""
            assert report(name, again) == report(name, path), name


def test_a_merged_trace_keeps_it():
    for path in [placed(), changed("graph-kept", GRAPHS + graph(3000, 4000, 2))]:
        merged = traces.WORK / f"merged-{path.stem}.rln"
        traces.run(traces.RANGELINE, "merge", "-o", merged, path)
        for name in GPU_REPORTS:
            assert report(name, merged) == report(name, path), name
        said = [traces.run(traces.RANGELINE, "stats", "-q", "-r", "nvtx_kern_sum", which).stderr
                for which in (path, merged)]
        assert [b"of CUDA graphs" in each for each in said] == [path.stem == "graph-kept"] * 2


def test_pages_have_a_row_per_stream():
    page = traces.WORK / "placed.html"
    traces.run(traces.RANGELINE, "view", "--html", page, placed())
    ((kind, _, digits),) = page_blocks.BLOCK.findall(page.read_text())
    (traces.WORK / "placed.index").write_bytes(page_blocks.unpacked(digits))
    assert kind == "index"
    said = subprocess.run([traces.BUILD / "bin/ask_natively", "placed.index"], check=True,
                          input=b"0/about\n", cwd=traces.WORK, stdout=subprocess.PIPE).stdout
    about = json.loads(said.split(b"\n", 2)[2])
    assert "GPU 0/context 1/stream 7" in [each["label"] for each in about["groups"]], about
    assert "[CUDA memset]" in [each["message"] for each in about["names"]], about


def test_timelines_have_a_track_per_stream():
    chrome = traces.WORK / "placed.json"
    traces.run(traces.RANGELINE, "export", "-q", "-t", "chrome", "-o", chrome, placed())
    events = json.loads(chrome.read_text())["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    (stream,) = [tid for tid, name in tracks.items() if name == "GPU 0/context 1/stream 7"]
    there = [e for e in events if e["ph"] == "X" and e["tid"] == stream]
    assert len(there) == 9 and {e["name"] for e in there} >= {
        "void f<int>(int)", "[CUDA memset]"}
    values = [payload["value"] for e in there for payload in e["args"]["payloads"]]
    assert len(values) == 9 and all("correlationId" in v for v in values), there
    assert not any({"start", "end", "name"} & set(v) for v in values), there
    calls = [e for e in events if e["ph"] == "X" and e["tid"] == 101
             and e["name"] == "cudaLaunchKernel_v7000"]
    assert len(calls) == 4
    (crossing,) = [e for e in events if e.get("args", {}).get("thread") == 101]
    assert (crossing["ph"], crossing["name"], tracks[crossing["tid"]]) == (
        "X", "cudaLaunchKernel_v7000", "thread 101 (2)")


# --- Tables and stacks ----------------------------------------------------------------

STREAM = "GPU 0/context 1/stream 7"
TABLES = {"kernel": "KERNEL", "copy": "MEMCPY", "set": "MEMSET", "sync": "SYNCHRONIZATION",
          "call": "RUNTIME", "overhead": "OVERHEAD"}


def spans(path, *kinds):
    """(start, end) of each row of the tables of these kinds."""
    with sqlite3.connect(path) as db:
        return sorted((row["start"], row["end"]) for kind in kinds
                      for row in gpu_by_hand.table(db, TABLES[kind]))


def without_work():
    return changed("without-work", placed_script() + "".join(
        f"DROP TABLE CUPTI_ACTIVITY_KIND_{table};" for table in TABLES.values()))


def crossing():
    """`placed` with a copy that crosses a kernel on its stream, another that ends with
    one, and a wait around them."""
    return changed("crossing", placed_script() + f"""
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, globalPid)
            VALUES (170, 200, 1, {PROCESS}), (850, 900, 2, {PROCESS});
        INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
            VALUES (140, 1000, 3, {PROCESS}, 0, 1, 7, 3);""")


def csv_rows(*args):
    text = traces.run(traces.RANGELINE, "export", "-q", "-t", "csv", "-o", "-", *args
                      ).stdout.decode()
    return list(csv.DictReader(io.StringIO(text)))


def csv_spans(rows, kind):
    return sorted((int(row["start_ns"]), int(row["end_ns"])) for row in rows
                  if row["type"] == kind)


def test_csv_has_lines_of_other_types_for_work():
    rows = csv_rows(placed())
    assert csv_spans(rows, "gpu") == spans(placed(), "kernel", "copy", "set", "sync")
    assert csv_spans(rows, "call") == spans(placed(), "call", "overhead")
    first, = (row for row in rows if row["start_ns"] == "130")
    assert [first[key] for key in ("duration_ns", "pid", "tid", "thread", "name", "depth",
                                   "id")] == [
        "50", "100", "", STREAM, "void f<int>(int)", "", "1"], first
    assert '"gridX":93600' in first["payloads"].replace(" ", ""), first
    for row in rows:
        if row["type"] in ("gpu", "call"):
            value, = json.loads(row["payloads"])
            assert value["value"] and not {"start", "end", "name"} & set(value["value"]), row
    for kind in ("gpu", "call"):
        starts = [int(row["start_ns"]) for row in rows if row["type"] == kind]
        assert starts == sorted(starts), starts
    call, = (row for row in rows if row["start_ns"] == "110")
    assert [call["tid"], call["name"], call["id"]] == ["101", "cudaLaunchKernel_v7000", "1"]
    overhead, = (row for row in rows if row["tid"] == "103")
    assert overhead["id"] == "", overhead  # it has no correlation
    others = [row for row in rows if row["type"] not in ("gpu", "call")]
    assert others == csv_rows(without_work()) and len(others) > 5


def test_filters_and_times_select_lines_of_csv():
    def names(*args):
        return [row["name"] for row in csv_rows(*args, placed()) if row["type"] == "gpu"]
    assert names("--name", "*memset*") == ["[CUDA memset]"]
    assert names("--filter-time", "5000ns/5550ns") == ["void f<int>(int)"]
    assert names("--thread", "GPU 1/*") == ["void f<int>(int)"]
    assert names("--filter-payload", "bytes=64") == ["[CUDA memset]"]


def speedscope(*args):
    """[(O or C, frame, time)] of each profile, by its name."""
    text = traces.run(traces.RANGELINE, "export", "-q", "-t", "speedscope", "-o", "-", *args
                      ).stdout
    found = json.loads(text)
    frames = [frame["name"] for frame in found["shared"]["frames"]]
    profiles = {p["name"]: [(e["type"], frames[e["frame"]], e["at"]) for e in p["events"]]
                for p in found["profiles"]}
    assert len(profiles) == len(found["profiles"])
    return profiles


def frame_spans(events):
    """(start, end) of each frame of a profile; they must nest, in order."""
    found, stack, last = [], [], 0
    for what, name, t in events:
        assert t >= last, events
        last = t
        if what == "O":
            stack.append((name, t))
        else:
            begun, start = stack.pop()
            assert begun == name, events
            found.append((start, t))
    assert not stack, stack
    return sorted(found)


def test_speedscope_has_a_profile_per_stream():
    profiles = speedscope(placed())
    streams = {name: profiles.pop(name) for name in list(profiles) if "stream" in name}
    assert set(streams) == {f"100 {STREAM}", "100 GPU 1/context 1/stream 13"}
    assert sorted(span for events in streams.values() for span in frame_spans(events)
                  ) == spans(placed(), "kernel", "copy", "set")
    assert streams["100 GPU 1/context 1/stream 13"] == [
        ("O", "void f<int>(int)", 5000), ("C", "void f<int>(int)", 5500)]
    assert profiles == speedscope(without_work()) and profiles


def test_operations_that_overlap_are_on_lanes_of_their_stream():
    """None is in another, as if that had called it."""
    kernel, copy = "void f<int>(int)", "[CUDA memcpy Host-to-Device]"
    profiles = speedscope(crossing())
    first, second = profiles[f"100 {STREAM}"], profiles[f"100 {STREAM} (2)"]
    assert second == [("O", copy, 170), ("C", copy, 200), ("O", copy, 850),
                      ("C", copy, 900)], second
    assert ("O", kernel, 130) in first and [e[0] for e in first] == ["O", "C"] * (
        len(first) // 2), first
    assert sorted(frame_spans(first) + frame_spans(second)) == [
        span for span in spans(crossing(), "kernel", "copy", "set") if span[0] != 5000]
    assert not any(name.endswith("(3)") for name in profiles)
    folder = case_otf2.exported(crossing())
    slices = case_otf2.slices(case_otf2.printed(folder))
    assert [slices[copy, ns] for ns in (10, 20, 30, 50)] == [0, 1, 1, 1], slices
    definitions = case_otf2.printed(folder, "-G")
    assert f'Name: "{STREAM} (2)"' in definitions, definitions


def test_many_operations_that_overlap_take_little_room():
    n = 2000
    path = changed("staggered", placed_script() + "".join(
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, globalPid, "
        f"demangledName) VALUES ({10000 + i}, {20000 + i}, 1, {PROCESS}, 1);"
        for i in range(n)))
    out = traces.WORK / "staggered.speedscope.json"
    traces.run(traces.RANGELINE, "export", "-q", "-t", "speedscope", "-f", "-o", out, path)
    assert out.stat().st_size < 300 * n, out.stat().st_size
    assert f"stream 7 ({n})" in out.read_text()[:10 << 20]
    slices = case_otf2.slices(case_otf2.printed(case_otf2.exported(path)))
    assert slices["void f<int>(int)", 10000] == n


def test_processes_without_streams_leave_no_gap_in_groups():
    first, second = (0x0001000000000000 | pid << 24 for pid in (10, 300))
    path = changed("gap", placed_script() + f"""
        INSERT INTO NVTX_EVENTS VALUES (0, 10, 59, NULL, 'early', {first | 11}, NULL, NULL, 0);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (700, 710, 9, {second}, 0, 1, 7, 1, 0);
        """)
    definitions = case_otf2.printed(case_otf2.exported(path), "-G")  # without a warning
    groups = re.findall(r'LOCATION_GROUP +(\d+) .*Type: (\w+)', definitions)
    assert [int(number) for number, _ in groups] == list(range(5)), definitions
    assert [kind for _, kind in groups] == ["PROCESS"] * 3 + ["ACCELERATOR"] * 2, groups


def test_filters_and_times_select_frames_of_streams():
    def frames(*args):
        return {name: [e[1:] for e in events if e[0] == "O"]
                for name, events in speedscope(*args, placed()).items() if "GPU" in name}
    assert frames("--name", "*memset*") == {f"100 {STREAM}": [("[CUDA memset]", 640)]}
    one = {"100 GPU 1/context 1/stream 13": [("void f<int>(int)", 5000)]}
    assert frames("--thread", "GPU 1/*") == one
    assert frames("--filter-time", "5100ns/5200ns") == one
    assert frames("--min-duration", "450ns") == one


def test_otf2_has_a_location_per_stream():
    folder = case_otf2.exported(placed())
    definitions = case_otf2.printed(folder, "-G")
    groups = {number: kind for number, kind in re.findall(
        r'LOCATION_GROUP +(\d+) +Name: .*Type: (\w+)', definitions)}
    assert sorted(groups.values()) == ["ACCELERATOR", "PROCESS"], definitions
    locations = re.findall(r'LOCATION +(\d+) +Name: "([^"]*)" <\d+>, Type: (\w+),.*'
                           r'Group: "[^"]*" <(\d+)>', definitions)
    streams = {name: groups[group] for _, name, kind, group in locations
               if kind == "ACCELERATOR_STREAM"}
    assert streams == {STREAM: "ACCELERATOR",
                       "GPU 1/context 1/stream 13": "ACCELERATOR"}, definitions
    assert re.search(r'REGION .*Name: "void f<int>\(int\)".*Paradigm: CUDA', definitions)
    ours = case_otf2.slices(case_otf2.printed(folder))
    ranges = case_otf2.slices(case_otf2.printed(case_otf2.exported(without_work())))
    work = collections.Counter(end - start for start, end in
                               spans(placed(), "kernel", "copy", "set"))
    names = {name for name, _ in ours} - {name for name, _ in ranges}
    assert names == {"void f<int>(int)", "[CUDA memcpy Host-to-Device]", "[CUDA memset]"}
    assert work == sum((collections.Counter({ns: n}) for (name, ns), n in ours.items()
                        if name in names), collections.Counter())


def test_tables_and_stacks_of_a_real_export_have_all_its_work():
    if not FIXTURE.exists():
        raise traces.Skipped(f"there is no {FIXTURE.name}")
    rows = csv_rows(FIXTURE)
    assert csv_spans(rows, "gpu") == spans(FIXTURE, "kernel", "copy", "set", "sync")
    assert csv_spans(rows, "call") == spans(FIXTURE, "call", "overhead")
    total = sum(end - start for start, end in spans(FIXTURE, "kernel", "copy", "set"))
    streams = [frame_spans(events) for name, events in speedscope(FIXTURE).items()
               if "/stream " in name]
    assert sum(end - start for of_one in streams for start, end in of_one) == total > 0
    names = {row["name"] for row in rows if row["type"] == "gpu"}
    slices = case_otf2.slices(case_otf2.printed(case_otf2.exported(FIXTURE)))
    assert sum(ns * n for (name, ns), n in slices.items() if name in names) == total


def test_filters_and_times_select_work():
    def names(*args):
        return [e["name"] for e in lines("print", "--json", *args, placed())
                if e["type"] == "gpu"]
    assert names("--name", "*memset*") == ["[CUDA memset]"]
    assert names("--filter-time", "5000ns/5550ns") == ["void f<int>(int)"]
    assert names("--thread", "GPU 1/*") == ["void f<int>(int)"]


def test_filters_by_duration_and_payload_are_the_same_for_events_and_ranges():
    for wanted, args in [(set(), ["--min-duration", "600ns"]),
                         ({5000, 700, 2700}, ["--min-duration", "150ns"]),
                         ({130}, ["--filter-payload", "gridX=93600", "--filter-time",
                                  "120ns/190ns"])]:
        for form in [[], ["--ranges"]]:
            found = lines("print", "--json", *args, *form, placed())
            assert {e.get("t", e.get("start")) for e in found
                    if "gpu" in (e["type"], e.get("style"))} == wanted, (args, form, found)


def test_work_without_a_correlation_belongs_to_no_call():
    path = changed("uncorrelated", """
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = NULL WHERE correlationId = 1;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = NULL WHERE correlationId = 1;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 4294967298
            WHERE correlationId = 2;""")
    assert sorted(report("nvtx_gpu_proj_sum", path)[1:]) == sorted(gpu_by_hand.proj_sum(path))
    assert sorted(report("nvtx_kern_sum", path)[1:]) == sorted(gpu_by_hand.kern_sum(path))


def test_what_cannot_be_read_is_damage_by_table():
    bad = "".join(f"UPDATE CUPTI_ACTIVITY_KIND_{table} SET start = 9000000000000000000;"
                  for table in ["KERNEL", "RUNTIME"])
    path = changed("untimed-both", bad + "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY "
                   'RENAME COLUMN "end" TO gone')
    info = json.loads(traces.run(traces.RANGELINE, "info", "--json", path).stdout)
    assert info["n_damages"] == 8 + 7 + 1, info["damages"]
    reasons = {d["reason"] for d in info["damages"]}
    assert any("_MEMCPY could not be read" in r for r in reasons), reasons
    assert sum("invalid times" in r for r in reasons) == 2, reasons


def test_numbers_beyond_32_bits_are_damage_and_their_rows_stay():
    path = changed("wide", placed_script() + f"""
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = {1 << 32}, contextId = {1 << 40}
            WHERE start = 130;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = {2 ** 32 - 1} WHERE start = 450;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = {-1 - (1 << 31)}
            WHERE correlationId = 7;""")
    info = json.loads(traces.run(traces.RANGELINE, "info", "--json", path).stdout)
    reasons = [d["reason"] for d in info["damages"]]
    assert reasons == ["a number of GPU work exceeds 32 bits"] * 2, reasons
    assert (info["kernels"], info["cuda_calls"]) == (8, 7)


def test_a_row_without_times_is_damage_and_no_other_row():
    path = changed("untimed", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 200 "
                              "WHERE correlationId = 1;"
                              "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = NULL "
                              "WHERE correlationId = 2;")
    info = json.loads(traces.run(traces.RANGELINE, "info", "--json", path).stdout)
    assert info["kernels"] == 5
    assert "invalid times" in json.dumps(info["damages"])


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


def test_reports_of_launches_say_that_no_calls_were_recorded():
    """As of `profile --cuda-api=none`, or of an export without the table of calls."""
    path = changed("no-calls", "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;")
    empty = changed("calls-left-out", "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME;")
    merged = traces.WORK / "no-calls.rln"
    traces.run(traces.RANGELINE, "merge", "-o", merged, path)
    needing = [*GPU_REPORTS, "cuda_kern_exec_sum", "cuda_kern_exec_trace", "tree:gpu",
               "tree:thread:gpu", "rank_sum:gpu"]
    for name in [*needing, "cuda_gpu_sum", "tree", "rank_sum", "nvtx_sum"]:
        for readable in [path, empty, merged, small()]:
            said = traces.run(traces.RANGELINE, "stats", "-q", "-r", name, readable
                              ).stderr.decode()
            is_lacking = name in needing and readable != small()
            note = f"{name.split(':')[0]} lacks 9 GPU operations: no calls of CUDA were recorded"
            assert (note in said) == ("--cuda-api=launch" in said) == is_lacking, (name, said)
    bare = changed("no-work", "".join(f"DROP TABLE CUPTI_ACTIVITY_KIND_{table};"
                                      for table in ["RUNTIME", "KERNEL", "MEMCPY"]))
    said = traces.run(traces.RANGELINE, "stats", "-q", "-r", "tree:gpu", bare).stderr
    assert b"no calls" not in said, said


# --- Whose work it is -----------------------------------------------------------------

def captured():
    """A CUDA graph of three nodes, captured in two layers and launched twice; a node whose
    creation is unknown; a kernel without a graph; and a number that is used again."""
    path = traces.WORK / "captured.sqlite"
    if path.exists():
        return path
    path.write_bytes(small().read_bytes())
    db = sqlite3.connect(path)
    db.executescript("""
        DELETE FROM NVTX_EVENTS; DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME;
        DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;
        INSERT INTO StringIds VALUES (5, 'Graph Node Creation');
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN graphNodeId INTEGER;
        CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL,
            nameId INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
            graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
    """)
    one, two = PROCESS | 101, PROCESS | 102
    db.executemany("INSERT INTO NVTX_EVENTS VALUES (?,?,59,NULL,?,?,NULL,NULL,0)", [
        (0, 1000, "capture", one), (100, 300, "layer1", one), (300, 500, "layer2", one),
        (2000, 4500, "replay", two), (4900, 5050, "other", one)])
    db.executemany("INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (?,?,5,77,?,?,?)", [
        (150, 150, one, 1, None), (350, 352, one, 2, None), (600, 600, one, 3, None),
        (700, 700, two, 11, 1), (700, 700, two, 12, 2), (700, 700, two, 13, 3),
        (800, 800, two, 98, 97), (5000, 5000, one, 1, None), (5001, 5001, one, 11, 1)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?)", [
        (2100, 2110, two, 50), (3100, 3110, two, 51), (4000, 4010, two, 52),
        (5100, 5110, two, 53)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,1,2,3,?)", [
        (2200, 2300, 50, PROCESS, 11), (2300, 2500, 50, PROCESS, 12),
        (2500, 2600, 50, PROCESS, 13), (3200, 3310, 51, PROCESS, 11),
        (3310, 3520, 51, PROCESS, 12), (3520, 3620, 51, PROCESS, 13),
        (3700, 3710, 51, PROCESS, 98), (4100, 4200, 52, PROCESS, None),
        (5200, 5300, 53, PROCESS, 11)])
    db.commit()
    db.close()
    return path


def projected(name, path):
    """Of each range: its projected and own times, the instances, and the operations."""
    return {row[0]: (*map(int, row[2:5]), int(row[10]))
            for row in report(name, path)[1:]}


def test_captured_work_belongs_to_the_ranges_in_which_its_graph_was_built():
    assert projected("nvtx_gpu_proj_sum", captured()) == {":replay": (2000, 2500, 1, 3)}
    by_capture = {":capture": (400 + 420, 1000, 2, 6), ":layer1": (100 + 110, 200, 2, 2),
                  ":layer2": (200 + 210, 200, 2, 2), ":replay": (500, 2500, 1, 2),
                  ":other": (100, 150, 1, 1)}
    assert projected("nvtx_gpu_proj_sum:captured", captured()) == by_capture
    rows = report("nvtx_gpu_proj_trace:captured", captured())[1:]
    layer = [row for row in rows if row[0] == ":layer1"]
    assert [row[1:5] + row[8:10] for row in layer] == [
        ["2200", "100", "100", "200", "1", "1"], ["3200", "110", "100", "200", "1", "1"]]
    rows = report("nvtx_kern_sum:captured:base", captured())[1:]
    (layer,) = [row for row in rows if row[0] == ":layer2"]
    assert layer[2:7] == ["100", "101", "1", "2", "410"] and layer[-1] == "f", layer
    # Where nothing says how the graph was built, it belongs to its launch.
    unknown = traces.WORK / "uncaptured.sqlite"
    unknown.write_bytes(captured().read_bytes())
    with sqlite3.connect(unknown) as db:
        db.execute("DROP TABLE CUDA_GRAPH_NODE_EVENTS")
    for name in GPU_REPORTS:
        assert report(f"{name}:captured", unknown) == report(name, captured()), name
    again = traces.WORK / "captured-again.sqlite"
    traces.run(traces.RANGELINE, "export", "-q", "-t", "sqlite", "-o", again, captured())
    assert projected("nvtx_gpu_proj_sum:captured", again) == by_capture
    with sqlite3.connect(captured()) as one, sqlite3.connect(again) as two:
        nodes = [sorted(db.execute("SELECT n.start, n.end, value, eventClass, globalTid, "
                                   "graphNodeId, originalGraphNodeId FROM "
                                   "CUDA_GRAPH_NODE_EVENTS n JOIN StringIds s "
                                   "ON s.id = nameId"), key=str) for db in (one, two)]
    assert nodes[0] == nodes[1] and len(nodes[0]) == 9, nodes


def test_a_table_of_nodes_that_cannot_be_read_skips_what_needs_it():
    path = traces.WORK / "no-nodes.sqlite"
    path.write_bytes(captured().read_bytes())
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE CUDA_GRAPH_NODE_EVENTS RENAME COLUMN globalTid TO gone")
    assert report("nvtx_kern_sum", path) == report("nvtx_kern_sum", captured())
    said = traces.run(traces.RANGELINE, "stats", "-q", "-r", "nvtx_kern_sum:captured", path
                      ).stderr.decode()
    assert "SKIPPED" in said and "no column globalTid" in said, said


def test_work_of_threads_without_ranges_can_be_adopted_by_the_main_thread():
    main, helper, other = PROCESS | 100, PROCESS | 102, PROCESS | 103
    path = traces.WORK / "adopted.sqlite"
    path.write_bytes(small().read_bytes())
    db = sqlite3.connect(path)
    db.executescript("DELETE FROM NVTX_EVENTS; DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME;"
                     "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL;")
    db.executemany("INSERT INTO NVTX_EVENTS VALUES (?,?,59,NULL,?,?,NULL,NULL,0)", [
        (0, 9000, "step", main), (100, 5000, "backward", main), (1000, 2000, "own", other)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?)", [
        (500, 510, helper, 60), (1100, 1110, other, 61), (5500, 5510, helper, 62),
        (9500, 9510, helper, 63)])
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,1,2,3)", [
        (600, 700, 60, PROCESS), (1200, 1210, 61, PROCESS), (5600, 5700, 62, PROCESS),
        (9600, 9601, 63, PROCESS)])
    db.commit()
    db.close()
    assert projected("nvtx_gpu_proj_sum", path) == {":own": (10, 1000, 1, 1)}
    assert projected("nvtx_gpu_proj_sum:adopt", path) == {
        ":step": (5100, 9000, 1, 2), ":backward": (100, 4900, 1, 1), ":own": (10, 1000, 1, 1)}
    # The thread is still that of the call.
    rows = {(row[0], row[3]): (row[4], row[5], row[6])
            for row in report("nvtx_kern_sum:adopt", path)[1:]}
    assert rows == {("", "102"): ("0", "1", "1"), (":step", "102"): ("1", "2", "200"),
                    (":backward", "102"): ("1", "1", "100"), (":own", "103"): ("1", "1", "10")}
    assert projected("nvtx_gpu_proj_sum:adopt:captured", path) == projected(
        "nvtx_gpu_proj_sum:captured:adopt", path) == projected("nvtx_gpu_proj_sum:adopt", path)


def tree(path, *words):
    """Of each path, how long GPUs worked for it."""
    rows = report("tree:gpu", *words, path)
    gpu, level = rows[0].index("GPU Time (ns)"), rows[0].index("Level")
    found, at = {}, []
    for row in rows[1:]:
        at[int(row[level]):] = [row[-1]]
        found["/".join(at)] = int(row[gpu])
    return found


def test_a_tree_has_the_time_in_which_gpus_worked_for_each_path():
    load = 50 + 250 + 20
    assert tree(small()) == {"step": load + 20, "step/io:load": load, "step/registered": 20,
                             "empty": 0, "open": 200, "open/step": 200}
    # Two operations at once are one time of a GPU, but not of two.
    overlapping = "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 800 WHERE start = 900;"
    assert tree(changed("overlapping", overlapping))["step/io:load"] == load
    two = changed("two-gpus", overlapping + """
        ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN deviceId INTEGER DEFAULT 0;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1 WHERE start = 800;""")
    assert tree(two)["step/io:load"] == 50 + 200 + 150 + 20
    # As its own time, that of a range that the filter leaves out is not shown.
    assert tree(small(), "--name", "load") == {"step": 0, "step/io:load": load}
    assert tree(small(), "--thread", "102") == {"open": 200, "open/step": 200}
    one_name = changed("one-name", """
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = %d WHERE correlationId = 2;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 2100, end = 2110
            WHERE correlationId = 2;
        UPDATE NVTX_EVENTS SET start = 1900 WHERE text = 'open';""" % (PROCESS | 102))
    assert tree(one_name, "--thread", "101")["step"] == 50 + 20 + 20
    for words, why in ((["--min-duration", "1ns"], "by the duration or the payload"),
                       (["--filter-payload", "x=1"], "by the duration or the payload")):
        done = traces.run(traces.RANGELINE, "stats", "-r", "tree:gpu", "-f", "csv", *words, small())
        assert why.encode() in done.stderr and not done.stdout, done
    for name in ("tree:gpu", "rank_sum:gpu"):
        done = traces.run(traces.RANGELINE, "stats", "-r", name, "-f", "csv", traces.everything())
        assert b"does not contain CUDA trace data." in done.stderr and not done.stdout, done
    by_thread = report("tree:thread:gpu", small())
    columns = [by_thread[0].index(c) for c in ("TID", "GPU Time (ns)", "Name")]
    assert ["102", "200", "open"] in [[row[c] for c in columns] for row in by_thread[1:]]
    screen = traces.run(traces.RANGELINE, "stats", "-q", "-r", "tree:gpu", small()).stdout.decode()
    assert "GPU" in screen and re.search(r"320 ns +io:load", screen), screen


def test_ranks_have_the_time_in_which_gpus_worked_for_each_range():
    """A second process, a rank of its own, does half of the work in `step`."""
    second = 0x0001000000000000 | 200 << 24
    path = changed("gpu-ranks", f"""
        INSERT INTO NVTX_EVENTS VALUES (0, 1000, 59, NULL, 'step', {second | 201}, NULL, NULL, 0);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (500, 510, {second | 201}, 1);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (600, 700, 1, {second}, 1, 2, 3),
            (650, 870, 1, {second}, 1, 2, 3);""")
    rows = report("rank_sum:gpu", path)
    at = {name: i for i, name in enumerate(rows[0])}
    found = {row[at["Range"]]: row for row in rows[1:]}
    # 130-180, 450-470, 600-620, 700-950, and of another range 2700-2900.
    assert [found[":step"][at[c]] for c in (
        "Total Time (ns)", "Ranks", "Instances", "PID 100 (ns)", "PID 200 (ns)", "Slowest")] == [
            str(540 + 270), "2", "3", "540", "270", "100"], found
    assert found["io:load"][at["PID 200 (ns)"]] == "0"
    assert ":empty" not in found and ":elsewhere" not in found, found


def test_arguments_have_one_word_of_each_group():
    for argument in ["base:mangled", "adopt:adopt", "adopt:", "", "nvtx-name", "adopt|captured"]:
        done = traces.run(traces.RANGELINE, "stats", "-r", f"nvtx_kern_sum:{argument}", small(),
                          ok=False)
        assert done.returncode == 2 and b"no such argument" in done.stderr, argument
    assert report("cuda_gpu_trace:base:nvtx-name", small()) == report(
        "cuda_gpu_trace:nvtx-name:base", small())


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
