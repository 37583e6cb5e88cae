# SPDX-License-Identifier: Apache-2.0
"""Reads deferred events (docs/reference/FORMAT.md 7) for read_trace.py: their times, from their
clocks, and the depths of their ranges, in lanes that a stack can pair."""
import struct
import read_gpu, read_payloads as said
from read_payloads import Raw, number, split
from read_schemas import INTEGERS, TEXT, Payload

RANGE_ID, CATEGORY, COLOR, TIDS, FIRST_NUMBER, ROWS = 67, 68, 69, (73, 74), 1 << 46, 64
KINDS = {2: "push", 3: "start", 4: "mark", 5: "push", 6: "pop", 7: "start", 8: "end"}

class Clocks:
    """6 and 8: the time domains of a process."""
    def __init__(self, process):
        self.process, self.part, self.said = process, process.part, said.of(process)

    def known(self, domain, id):
        """A timestamp's conversion by what we know of its clock; None: it is
        unknown."""
        type, rate = self.said.clocks.get((domain, id), (id if id < 1 << 24 else 0, 0))
        if id == 0 or type in (1, 10):
            return self.part.ns
        if type in (14, 16, 50):
            return lambda t: t * 10**9 // (rate or 10**9) + self.part.offset
        if type in (12, 13, 42, 52):
            return lambda t: self.of_realtime(t * 10**9 // (rate or 10**9))
        return None

    def of_realtime(self, ns):
        tuples = sorted(t for t in self.part.tuples if t[1] and t[2])
        near = max((t for t in tuples if t[2] <= ns), key=lambda t: t[2], default=tuples[0])
        return ns - near[2] + near[1] + self.part.offset

    def place(self, domain, id, t, seen=()):
        """6, "Time": through points and factors that lead to a known clock."""
        known = self.known(domain, id)
        if known:
            return known(t)
        for a, b, points, slope in self.said.ties:
            for one, other, swap in ((a, b, False), (b, a, True)):
                if one != (domain, id) or other in seen:
                    continue
                pairs = [(q, p) if swap else (p, q) for p, q in points]
                if slope:
                    (p, q), = pairs
                    ns = self.place(*other, round(q + (t - p) * (1 / slope if swap else slope)), seen + (one,))
                else:
                    ns = self.on_line(domain, id, t, self.points(one, other, seen + (one,)))
                if ns is not None:
                    return ns
        return None

    def points(self, one, other, seen):
        """All points that relate two time domains, the second's in ns."""
        out = {}
        for a, b, points, slope in self.said.ties:
            if {a, b} == {one, other} and not slope:
                for p, q in points:
                    at, then = (p, q) if a == one else (q, p)
                    out.setdefault(at, self.place(*other, then, seen))
        return sorted((at, ns) for at, ns in out.items() if ns is not None)

    def on_line(self, domain, id, t, knots):
        rate = self.said.clocks.get((domain, id), (0, 10**9 * (id in (15, 17))))[1]
        if len(knots) < 2:
            return knots[0][1] + (t - knots[0][0]) * 10**9 // rate if knots and rate else None
        i = max((i for i, k in enumerate(knots) if k[0] <= t), default=0)
        inside = knots[0][0] <= t < knots[-1][0]
        a, b = (knots[i], knots[i + 1]) if inside else (knots[0], knots[-1])
        at = a if inside or t < a[0] else b
        return at[1] + (t - at[0]) * (b[1] - a[1]) // (b[0] - a[0])

class Past:
    """All deferred events, in the order of the traces."""
    def __init__(self):
        self.events, self.spans, self.groups, self.ids, self.n_ranges, self.work = [], [], {}, {}, 0, []

    def read(self, process, begin, end):
        self.process, self.clocks = process, Clocks(process)
        for at, w in process.part.records(begin, end):
            sub = w[0] >> 4 & 255 if w[0] & 15 == 14 else 0
            if sub in (64, 65, 66):
                self.ticks, (self.domain, self.thread) = w[1], split(w[2])
                i = {64: 4, 65: 7, 66: 5}[sub]
                segments = []
                while i + 3 <= len(w):
                    kept = split(w[i + 2])[0]
                    start = at + i * 8 + 24
                    segments.append((w[i], process.part.data[start:start + kept]))
                    i += 3 + (kept + 7) // 8
                getattr(self, {64: "submitted", 65: "batch", 66: "samples"}[sub])(w, segments)

    def submitted(self, w, segments):
        payloads = segments[:w[3]]
        self.event([(schema, data) for schema, data in payloads], 0)

    def batch(self, w, segments):
        size, data = said.of(self.process).layouts[self.domain, w[3]][1], segments[0][1]
        if read_gpu.is_about_gpus(self.process, self.domain, w[3]):
            self.work += [(self.process, *e) for e in read_gpu.events(self, w[3], data, w[4])]
            return
        for at in range(0, len(data) // size * size, size):
            self.event([(w[3], data[at:at + size])], w[4])

    def samples(self, w, segments):
        name, type, semantics = said.of(self.process).counters[self.domain, w[3]]
        form = INTEGERS[type]
        size, data = struct.calcsize(form), segments[0][1]
        n = len(data) // size
        times = struct.unpack("<%dq" % (len(segments[1][1]) // 8), segments[1][1])
        for i in range(n):
            value, = struct.unpack_from("<" + form, data, i * size)
            t = (times[0] + i * times[1] if w[4] >> 32 & 1 else
                 times[0] - (n - 1 - i) * times[1] if w[4] >> 32 & 2 else times[i])
            unit = self.process.string(said.of(self.process).units.get(semantics, 0)) or None
            fields = {"domain": self.process.domain(self.domain), "name": self.process.string(name),
                      "counter": w[3], "value": Raw(str(value)), "unit": unit}
            self.add("sample", fields, (t, said.of(self.process).semantic_clocks.get(semantics, 0)), 0)

    def event(self, payloads, scope):
        """One event, of the kind named by its schema."""
        told, fields, times, json = {"scope": scope}, {}, [], []
        event = said.of(self.process).layouts[self.domain, payloads[0][0]][0] >> 3 & 15
        for schema, data in payloads:
            heard = {}
            json.append(Payload(self.process, self.domain, schema, data, len(data), heard).json)
            self.listen(self.process.schemas[self.domain, schema][3], data, told, times)
            fields.update(heard)
        shown = {"domain": self.process.domain(self.domain), "message": fields.get("message"),
                 "registered": fields.get("registered"),
                 "category": fields.get("category"),
                 "color": (fields.get("color") or "").replace("#00000000", "") or None,
                 "payloads": "[%s]" % ",".join(json)}
        begin, end = (times + times[-1:] * 2 or [None, None])[:2]
        if event in (2, 3):
            self.range(KINDS[event], shown, begin, end, told)
            return
        if event in (5, 6):
            shown["row"] = "half", self.group(told)
        if event in (7, 8):
            key = self.process.part.index, self.process.number, self.domain, told.get("id", 0)
            shown["id"] = self.id(1 << 31 | self.ids.setdefault(key, len(self.ids)))
        self.add(KINDS[event], shown, begin, told.get("tid"))

    def id(self, n):
        return FIRST_NUMBER + n ^ self.process.part.index << 48

    def group(self, told):
        key = (self.process.part.index, self.process.number, self.domain,
               ("tid", told["tid"]) if told.get("tid") else self.thread, told["scope"])
        return self.groups.setdefault(key, len(self.groups))

    def listen(self, entries, data, told, times):
        at = 0
        for flags, type, _, detail, offset, semantics in entries:
            size = 1 if type == TEXT else struct.calcsize(INTEGERS.get(type, "I"))
            at = offset or (at + size - 1) // size * size
            if type != TEXT:
                value, = struct.unpack_from("<" + INTEGERS.get(type, "I"), data, at)
                if flags >> 10 & 3 == 2:
                    clock = said.of(self.process).semantic_clocks.get(semantics & 0xFFFFFFFF, 0)
                    times.append((value, clock))
                key = "tid" if type in TIDS else "id" if type == RANGE_ID else None
                told.update({key: value} if key else {})
            at += size * (detail if type == TEXT else 1)

    def range(self, kind, shown, begin, end, told):
        group, n, first = self.group(told), self.n_ranges, len(self.events)
        self.n_ranges += 1
        other = {"push": "pop", "start": "end"}[kind]
        self.add(kind, shown, begin, told.get("tid"))
        self.add(other, {"domain": shown["domain"]}, end, told.get("tid"))
        for e in self.events[first:]:
            e["unplaced"] = any(e["unplaced"] for e in self.events[first:])
            e["shown"].update({"id": self.id(n)} if kind == "start" else {})
        ends = self.events[first:]
        ends[1]["ns"] = ends[0]["ns"] if ends[1]["unplaced"] else max(e["ns"] for e in ends)
        if kind == "push":
            self.spans.append((group, ends[0]["ns"], -ends[1]["ns"], first))

    def add(self, kind, shown, time, tid):
        ns = self.clocks.place(self.domain, time[1], time[0]) if time else None
        call = self.process.part.ns(self.ticks)
        shown = {"tid": tid or self.process.threads.get(self.thread, 0), **shown}
        self.events.append({
            "kind": kind, "shown": shown, "ns": call if ns is None else ns, "order": len(self.events),
            "unplaced": bool(time) and ns is None, "time": time or (0, 0), "process": self.process})

    def rows(self):
        """Puts each range into its group's first row where it lies inside the open
        ones."""
        order, open, last = len(self.events), [], None

        def close(row, ns):
            nonlocal order
            while row and -row[-1][2] <= ns:
                self.events[row.pop()[3] + 1]["order"] = order
                order += 1
        for span in sorted(self.spans) + [None]:
            if not span or span[0] != last:
                for row in open:
                    close(row, float("inf"))
                open = []
            if not span:
                break
            last = span[0]
            for row in open:
                close(row, span[1])
                if not row or -row[-1][2] >= -span[2]:
                    break
            else:
                row = []
                open.append(row)
            for e in self.events[span[3]:span[3] + 2]:
                e["shown"]["row"] = "whole", last, [r is row for r in open].index(True)
            self.events[span[3]]["order"] = order
            order += 1
            row.append(span)

    def items(self, parts):
        for part in parts:
            for kind, process, thread, _, begin, end in part.chunks:
                process.threads.update([thread] if kind == 1 else [])
            for kind, process, _, _, begin, end in part.chunks:
                if kind == 3:
                    self.read(process, begin, end)
        self.rows()
        for e in self.events:
            yield e["ns"], 0.5, 0, 0, e["order"], e["process"], e["kind"], self.describe, (e,)
        for order, (process, kind, ns, shown) in enumerate(self.work):
            yield ns, 0.7, 0, 0, order, process, kind, dict, (shown,)

    stacks, starts = {}, {}

    def describe(self, e):
        """Must be called in the order of time."""
        shown = dict(e["shown"])
        row, payloads, unmatched = shown.pop("row", None), shown.pop("payloads", None), None
        stack = self.stacks.setdefault(row, [])
        if e["kind"] == "push":
            shown["depth"] = len(stack)
            stack.append(e)
        elif e["kind"] == "pop":
            shown = {k: shown[k] for k in ("tid", "domain")}
            unmatched = None if stack else True
            shown["depth"] = len(stack[:-1])
            del stack[-1:]
        elif e["kind"] == "start":
            self.starts[shown["id"]] = e
        elif e["kind"] == "end":
            shown = {k: shown[k] for k in ("tid", "domain", "id")}
            unmatched = None if self.starts.pop(shown["id"], None) else True
        return {**shown, "payloads": payloads, "unmatched": unmatched, "deferred": True,
                "unplaced": e["unplaced"] or None, "timestamp": e["time"][0], "time_domain": e["time"][1]}
