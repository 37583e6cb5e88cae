# SPDX-License-Identifier: Apache-2.0
"""Recomputes the GPU reports in plain Python from the tables of an export.

Written only from their description: an operation belongs to the ranges of the calling
thread that enclose the call.
"""
import collections
import statistics

import sqlite3

STYLES = {59: "PushPop", 60: "StartEnd"}


class Range:
    def __init__(self, row, name):
        self.rowid, self.start, self.end, self.type, self.global_tid = row[:5]
        self.name = name
        self.style = STYLES[self.type]
        self.pid, self.tid = self.global_tid >> 24 & 0xffffff, self.global_tid & 0xffffff
        self.ops = []
        self.parent, self.n_children = None, 0

    @property
    def level(self):
        return self.parent.level + 1 if self.parent else 0

    @property
    def projected(self):
        return min(o[0] for o in self.ops), max(o[1] for o in self.ops)

    def encloses(self, other):
        return (self.global_tid == other.global_tid and self.start <= other.start and
                self.end >= other.end and
                (self.start, -self.end, self.rowid) < (other.start, -other.end, other.rowid))


def enclosing_each(spans, ranges):
    """Yields (item, the ranges that enclose it) for spans (start, end, item) of one
    thread, by start."""
    ranges, alive = sorted(ranges, key=lambda r: r.start), []
    for start, end, what in sorted(spans, key=lambda s: s[:2]):
        while ranges and ranges[0].start <= start:
            alive.append(ranges.pop(0))
        alive = [r for r in alive if r.end >= start]
        yield what, [r for r in alive if r.end >= end]


def read_ranges(db):
    """The ranges that ended on the thread on which they started, with ids by start."""
    domains = {}
    for domain, global_tid, text in db.execute(
            "SELECT domainId, globalTid, text FROM NVTX_EVENTS WHERE eventType = 75"):
        domains[domain, global_tid >> 24] = text
    last = db.execute("SELECT max(max(start, ifnull(end, start))) FROM NVTX_EVENTS"
                      ).fetchone()[0]
    ranges = []
    for row in db.execute(
            "SELECT e.rowid, e.start, ifnull(e.end, ?), e.eventType, e.globalTid, "
            "e.domainId, coalesce(e.text, s.value, '') FROM NVTX_EVENTS e "
            "LEFT JOIN StringIds s ON s.id = e.textId WHERE e.eventType IN (59, 60) "
            "AND e.endGlobalTid IS NULL", (last,)):
        domain = domains.get((row[5], row[4] >> 24), "")
        ranges.append(Range(row, f"{domain}:{row[6]}"))
    ranges.sort(key=lambda r: (r.start, -r.end, r.rowid))
    by_thread = collections.defaultdict(list)
    for number, r in enumerate(ranges):
        r.id = number + 1
        by_thread[r.global_tid].append(r)
    for of_thread in by_thread.values():
        spans = [(r.start, r.end, r) for r in of_thread]
        for r, around in enclosing_each(spans, of_thread):
            around = [a for a in around if a.encloses(r)]
            if around:
                r.parent = min(around, key=lambda a: (a.end - a.start, -a.id))
                r.parent.n_children += 1
    return ranges, by_thread


def read_ops(db, by_thread, *tables, name="demangledName"):
    """(operation, the ranges to which it belongs): [start, end, correlation, kernel,
    globalTid of the caller]."""
    calls, ops = {}, collections.defaultdict(list)
    for start, end, global_tid, correlation in db.execute(
            "SELECT start, end, globalTid, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME "
            "ORDER BY start DESC"):
        calls[correlation, global_tid >> 24] = start, end, global_tid
    strings = dict(db.execute("SELECT id, value FROM StringIds"))
    there = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    for table in tables:
        column = name if table == "KERNEL" else "NULL"
        if f"CUPTI_ACTIVITY_KIND_{table}" not in there:
            continue
        for start, end, correlation, global_pid, kernel in db.execute(
                f"SELECT start, end, correlationId, globalPid, {column} "
                f"FROM CUPTI_ACTIVITY_KIND_{table}"):
            call = calls.get((correlation, global_pid >> 24))
            if call and correlation is not None:
                ops[call[2]].append((call[0], call[1], (
                    start, end, correlation, strings.get(kernel, ""), call[2])))
    for global_tid, moments in ops.items():
        yield from enclosing_each(moments, by_thread.get(global_tid, ()))


def spread(values):
    return {"avg": f"{sum(values) / len(values):.1f}",
            "med": f"{statistics.median(values):.1f}",
            "min": str(min(values)), "max": str(max(values)),
            "stddev": f"{statistics.stdev(values):.1f}" if len(values) > 1 else "0.0"}


