#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the events of traces as `rangeline print --json` does.

Written only from docs/reference/FORMAT.md (whose sections are cited) and docs/reference/JSON.md, to show
that they suffice. Unlike a real reader, it trusts the file."""
import codecs, json, re, struct, sys
import read_gpu, read_newest, read_past, read_payloads as said, read_schemas as schemas

NAME_EVENTS = {21: "thread_name", 22: "resource", 23: "resource_destroy", 24: "domain_destroy",
               36: "sync_object", 37: "sync_destroy"}
EVENTS = {1: "mark", 2: "push", 3: "pop", 4: "start", 5: "sample", 12: "end", 13: "sample",
          102: "thread_begin", 103: "gap", 104: "inherited", 106: "memory", 107: "resumed", 108: "overwritten"}

def words_at(data, at, n):
    return struct.unpack_from("<%dQ" % n, data, at)

def split(word):  # {low:32, high:32}
    return word & 0xFFFFFFFF, word >> 32

class Part:
    """2 and 3: a superblock, and the chunks after it."""
    def __init__(self, index, data, later):
        self.index, self.data, self.processes, self.chunks = index, data, {}, []
        own_id, self.ticks_per_s = words_at(data, 16, 1)[0], words_at(data, 56, 1)[0]
        self.created, second = words_at(data, 80, 4), words_at(data, 112, 4)
        self.tuples, self.boot_id = [self.created, second], data[144:184].rstrip(b"\0")
        at, self.newest = 65536, read_newest.Newest(self)
        while at + 64 <= len(data):
            (magic, kind, width, trace_id, size, process, thread, tid, place, *base
             ) = struct.unpack_from("<IHHQIIIIQQQQ", data, at)
            if magic != 0x436E6C52 or trace_id != own_id or not size or size % 16384:
                size = 16384
            elif self.newest.add(kind, at, size, place):
                self.chunks.append((kind, self.process(process), (thread, tid), base[0], at + 64,
                                    min(at + size - 8 * (kind == 4), len(data))))
                self.tuples.append((*base, width * 16))
            at += size
        if not words_at(data, 72, 1)[0]:
            self.settle(*later)
        self.newest.leave_out_older()

    def process(self, n):
        return self.processes.setdefault(n, Process(self, n))

    def settle(self, second, third):
        """4, "While it is written": operands from a later copy than first words, names
        from a later one than events."""
        self.data = bytearray(self.data)
        for kind, _, _, _, begin, end in self.chunks:
            if kind == 2:
                self.data[begin:end] = second[begin:end]
            for at, w in self.records(begin, end) if kind < 3 else []:
                self.data[at + 8:at + len(w) * 8] = (third if kind == 2 else second)[at + 8:at + len(w) * 8]
        self.data = bytes(self.data)

    def records(self, at, end):
        """4: every record of a chunk, as its offset and words."""
        while at + 8 <= end:
            word, = words_at(self.data, at, 1)
            kind = word & 15
            n = 1 if kind < 9 else 2 if kind < 14 else word >> 12 & 0xFFFFFF
            fits = word and n and at + n * 8 <= end
            if fits and kind != 15:
                yield at, words_at(self.data, at, n)
            at += n * 8 if fits else 8

    def set_clock(self, first):
        """7: straight lines between fit points that are at least 50 ms apart."""
        self.offset = offset = self.created[2] - self.created[1] - first.created[2]
        if self is first or self.boot_id and self.boot_id == first.boot_id:
            self.offset = offset = -first.created[1]
        tuples = sorted(t for t in self.tuples if t[0] and t[1])
        knots = tuples[:1]
        for t in tuples[1:]:
            last = knots[-1]
            if t[0] > last[0] and t[1] >= last[1] + 50_000_000:
                knots.append(t)
            elif t[0] > last[0] and t[1] > last[1] and len(knots) > 1 and t[3] < last[3]:
                knots[-1] = t
        mults = [((b[1] - a[1]) << 48) // (b[0] - a[0]) for a, b in zip(knots, knots[1:])]
        a, b = (knots[0], knots[-1]) if mults else ((0, 0), (self.ticks_per_s, 10**9))
        a, b = (a, b) if b[0] else (tuples[0], tuples[-1])
        self.outer = ((b[1] - a[1]) << 48) // (b[0] - a[0])
        self.knots = [(k[0], k[1] + offset, m) for k, m in zip(knots, mults + [self.outer])]

    def ns(self, ticks):
        at, ns, mult = max((k for k in self.knots if k[0] <= ticks), default=self.knots[0])
        return ns + ((ticks - at) * (self.outer if ticks < at else mult) >> 48)

class Process:
    """6: the meaning of ids; those below the limits belong to the parent."""
    def __init__(self, part, number):
        self.part, self.number, self.pid, self.parent = part, number, 0, None
        self.tables = {t: {} for t in ("string", "domain", "category", "attributes")}
        self.limits, self.events, self.threads = {}, [], {}  # events: ticks, offset, type, words

    def find(self, table, id):
        """The process whose tables have the id, and the entry."""
        p = self
        while id < p.limits.get(table, 0) and p.parent in self.part.processes:
            p = self.part.processes[p.parent]
        return p, p.tables[table].get(id)

    def string(self, id):
        return self.find("string", id)[1] if id else None

    def domain(self, id):
        owner, string = self.find("domain", id)
        return owner.string(string) if id and string else None

    def category(self, domain, category):
        p = self
        while p and category:
            if (domain, category) in p.tables["category"]:
                return p.string(p.tables["category"][domain, category])
            inherits = domain < p.limits.get("domain", 0)
            p = self.part.processes.get(p.parent) if inherits else None

    def fields(self, domain, category, color, string, color_type, payload_type, kind, text=None):
        return domain, payload_type, {
            "domain": self.domain(domain), "message": self.string(string) if text is None else text,
            "registered": True if kind == 3 else None, "category": category or None,
            "category_name": self.category(domain, category),
            "color": "#%08x" % color if color_type == 1 else None}

    def read_names(self, begin, end):
        for at, w in self.part.records(begin, end):
            sub = w[0] >> 4 & 255 if w[0] & 15 == 14 else 0
            low, high = split(w[1]) if len(w) > 1 else (0, 0)
            if sub == 16:
                p = self.part.process(low)
                p.parent, p.pid = high, split(w[2])[0]
                limits = zip(("string", "attributes", "domain"), split(w[3]) + split(w[4]))
                p.limits = dict(limits) if split(w[4])[1] & 2 else {}
                self.part.tuples += [w[5:9], w[9:13]]
            elif sub == 17:
                self.tables["string"][low] = self.part.data[at + 16:at + 16 + high]
            elif sub == 18:
                self.tables["domain"][low] = high
            elif sub == 19:
                self.tables["category"][low, high] = split(w[2])[0]
            elif sub == 20:
                string, rest = split(w[3])
                self.tables["attributes"][low] = (high, *split(w[2]), string, *rest.to_bytes(4, "little")[:3])
            elif sub == 25:
                self.part.tuples.append(w[1:5])
            elif sub in NAME_EVENTS:
                ticks = w[{22: 4, 36: 3}.get(sub, 2)]
                self.events.append((ticks, at, NAME_EVENTS[sub], (sub, w)))
            said.register(self, sub, w)
            schemas.register(self, sub, w)
            read_gpu.register(self, sub, w)

    def name_event(self, sub, w):
        if sub > 24:
            return said.name_event(self, sub, w)
        low, high = split(w[1])
        if sub == 21:
            return {"tid": low, "name": self.string(high)}
        if sub == 22:
            return {"resource": low, "domain": self.domain(high), "name": self.string(split(w[2])[1]),
                    "resource_type": said.resource_type(split(w[2])[0]), "identifier": w[3]}
        return {"resource": low} if sub == 23 else {"domain": self.domain(low)}

def read_events(part, thread, base, begin, end):
    """4 and 5: ticks, offset, thread, kind, id, value, attributes in line, words."""
    for at, w in part.newest.records(begin, end):
        kind, sub, in_line, value = w[0] & 15, w[0] >> 4 & 255, None, None
        ticks, id = base + (w[0] >> 28), w[0] >> 4 & 0xFFFFFF
        if kind in (9, 10, 11, 12, 13):
            kind, value = {9: 1, 10: 2, 11: 4}.get(kind, kind), w[1]
        elif kind == 14 and sub in (1, 5):
            ticks, kind, flags, id = w[1], w[2] & 255, w[2] >> 8 & 255, w[2] >> 32
            value, rest = (w[3], 4) if flags & 1 else (None, 3)
            if flags & 2:
                (id, category), (color, more) = split(w[rest]), split(w[rest + 1])
                text = part.data[at + rest * 8 + 24:][:split(w[rest + 2])[0]]
                in_line = id, category, color, 0, *more.to_bytes(4, "little")[:3], text
        elif kind == 14 and sub in (2, 3, 4, 6, 7, 8):
            ticks, kind = w[1], 100 + sub
            thread = split(w[2]) if sub == 2 else thread
        elif kind not in (1, 2, 3, 4, 5, 6):
            continue
        for id in [id] if kind != 107 else [word >> 32 for word in w[3:]]:
            yield ticks, at, thread, kind, id, value, in_line, w

class Pairing:
    stacks, starts = {}, {}  # by thread and domain; by id

    def reset(self, thread, depths, is_gap):
        before = self.stacks.get(thread, {})
        self.stacks[thread] = stacks = {}
        for domain, depth in map(split, depths):
            kept = min(before.get(domain, []).count("inherited"), depth) if is_gap else depth
            stacks[domain] = ["inherited"] * kept + ["lost"] * (depth - kept)

    def waits(self, process, ticks, at, thread, kind, id, value, *_):
        """Whether it is an end whose start may come at the same time."""
        part = process.part
        return (kind == 12 and value ^ part.index << 48 not in self.starts
                and "unmatched" in part.newest.without_start(value))

    def event(self, process, ticks, at, thread, kind, id, value, in_line, w):
        part = process.part
        key, event = (part.index, process.number, thread[0]), {"tid": thread[1]}
        if kind in (5, 6, 13, 106):
            return {**event, **said.step(process, ticks, key, kind, id, w if value is None else value, at)}
        if 100 <= kind != 107:
            self.reset(key, w[3:] if kind > 102 else (), kind in (103, 108))
            name = struct.pack("<QQ", *w[3:5]).split(b"\0")[0] if kind == 102 else None
            return {**event, "name": name or None, "n_lost": w[2] if kind == 103 else None}
        if kind in (3, 12):
            event["domain"] = process.domain(id)
        else:
            owner, found = (process, in_line) if in_line else process.find("attributes", id)
            id, type, fields = owner.fields(*found or [0] * 7)
            event.update(fields, payload=said.Raw(said.number(type, value)) if type and value is not None else None)
        payloads = schemas.payloads(process, id, part.data, at, w, event)
        stack = self.stacks.setdefault(key, {}).setdefault(id, [])
        if kind in (2, 107):
            event["depth"] = len(stack)
            stack.append("open" if kind == 2 else "resumed")
        elif kind == 3:
            what = stack.pop() if stack else "unmatched"
            event.update({"depth": len(stack), what: None if what == "open" else True})
        elif kind == 4:
            self.starts[event.setdefault("id", part.newest.range_id(at) ^ part.index << 48)] = event
        elif kind == 12:
            event["id"] = value ^ part.index << 48
            start = self.starts.pop(event["id"], part.newest.without_start(value))
            event.update({k: v for k, v in start.items() if k in ("domain", "unmatched", "lost")})
        event["payloads"] = payloads
        return event

codecs.register_error("fffd", lambda error: ("\udc80", error.end))

def emit(event):
    out = []
    for key, value in event.items():
        value = value.decode("utf-8", "fffd") if isinstance(value, bytes) else value
        text = value if isinstance(value, said.Raw) or key == "payloads" else json.dumps(value, ensure_ascii=False)
        out += ['"%s":%s' % (key, text)] if value is not None else []
    line = ",".join(out).replace("\udc80", "\\ufffd")
    sys.stdout.buffer.write(b"{%s}\n" % line.encode())

def tell(t, process, kind, describe, rest):
    emit({"type": kind, "t": t, "pid": process.pid, **describe(*rest)})

def main(paths):
    parts, chunks, items, pairing, past = [], [], [], Pairing(), read_past.Past()
    for path in paths:
        data, *later = [open(path, "rb").read() for _ in range(3)]
        begins = [at for at in range(0, len(data), 65536) if data[at:at + 8] == b"RLNTRACE"]
        for begin, end in zip(begins, begins[1:] + [len(data)]):
            parts.append(Part(len(parts), data[begin:end], [copy[begin:] for copy in later]))
    for part in parts:
        for kind, process, _, _, begin, end in part.chunks:
            process.read_names(begin, end) if kind == 2 else None
        part.set_clock(parts[0])
        chunks += [(part.ns(part.newest.entry(c)), part.index, c[4], c) for c in part.chunks if c[0] in (1, 4)]
        items += part.newest.kept(pairing.event)
        items += [(part.ns(ticks), 0, part.index, 0, at, p, kind,
                   p.name_event, rest) for p in part.processes.values()
                  for ticks, at, kind, rest in p.events]
    items += past.items(parts)
    # 4, "Order": by time; names first, then by chunk, ticks and place.
    for order, (_, _, _, chunk) in enumerate(sorted(chunks, key=lambda c: c[:3])):
        p = chunk[1]
        for ticks, at, *rest in read_events(p.part, *chunk[2:]):
            kind = EVENTS.get(rest[1]) or said.STEPS[rest[2] & 3]
            items.append((p.part.ns(ticks), 1, order, ticks, at, p, kind, pairing.event, (p, ticks, at, *rest)))
    lone = []  # ends that wait
    for t, _, _, _, _, p, kind, describe, rest in sorted(items, key=lambda i: i[:5]):
        while lone and lone[0][0] < t:
            tell(*lone.pop(0))
        if describe == pairing.event and pairing.waits(*rest):
            lone.append((t, p, kind, describe, rest))
            continue
        tell(t, p, kind, describe, rest)
        for end in [end for end in lone if kind == "start" and not pairing.waits(*end[4])]:
            lone.remove(end)
            tell(*end)
    for end in lone:
        tell(*end)

main(sys.argv[1:])
