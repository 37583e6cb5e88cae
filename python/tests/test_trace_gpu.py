# SPDX-License-Identifier: Apache-2.0
"""GPU work of a trace is in tables of its own."""
import json
import os
import sqlite3
import subprocess

import pytest
import rangeline
from conftest import RANGELINE

pytestmark = pytest.mark.slow

PROCESS = 1 << 48 | 100 << 24
SCRIPT = f"""
    CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
    INSERT INTO StringIds VALUES (1, 'void gemm<int>(int)'), (2, 'gemm'), (3, '_Z4gemm'),
        (4, 'cudaLaunchKernel');
    CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
        text TEXT, globalTid INTEGER, domainId INTEGER);
    INSERT INTO NVTX_EVENTS VALUES (0, 1000, 59, 'step', {PROCESS | 101}, 0);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
        correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 120, {PROCESS | 101}, 7, 4, 0),
        (150, 155, {PROCESS | 101}, NULL, 4, 2);
    CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER, end INTEGER,
        globalTid INTEGER, correlationId INTEGER, overheadType INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (160, 170, {PROCESS | 102}, 0, 3);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
        contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
        demangledName INTEGER, shortName INTEGER, mangledName INTEGER, gridX INTEGER,
        gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
        registersPerThread INTEGER, dynamicSharedMemory INTEGER, graphNodeId INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 300, 1, 2, 13, 7, {PROCESS}, 1, 2, 3,
        512, 4, 1, 256, 1, 2, 40, 49152, {1 << 33});
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,
        contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
        bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (310, 330, 0, 1, 7, 0, {PROCESS}, {1 << 40},
        1, 1, 2);
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER,
        contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
        bytes INTEGER, memKind INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (340, 345, 0, 1, 7, 8, {PROCESS}, 64, 4);
    CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER,
        deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,
        globalPid INTEGER, syncType INTEGER);
    INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (400, 500, 0, 1, 4294967295, 9,
        {PROCESS}, 4);
"""