def projected(db):
    ranges, by_thread = read_ranges(db)
    for op, around in read_ops(db, by_thread, "KERNEL", "MEMCPY", "MEMSET",
                                "GRAPH_TRACE"):
        for r in around:
            r.ops.append(op)
    return [r for r in ranges if r.ops]


def proj_trace(path):
    with sqlite3.connect(path) as db:
        rows = []
        for r in projected(db):
            begin, end = r.projected
            stack, at = "", r
            while at:
                stack, at = f":{at.id}{stack}", at.parent
            rows.append([r.name, str(begin), str(end - begin), str(r.start),
                         str(r.end - r.start), r.style, str(r.pid), str(r.tid),
                         str(len({o[2] for o in r.ops})), str(r.level),
                         str(r.n_children), str(r.id), str(r.parent.id) if r.parent else "",
                         stack])
        return sorted(rows, key=lambda w: (int(w[1]), -int(w[2]), int(w[11])))


def proj_sum(path):
    with sqlite3.connect(path) as db:
        groups = collections.defaultdict(list)
        for r in projected(db):
            groups[r.name, r.style].append(r)
        rows = []
        for (name, style), group in groups.items():
            ns = [r.projected[1] - r.projected[0] for r in group]
            n_ops = [len({o[2] for o in r.ops}) for r in group]
            s = spread(ns)
            rows.append([name, style, str(sum(ns)), str(sum(r.end - r.start for r in group)),
                         str(len(group)), s["avg"], s["med"], s["min"], s["max"],
                         s["stddev"], str(sum(n_ops)), f"{sum(n_ops) / len(group):.1f}",
                         f"{sum(r.level for r in group) / len(group):.1f}",
                         f"{sum(r.n_children for r in group) / len(group):.1f}"])
        return rows


def kern_sum(path, name="demangledName"):
    with sqlite3.connect(path) as db:
        _, by_thread = read_ranges(db)
        groups = collections.defaultdict(lambda: (set(), []))
        for op, around in read_ops(db, by_thread, "KERNEL", name=name):
            pid, tid = op[4] >> 24 & 0xffffff, op[4] & 0xffffff
            for r in around or [None]:
                key = (r.name if r else "", r.style if r else "", pid, tid, op[3])
                groups[key][0].add(r)
                groups[key][1].append(op[1] - op[0])
        rows = []
        for (name, style, pid, tid, kernel), (of, ns) in groups.items():
            s = spread(ns)
            rows.append([name, style, str(pid), str(tid), str(len(of - {None})),
                         str(len(ns)), str(sum(ns)), s["avg"], s["med"], s["min"],
                         s["max"], s["stddev"], kernel])
        return rows


# --- Reports of the work itself -------------------------------------------------------

COPIES = ["Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host",
          "Array-to-Array", "Array-to-Device", "Device-to-Array", "Device-to-Device",
          "Host-to-Host", "Peer-to-Peer"]
MEMORY = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static",
          "Managed Static", "Unknown"]


def table(db, name):
    """Rows as dictionaries; none if there is no such table."""
    db.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in db.execute(f"SELECT * FROM CUPTI_ACTIVITY_KIND_{name}")]
    except sqlite3.OperationalError:
        return []


def work(db, name="demangledName"):
    """(kind, name, row) of each kernel, copy, set and call."""
    strings = {row[0]: row[1] for row in db.execute("SELECT id, value FROM StringIds")}
    for row in table(db, "KERNEL"):
        yield "CUDA_KERNEL", strings.get(row[name], ""), row
    for row in table(db, "MEMCPY"):
        yield "MEMORY_OPER", f"[CUDA memcpy {COPIES[row['copyKind']]}]", row
    for row in table(db, "MEMSET"):
        yield "MEMORY_OPER", "[CUDA memset]", row
    for row in table(db, "RUNTIME"):
        called = strings.get(row.get("nameId"), "")
        yield "CUDA_API", called[:-6] if called[-6:-4] == "_v" else called, row


def grouped(path, value, *kinds, name="demangledName"):
    groups = collections.defaultdict(list)
    with sqlite3.connect(path) as db:
        for kind, called, row in work(db, name):
            if kind in kinds:
                groups[kind, called].append(value(row))
    return sorted(groups.items(), key=lambda g: (-sum(g[1]), len(g[1]), g[0][1]))


def duration(row):
    return row["end"] - row["start"]


