#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analyze_runs.py FAULT SEED OUTPUT... - writes a run with a fault, or without: `clean`.

The runs are SQLite exports as Nsight Systems writes them, one OUTPUT per rank: 240 steps
of about 1 ms, of which read is 30 %, solve 40 % and send 20 %, with noise of 3 %. Some faults
need more than that, without which a run has its own name: `loader` loads batches, ranks that
are `together` leave each step at once, those that go `in-turns` wait after it, `threads` are three, and with `gpu` work each kernel
overlaps another one, and a wait takes all the time. Of `copies` those that kernels do not hide
are of pinned memory, communication is `hidden`, and `pauses` come before some steps.
"""

import random
import sqlite3
import struct
import sys

STEPS = 240
PARTS = {"read": 300_000, "solve": 400_000, "send": 200_000}
REST = 100_000
SLOW = {"straggler": [2], "stragglers": [1, 2], "wait-at-collective": [2]}  # ranks
BATCH = {"loader": 50_000, "loader-wait": 300_000}  # how long loading one takes, in ns
PROCESS = 1 << 48 | 100 << 24
# How often a kernel begins, and how long it takes, in ns.
KERNELS = {"gpu-low-util": (95_000, 40_000), "launch-bound": (7_700, 5_000)}
KERNELS.update(dict.fromkeys(("gpu", "gpu-idle", "sync-stall", "copies", "pageable-copy", "hidden",
                              "comm-exposed"), (45_000, 42_000)))


class Run:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.n_samples = 0
        self.db.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER,"
                        " eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, endGlobalTid INTEGER)")
        self.db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        self.db.execute("CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER)")

    def name_thread(self, tid, name, pid=100):
        self.db.execute("INSERT INTO StringIds VALUES (?,?)", (tid, name))
        self.db.execute("INSERT INTO ThreadNames VALUES (?,1,?)", (tid, 1 << 48 | pid << 24 | tid))

    def add(self, name, start, end, tid=100, pid=100):
        end = None if end is None else int(end)
        self.db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,?,?,NULL)",
                        (int(start), end, name, 1 << 48 | pid << 24 | tid))

    def begin_gpu_work(self):
        self.db.execute("INSERT INTO StringIds VALUES (1, 'kernel')")
        self.db.execute("INSERT INTO StringIds VALUES (2, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL')")
        self.db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,"
                        " globalTid INTEGER, correlationId INTEGER)")
        self.db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, correlationId"
                        " INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
                        " demangledName INTEGER, shortName INTEGER, mangledName INTEGER)")
        self.db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER,"
                        " correlationId INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER,"
                        " streamId INTEGER, syncType INTEGER)")
        self.db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, correlationId"
                        " INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
                        " bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER)")

    def add_kernel(self, number, start, end, streams=(7, 8), name=1):
        self.db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?)",
                        (int(start - 4000), int(start - 1000), PROCESS | 100, number))
        for stream in streams:
            self.db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,0,1,?,?,?,?)",
                            (int(start), int(end), number, PROCESS, stream, name, name, name))

    def add_copy(self, number, start, end, kind):
        self.db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,?,?,0,1,9,4096,1,?,2)",
                        (int(start), int(end), number, PROCESS, kind))

    def add_wait(self, number, start, end):
        self.db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?,?,?,?,0,1,7,3)",
                        (int(start), int(end), number, PROCESS))

    def begin_messages(self):
        self.db.execute("ALTER TABLE NVTX_EVENTS ADD COLUMN binaryData BLOB")
        self.db.execute("CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT, type"
                        " INTEGER, flags INTEGER, numEntries INTEGER, payloadSize INTEGER, alignTo INTEGER)")
        self.db.execute("INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0, 20000001, 'message', 1, 0, 1, 8, NULL)")
        self.db.execute("CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER,"
                        " name TEXT, type INTEGER, flags INTEGER, description TEXT, arrayOrUnionDetail INTEGER,"
                        " offset INTEGER)")
        self.db.execute("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES"
                        " (0, 20000001, 0, 'bytes', 18, 0, NULL, 0, 0)")  # 18: uint64_t

    def add_message(self, name, start, end, n_bytes):
        self.db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,59,?,?,NULL,?)",
                        (int(start), int(end), name, PROCESS | 100,
                         struct.pack("<5Q", 0, 20000001, 8, 32, n_bytes)))

    def begin_counter(self, name, unit="bytes"):
        self.db.execute("INSERT INTO StringIds VALUES (11, 'program'), (12, ?)", (name,))
        self.db.execute("CREATE TABLE GENERIC_EVENT_SOURCES (sourceId INTEGER, nameId INTEGER, sourceGroupId INTEGER)")
        self.db.execute("INSERT INTO GENERIC_EVENT_SOURCES VALUES (1, 11, 0)")
        self.db.execute("CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER, sourceId INTEGER, nameId INTEGER)")
        self.db.execute("INSERT INTO GENERIC_EVENT_TYPES VALUES (1, 1, 12)")
        self.db.execute("CREATE TABLE GENERIC_EVENT_TYPE_FIELDS"
                        " (typeId INTEGER, fieldIdx INTEGER, fieldNameId INTEGER, type INTEGER)")
        self.db.execute("INSERT INTO GENERIC_EVENT_TYPE_FIELDS VALUES (1, 0, 12, 0)")
        self.db.execute("CREATE TABLE GENERIC_EVENTS"
                        " (genericEventId INTEGER, timestamp INTEGER, typeId INTEGER, globalTid INTEGER)")
        self.db.execute("CREATE TABLE GENERIC_EVENT_DATA (genericEventId INTEGER, fieldIdx INTEGER,"
                        " intVal INTEGER, uintVal INTEGER, floatVal REAL, doubleVal REAL)")
        self.db.execute("CREATE TABLE RANGELINE_COUNTER_FIELDS (typeId INTEGER, fieldIdx INTEGER, domain TEXT,"
                        " field TEXT, unit TEXT, scale REAL, valueType TEXT, interpolation TEXT, minimum REAL,"
                        " maximum REAL, description TEXT, scope TEXT)")
        self.db.execute("INSERT INTO RANGELINE_COUNTER_FIELDS VALUES"
                        " (1, 0, NULL, NULL, ?, 1, 'absolute', NULL, NULL, NULL, NULL, NULL)", (unit,))

    def add_sample(self, at, value):
        self.n_samples += 1
        self.db.execute("INSERT INTO GENERIC_EVENTS VALUES (?, ?, 1, ?)", (self.n_samples, int(at), PROCESS | 100))
        self.db.execute("INSERT INTO GENERIC_EVENT_DATA VALUES (?, 0, ?, NULL, NULL, NULL)",
                        (self.n_samples, int(value)))

    def close(self):
        self.db.commit()
        self.db.close()


def is_after_pause(i):
    return i > 0 and random.Random(i * 7919).random() < 0.08


def lengths(fault, i, noise, rng):
    """The parts of step i, in ns."""
    parts = {name: ns * noise() for name, ns in PARTS.items()}
    if fault in BATCH:
        parts["load batch"] = BATCH[fault] * noise()
    if fault == "warm-up" and i < 2:
        parts["read"] += 14e6
    if fault in ("outliers", "idle-workers") and i in (77, 171):
        parts["read"] += 4e6
    if fault == "own-time" and i in (77, 171):
        parts["rest"] = 4e6
    if fault == "periodic-stall" and i % 20 == 13:
        parts["read"] += 6e6
    if fault == "cold-cache" and is_after_pause(i):
        parts["solve"] *= 4
    if fault == "drift":
        parts["solve"] *= 1 + 1.25 * i / STEPS
    if fault == "stairs":
        parts["solve"] *= 1 + i * 3 // STEPS
    if fault == "early-shift" and i >= 15 or fault == "set-up" and i >= 100:
        parts["solve"] *= 1.75
    if fault == "level-shift" and i >= 100:
        parts["solve"] *= 1.75
    if fault == "long-tail" and random.Random(i * 7919).random() < 0.04:
        parts["read"] += 2.5e6
    if fault == "busy":  # another program gets the processor, in whatever part
        parts = {name: ns + 4e6 * (rng.random() < ns / 10e6) for name, ns in parts.items()}
    return parts


def noise_of(rng):
    return lambda: max(0.5, rng.gauss(1, 0.03))


def is_slow(fault, i, rank, n_ranks):
    """Whether a rank is slow in step i."""
    return rank in SLOW.get(fault, ()) or fault == "moving-straggler" and i % n_ranks == rank


def write_together(runs, fault, rngs):
    """Ranks that wait for each other at the end of each step, or after it."""
    t = 1_000_000
    for i in range(STEPS):
        arrivals = []
        for rank, run in enumerate(runs):
            at = t
            for name, ns in lengths(fault, i, noise_of(rngs[rank]), rngs[rank]).items():
                ns *= 1.6 if name == "solve" and is_slow(fault, i, rank, len(runs)) else 1
                run.add(name, at, at + ns)
                at += ns
            arrivals.append(at)
        end = max(arrivals) + 50_000
        for rank, run in enumerate(runs):
            if fault in ("in-turns", "moving-straggler"):
                run.add("step", t, arrivals[rank])
                continue
            run.add("exchange", arrivals[rank] - 200, end + 3_000)
            run.add("allreduce", arrivals[rank], end + rngs[rank].random() * 2000)
            run.add("step", t, end + 5_000)
        t = end + 10_000


def write(run, fault, rng, rank, tid=100, scale=1.0, n_ranks=1):
    noise = noise_of(rng)

    t = 1_000_000
    steps = []
    for i in range(STEPS):
        parts = lengths(fault, i, noise, rng)
        start = t
        loaded = start + REST / 2 + parts["read"]
        t += parts.pop("rest", 0) + REST / 2
        for name, ns in parts.items():
            slow = scale * (1.6 if name == "solve" and is_slow(fault, i, rank, n_ranks) else 1)
            if fault != "calls-differ" or rank != 3 or name != "send" or i not in (50, 100, 150):
                run.add(name, t, t + ns * slow, tid)
            for k in range(1000 if fault == "annotation-cost" and name == "solve" else 0):
                run.add("element", t + 200 * k, t + 200 * k + 80, tid)
            t += ns * slow
        t += REST / 2
        if fault == "nested-duplicate":
            run.add("step", start + 10_000, t - 10_000, tid)
        run.add("step", start, None if fault == "never-closed" and i == 120 else t, tid)
        steps.append((start, loaded, t))
        if fault in ("pauses", "cold-cache") and is_after_pause(i + 1):
            run.add("wait", t + 10_000, t + 15_000_000, tid)
            t += 15_010_000
        t += 20_000 * noise() + (300_000 if fault == "unannotated" else 0)
    return steps


def work(run, fault, rng, steps):
    """What the GPU does; with gpu-idle, it has nothing to do until read is over."""
    period, ns = KERNELS[fault]
    t, number = steps[0][0], 1
    run.begin_gpu_work()
    if fault != "sync-stall":
        run.add_wait(number, steps[0][0], steps[-1][2])
    for i, (begin, loaded, end) in enumerate(steps):
        t = max(t, loaded) if fault == "gpu-idle" else t
        while t < end:
            number += 1
            run.add_kernel(number, t, t + ns * max(0.5, rng.gauss(1, 0.03)))
            t += period
            if fault == "sync-stall" and number % 5 == 0:  # then the GPU waits for the next launch
                run.add_wait(number, t - 30_000, t)
                t += 60_000
            if fault in ("copies", "pageable-copy") and begin + 600_000 < t < begin + 650_000:
                run.add_copy(1_000_000 + i, t, t + 150_000, fault == "copies")
                t += 150_000
            if fault == "comm-exposed" and t > begin + 600_000 and t < end - 200_000:
                run.add_kernel(1_000_000 + i, t, t + 200_000, (9,), 2)
                t += 200_000
        if fault == "hidden":
            run.add_kernel(1_000_000 + i, begin + 600_000, begin + 800_000, (9,), 2)
        if fault == "copies":
            run.add_copy(2_000_000 + i, begin + 200_000, begin + 350_000, 0)


def allocate(run, fault, rng, steps):
    """Memory that a step uses and gives back, a cache that fills in the first 40 steps, and with
    memory-growth 256 KiB that each step keeps."""
    run.begin_counter("rss")
    for i, (begin, loaded, end) in enumerate(steps):
        kept = 100e6 + min(i, 40) * 2e6 + (i * 262144 if fault == "memory-growth" else 0)
        run.add_sample(begin, kept + rng.gauss(0, 5e5))
        run.add_sample(loaded, kept + 50e6 * max(0, rng.gauss(1, 0.2)))
        run.add_sample(end - 1000, kept + rng.gauss(0, 5e5))


def send(run, fault, rng, steps):
    """Messages during solve: each takes 8 us and 0.2 ns a byte. They have 1 to 8 KiB with
    small-messages, else up to 1 MiB."""
    run.begin_messages()
    for _, loaded, end in steps:
        t = loaded + 10_000
        for _ in range(20 if fault == "small-messages" else 3):
            n_bytes = 1024 << rng.randrange(4) if fault == "small-messages" else 65536 << rng.randrange(5)
            ns = (8_000 + 0.2 * n_bytes) * max(0.5, rng.gauss(1, 0.1))
            if t + ns < end - 10_000:
                run.add_message("put", t, t + ns, n_bytes)
            t += ns + 1_000


def main():
    fault, seed, outputs = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    if fault in ("together", "wait-at-collective", "in-turns", "moving-straggler"):
        runs = [Run(path) for path in outputs]
        write_together(runs, fault, [random.Random(f"{seed}/{rank}") for rank in range(len(runs))])
        for run in runs:
            run.close()
        return
    for rank, path in enumerate(outputs):
        rng = random.Random(f"{seed}/{rank}")
        run = Run(path)
        if fault in ("thread-imbalance", "threads"):
            for k in range(3):
                run.name_thread(100 + k, f"worker-{k}")
                write(run, fault, rng, rank, 100 + k, 2 if fault == "thread-imbalance" and k == 1 else 1)
        elif fault in ("memory", "memory-growth"):
            allocate(run, fault, rng, write(run, fault, rng, rank))
        elif fault in ("messages", "small-messages"):
            send(run, fault, rng, write(run, fault, rng, rank))
        elif fault in KERNELS:
            work(run, fault, rng, write(run, fault, rng, rank))
        else:
            write(run, fault, rng, rank, n_ranks=len(outputs))
        if fault == "set-up":  # and a pause of a minute
            run.add("init", -60_000_000_000, -59_990_000_000)
        for i in range(40 if fault == "idle-workers" else 0):
            run.add("wait for job", i * 8_000_000, i * 8_000_000 + 7_900_000, 101 + i % 4)
        run.close()


if __name__ == "__main__":
    main()