@pytest.fixture(name="trace", scope="module")
def trace_with_work(tmp_path_factory):
    path = tmp_path_factory.mktemp("gpu") / "work.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(SCRIPT)
    db.close()
    done = subprocess.run([RANGELINE, "info", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    if b"without SQLite" in done.stderr:
        pytest.skip("this build is without SQLite")
    return rangeline.open(path)


def known(row):
    """The values that a row has."""
    return {key: value for key, value in row._asdict().items() if value is not None}


def test_operations_have_the_values_of_their_kind(trace):
    kernel, copy, memset, wait = trace.gpu()
    assert known(kernel) == {
        "start": 200, "end": 300, "duration": 100, "kind": "kernel",
        "name": "void gemm<int>(int)", "short_name": "gemm", "pid": 100, "correlation": 7,
        "device": 1, "context": 2, "stream": 13, "grid_x": 512, "grid_y": 4, "grid_z": 1,
        "block_x": 256, "block_y": 1, "block_z": 2, "registers_per_thread": 40,
        "static_shared_memory": 0, "dynamic_shared_memory": 49152, "graph_node": 1 << 33}
    assert known(copy) == {
        "start": 310, "end": 330, "duration": 20, "kind": "copy",
        "name": "[CUDA memcpy Host-to-Device]", "pid": 100, "device": 0, "context": 1,
        "stream": 7, "bytes": 1 << 40, "source_memory": "Pinned",
        "destination_memory": "Device"}
    assert (memset.kind, memset.bytes, memset.source_memory, memset.destination_memory) == (
        "set", 64, None, "Managed")
    assert (wait.kind, wait.name, wait.context, wait.stream) == (
        "sync", "[CUDA Context sync]", 1, None)


def test_calls_have_their_threads_and_results(trace):
    call, failed, overhead = trace.cuda_calls()
    assert known(call) == {
        "start": 100, "end": 120, "duration": 20, "kind": "call", "name": "cudaLaunchKernel",
        "pid": 100, "tid": 101, "correlation": 7, "result": 0}
    assert (failed.correlation, failed.result) == (None, 2)
    assert (overhead.kind, overhead.tid, overhead.result) == ("overhead", 102, None)


@pytest.mark.parametrize("filters,kinds", [
    ({}, ["kernel", "copy", "set", "sync"]),
    ({"name": "*gemm*"}, ["kernel"]),
    ({"name": "x", "rename": "s/.*gemm.*/x/"}, ["kernel"]),
    ({"thread": "GPU 0/*stream*"}, ["copy", "set"]),
    ({"payload": "bytes>=1M"}, ["copy"]),
    ({"min_duration": 50}, ["kernel", "sync"]),
    ({"process": 99}, []),
    ({"domain": "rangeline.cuda"}, ["kernel", "copy", "set", "sync"]),
    ({"domain": None}, []),
])
def test_filters_select_operations(trace, filters, kinds):
    assert [row.kind for row in trace.gpu(**filters)] == kinds
    assert len(trace.gpu(**filters)) == len(kinds)


def test_errors_name_all_filters(trace):
    for table in trace.gpu, trace.cuda_calls, trace.ranges:
        with pytest.raises(TypeError, match="rename, window, min_duration$"):
            table(foo=1)
    with pytest.raises(TypeError, match="rename, window$"):
        trace.marks(foo=1)


def test_rows_are_named_by_their_table(trace):
    assert [type(next(iter(table))).__name__ for table in (
        trace.gpu(), trace.cuda_calls(), trace.ranges())] == ["Gpu", "CudaCalls", "Ranges"]


def test_ranges_are_those_of_the_program(trace):
    assert [row.name for row in trace.ranges()] == ["step"]
    assert [row.name for row in trace.summary()] == ["step"]
    work = [e for e in trace.events() if e.type in ("gpu", "call")]
    assert [(e.time, e.duration, e.tid) for e in work if e.type == "gpu"] == [
        (row.start, row.duration, None) for row in trace.gpu()]
    assert [(e.time, e.duration, e.tid) for e in work if e.type == "call"] == [
        (row.start, row.duration, row.tid) for row in trace.cuda_calls()]


def test_traces_without_work_have_empty_tables(record):
    trace = rangeline.open(record("import rangeline.nvtx; rangeline.nvtx.mark('x')").trace)
    assert len(trace.gpu()) == len(trace.cuda_calls()) == 0
    assert trace.gpu().columns[:5] == ("start", "end", "duration", "kind", "name")


def test_pyarrow_and_pandas_read_them(trace):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    for table in trace.gpu(), trace.cuda_calls():
        read = pyarrow.table(table)
        read.validate(full=True)
        assert [tuple(row.values()) for row in read.to_pylist()] == [tuple(row) for row in table]
    pytest.importorskip("pandas", reason="pandas is in one environment only")
    joined = trace.gpu().to_pandas().merge(trace.cuda_calls().to_pandas(),
                                           on=["pid", "correlation"], suffixes=("", "_call"))
    assert "cudaLaunchKernel" in set(joined.name_call)


def test_work_of_an_older_recorder_has_what_it_recorded(tmp_path):
    """Its schemas end with the stream."""
    make_traces = os.path.join(os.path.dirname(RANGELINE), "make_traces")
    if not os.path.exists(make_traces):
        pytest.skip("the project was built without its tests: no make_traces")
    subprocess.run([make_traces, str(tmp_path)], check=True)
    path = tmp_path / "gpu.rln"
    printed = subprocess.run([RANGELINE, "print", "--json", path], stdout=subprocess.PIPE,
                             check=True).stdout
    expected = [(e["t"], e["name"], e["correlation"]) for e in map(json.loads,
                                                                   printed.splitlines())
                if e["type"] == "gpu"]
    rows = list(rangeline.open(path).gpu())
    assert [(row.start, row.name, row.correlation) for row in rows] == expected
    assert [row.stream for row in rows] == [7, 8, 7]
    assert {(row.bytes, row.grid_x, row.short_name) for row in rows} == {(None,) * 3}