def time_sum(path, *kinds, name="demangledName"):
    groups = grouped(path, duration, *kinds, name=name)
    total = sum(sum(ns) for _, ns in groups)
    return [[f"{100 * sum(ns) / total:.1f}", str(sum(ns)), str(len(ns)), *spread(ns).values(),
             *([kind] if len(kinds) > 1 else []), called]
            for (kind, called), ns in groups]


def size_sum(path):
    rows = []
    for (_, called), sizes in grouped(path, lambda row: row["bytes"], "MEMORY_OPER"):
        n = len(sizes)
        columns = [sum(sizes) / n, statistics.median(sizes), min(sizes), max(sizes),
                   statistics.stdev(sizes) if n > 1 else 0]
        rows.append([f"{sum(sizes) / 1e6:.3f}", str(n), *(f"{c / 1e6:.3f}" for c in columns),
                     called])
    return rows


def gpu_trace(path, name="demangledName"):
    rows = []
    with sqlite3.connect(path) as db:
        all_work = [w for w in work(db, name) if w[0] != "CUDA_API"]
    for kind, called, row in sorted(all_work, key=lambda w: w[2]["start"]):
        cells = [row["start"], duration(row), row["correlationId"]]
        if kind == "CUDA_KERNEL":
            cells += [row[k] for k in ["gridX", "gridY", "gridZ", "blockX", "blockY",
                                       "blockZ", "registersPerThread"]]
            cells += [f"{row[k] / 1e6:.3f}" for k in ["staticSharedMemory",
                                                      "dynamicSharedMemory"]] + [""] * 4
        else:
            kinds = ([row["srcKind"], row["dstKind"]] if "memcpy" in called
                     else [row["memKind"]])
            cells += [""] * 9 + [f"{row['bytes'] / 1e6:.3f}",
                                 f"{row['bytes'] * 1e3 / duration(row):.3f}"]
            cells += ([MEMORY[k] for k in kinds] + [""])[:2]
        cells += [f"GPU {row['deviceId']}", row["contextId"], row["greenContextId"] or "",
                  row["streamId"], called]
        rows.append([str(cell) for cell in cells])
    return rows


def exec_sum(path, name="demangledName"):
    groups = collections.defaultdict(list)
    with sqlite3.connect(path) as db:
        calls = {}
        for kind, called, row in work(db, name):
            key = row["correlationId"], (row.get("globalTid") or 0) >> 24
            if kind == "CUDA_API" and (key not in calls or
                                       row["start"] < calls[key][1]["start"]):
                calls[key] = called, row
        for kind, called, row in work(db, name):
            key = row["correlationId"], (row.get("globalPid") or 0) >> 24
            if kind == "CUDA_KERNEL" and key in calls:
                api, call = calls[key]
                groups[call["globalTid"], row.get("deviceId", 0), api, called].append(
                    (max(call["end"], row["end"]) - call["start"], duration(call),
                     row["start"] - call["end"], duration(row)))
    rows = []
    for (tid, device, api, called), phases in groups.items():
        queued = [p[2] for p in phases if p[2] >= 0]
        rows.append([str(tid >> 24 & 0xffffff), str(tid & 0xffffff), str(device),
                     str(len(phases)), str(len(queued)),
                     *spread([p[0] for p in phases]).values(),
                     *spread([p[1] for p in phases]).values(),
                     *(spread(queued).values() if queued else [""] * 5),
                     *spread([p[3] for p in phases]).values(), api, called])
    return rows


def util(path):
    """How long each GPU of each process did what: from one begin or end to the next."""
    ends = collections.defaultdict(list)
    with sqlite3.connect(path) as db:
        for kind, name, row in work(db):
            what = ("copy" if kind == "MEMORY_OPER" else "nccl" if "nccl" in name else "own")
            if kind != "CUDA_API":
                of = row["globalPid"] >> 24 & 0xffffff, row["deviceId"]
                ends[of] += [(row["start"], 1, what), (row["end"], -1, what)]
    rows = []
    for of, changes in sorted(ends.items()):
        changes.sort()
        running, ns = collections.Counter(), collections.Counter()
        for (start, step, what), (end, _, _) in zip(changes, changes[1:]):
            running[what] += step
            ns[frozenset(+running)] += end - start
        own, nccl, copy = (sum(t for whats, t in ns.items() if what in whats)
                           for what in ("own", "nccl", "copy"))
        span = changes[-1][0] - changes[0][0]
        busy = span - ns[frozenset()]
        rows.append([*map(str, of), str(span), str(busy), f"{100 * busy / span:.1f}",
                     *map(str, (own, nccl, copy, ns[frozenset({"nccl"})],
                                ns[frozenset({"copy"})], ns[frozenset()]))])
    return rows
