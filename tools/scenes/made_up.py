# SPDX-License-Identifier: Apache-2.0
"""made_up.py - exports of Nsight Systems whose ranges are made up, equal at each run, for
pictures of the viewer: `rangeline view` reads them like traces.

    NAME(path) writes one, for each NAME in EXPORTS
"""

import contextlib
import random
import sqlite3

PID = 28700
TABLES = """
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
    text TEXT, globalTid INTEGER, domainId INTEGER, uint64Value INTEGER);
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');
"""
GPU_TABLES = """
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
    contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER, shortName INTEGER);
"""
CALL = 1000  # the id of the name of the launching call; names of kernels follow


class Export:
    def __init__(self, path, program):
        path.unlink(missing_ok=True)
        self.db = sqlite3.connect(path)
        self.db.executescript(TABLES)
        self.insert("PROCESSES", (self.global_tid(0), PID, program))
        self.n_names = 0

    def close(self):
        self.db.commit()
        self.db.close()

    def global_tid(self, tid):
        return 1 << 48 | PID << 24 | tid

    def insert(self, table, *rows):
        marks = ",".join("?" * len(rows[0]))
        self.db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def thread(self, tid, name, ranges):
        """`ranges`: [(start, end, name)], in ns."""
        self.n_names += 1
        self.insert("StringIds", (self.n_names, name))
        self.insert("ThreadNames", (self.n_names, 0, self.global_tid(tid)))
        self.insert("NVTX_EVENTS", *(
            (int(start), None if end is None else int(end), 59, text, self.global_tid(tid), 0,
             None)
            for start, end, text in ranges))

    def launch(self, tid, call, stream, start, end, number, name):
        """A kernel, and the call that launched it; `stream` is (GPU, context, stream)."""
        self.insert("CUPTI_ACTIVITY_KIND_RUNTIME", (
            int(call), int(call + 10e3), self.global_tid(tid), number, CALL, 0))
        self.insert("CUPTI_ACTIVITY_KIND_KERNEL", (
            int(start), int(end), *stream, number, self.global_tid(0), name, name))


def nested(start, end, names, chance):
    """Ranges that fill a span: on each level some of the next, shorter, level."""
    if not names:
        return
    at = start
    while at < end:
        length = (end - start) * chance.uniform(0.05, 0.3)
        if at + length > end:
            break
        text = chance.choice(names[0])
        yield at, at + length, text
        yield from nested(at + length * 0.05, at + length * 0.95, names[1:], chance)
        at += length * chance.uniform(1.02, 1.3)


def threads(path):
    """40 threads of one level."""
    chance = random.Random(1)
    with contextlib.closing(Export(path, "/usr/bin/render")) as export:
        for i in range(40):
            names = [["load tile", "decode", "shade", "blur", "encode", "write tile"]]
            from_ns, to_ns = i * 1e6 + 5e6, 400e6 - (i * 7 % 11) * 9e6
            ranges = [each for k in range(5) for each in nested(
                from_ns + k * (to_ns - from_ns) / 5, from_ns + (k + 1) * (to_ns - from_ns) / 5,
                names, chance)]
            export.thread(PID + 1 + i, f"render-{i}", ranges)


def workers(path):
    """8 workers of 4 levels; only some of their leaves are `relu`."""
    chance = random.Random(2)
    names = [["epoch"], ["forward", "backward"], ["block 1", "block 2", "block 3"],
             ["conv", "norm", "relu", "pool"]]
    with contextlib.closing(Export(path, "/usr/bin/python3.11")) as export:
        for i in range(8):
            ranges = [each for k in range(3) for each in nested(
                k * 200e6 + i * 2e6, k * 200e6 + 190e6, names, chance)]
            export.thread(PID + 1 + i, f"worker-{i}", ranges)
        export.thread(PID + 20, "logger", [(k * 50e6, k * 50e6 + 3e6, "flush log")
                                           for k in range(12)])


def far(path):
    """Begins after a minute, and has ranges of a few nanoseconds."""
    chance = random.Random(3)
    base, ranges = 60.1e9, []
    for k in range(200):
        start = base + k * 1e6
        ranges.append((start, start + 8e5, f"request {k}"))
        for at, end, text in nested(start, start + 8e5, [["parse", "route", "render"]], chance):
            ranges.append((at, end, text))
            ranges += [(at + n * 45, at + n * 45 + chance.randrange(8, 40), "copy word")
                       for n in range(60)]
    with contextlib.closing(Export(path, "/usr/bin/server")) as export:
        export.thread(PID + 1, "http", ranges)


def large(path):
    """8 busy threads, and 2,000 that do next to nothing."""
    chance = random.Random(4)
    names = [["query"], ["plan", "scan", "join"], ["read page", "hash", "compare"]]
    with contextlib.closing(Export(path, "/usr/bin/database")) as export:
        for i in range(8):
            ranges = [each for k in range(3000) for each in nested(
                k * 20e6 + i * 1e6, k * 20e6 + 17e6, names, chance)]
            export.thread(PID + 1 + i, f"executor-{i}", ranges)
        for i in range(2000):
            at = 3e9 + i * 25e6
            export.thread(PID + 100 + i, f"connection {i}", [(at, at + 2e5, "handshake")])


def gpus(path):
    """Operators and launches of two threads, and the work of their GPUs."""
    chance = random.Random(5)
    with contextlib.closing(Export(path, "/usr/bin/python3.11")) as export:
        export.db.executescript(GPU_TABLES)
        export.insert("StringIds", *enumerate((
            "cudaLaunchKernel", "void gemm<float, 128, 64>(float const*, float*, int)",
            "void at::native::elementwise_kernel<4>(int, float*)",
            "ncclDevKernel_AllReduce_Sum_f32", "void softmax(float*)"), CALL))
        number = 0
        for gpu, stream in enumerate((7, 15)):
            tid, ranges, free = PID + 1 + gpu, [], 0
            for step in range(12):
                start = step * 20e6 + gpu * 1e6
                ranges.append((start, start + 18e6, f"step {step}"))
                for phase, name in enumerate(("forward", "backward", "optimizer")):
                    at = start + phase * 6e6
                    ranges.append((at, at + 5.5e6, name))
                    for k in range(14):
                        call = at + k * 380e3
                        ranges.append((call, call + 350e3, f"aten::op_{k % 5}, op_id = {number}"))
                        number += 1
                        free = max(free, call + 250e3)
                        took = chance.uniform(150e3, 420e3)
                        export.launch(tid, call + 50e3, (gpu, gpu + 1, stream), free, free + took,
                                      number, CALL + 1 + chance.randrange(4))
                        free += took + 5e3
            export.thread(tid, f"trainer-{gpu}", ranges)


EXPORTS = {each.__name__: each for each in (threads, workers, far, large, gpus)}
