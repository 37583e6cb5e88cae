#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the events of a trace as `rangeline print --json` does.

Written from docs/FORMAT.md and docs/JSON.md alone, to show that they are enough. It reads
whole files into memory and believes them more than a real reader may.
"""
import json
import re
import struct
import sys

TUPLE = struct.Struct("<QQQQ")


class Part:
    """A superblock, and what is found behind it."""

    def __init__(self, index, data):
        self.index, self.data, self.chunks, self.tuples = index, data, [], []
        self.trace_id, = struct.unpack_from("<Q", data, 16)
        self.ticks_per_s, = struct.unpack_from("<Q", data, 56)
        self.created = TUPLE.unpack_from(data, 80)
        self.tuples = [self.created, TUPLE.unpack_from(data, 112)]
        self.boot_id = data[144:184].rstrip(b"\0")
        self.processes = {}
        at = 65536
        while at + 64 <= len(data):
            (magic, kind, width, trace_id, size, process, thread, tid, _, _, ticks, mono,
             real) = struct.unpack_from("<IHHQIIIIIIQQQ", data, at)
            if magic != 0x436E6C52 or trace_id != self.trace_id or size % 16384 or not size:
                at += 16384
                continue
            self.chunks.append((kind, process, thread, tid, ticks, at, min(at + size, len(data))))
            self.tuples.append((ticks, mono, real, width * 16))
            at += size

    def process(self, number):
        return self.processes.setdefault(number, Process(self, number))

    def set_clock(self, first):
        """Section 7: knots at least 50 ms apart, in integers."""
        zero, own = first.created, self.created
        same = self is first or (self.boot_id and self.boot_id == first.boot_id)
        offset = -zero[1] if same else own[2] - own[1] - zero[2]
        tuples = sorted(t for t in self.tuples if t[0] and t[1])
        knots = tuples[:1]
        for t in tuples[1:]:
            last = knots[-1]
            if t[0] <= last[0] or t[1] <= last[1]:
                continue
            if t[1] - last[1] >= 50_000_000:
                knots.append(t)
            elif len(knots) > 1 and t[3] < last[3]:
                knots[-1] = t
        slope = lambda a, b: ((b[1] - a[1]) << 48) // (b[0] - a[0])
        if len(knots) > 1:
            outer = slope(knots[0], knots[-1])
        elif self.ticks_per_s:
            outer = (10**9 << 48) // self.ticks_per_s
        else:
            outer = slope(tuples[0], tuples[-1])
        inner = [slope(a, b) for a, b in zip(knots, knots[1:])] + [outer]
        self.knots = [(k[0], k[1] + offset, m) for k, m in zip(knots, inner)]
        self.outer = outer

    def ns(self, ticks):
        i = max([n for n, k in enumerate(self.knots) if k[0] <= ticks], default=0)
        at, ns, mult = self.knots[i]
        return ns + (((ticks - at) * (self.outer if ticks < at else mult)) >> 48)


class Process:
    """The tables of a process; ids below the limits are its parent's."""

    def __init__(self, part, number):
        self.part, self.number, self.pid, self.parent = part, number, 0, None
        self.strings, self.domains, self.attributes, self.categories = {}, {}, {}, {}
        self.limits = {}
        self.events = []

    def find(self, table, key, id):
        p = self
        while id < p.limits.get(table, 0) and p.parent in self.part.processes:
            p = self.part.processes[p.parent]
        return p, getattr(p, table).get(key)

    def string(self, id):
        return self.find("strings", id, id)[1] if id else None

    def domain(self, id):
        owner, string = self.find("domains", id, id)
        return owner.string(string) if id and string else None

    def category(self, domain, category):
        p = self
        while p and category:
            if (domain, category) in p.categories:
                return p.string(p.categories[domain, category])
            inherits = domain < p.limits.get("domains", 0)
            p = self.part.processes.get(p.parent) if inherits else None
        return None

    def describe(self, id):
        """What attributes `id` mean: the fields of an event, and the domain's id."""
        owner, a = self.find("attributes", id, id)
        return owner.fields(*(a or (0, 0, 0, 0, 0, 0, 0)))

    def fields(self, domain, category, color, string, color_type, payload_type, message_type,
               text=None):
        out = {"domain": self.domain(domain), "message": text if text is not None else self.string(string)}
        out["registered"] = True if message_type == 3 else None
        out["category"] = category or None
        out["category_name"] = self.category(domain, category)
        out["color"] = "#%08x" % color if color_type == 1 else None
        return domain, payload_type, out


def records(part, begin, end):
    """Section 4: every record of a chunk, as (offset, words)."""
    at = begin + 64
    while at + 8 <= end:
        word, = struct.unpack_from("<Q", part.data, at)
        kind = word & 15
        n = 1 if kind < 9 else 2 if kind < 14 else (word >> 12) & 0xFFFFFF
        if word == 0 or n == 0 or at + n * 8 > end:
            at += 8
            continue
        if kind != 15:
            yield at, struct.unpack_from("<%dQ" % n, part.data, at)
        at += n * 8


def low(word):
    return word & 0xFFFFFFFF


def high(word):
    return word >> 32


def types(word):
    return word & 255, word >> 8 & 255, word >> 16 & 255


def read_names(part, chunk):
    process = part.process(chunk[1])
    for at, w in records(part, chunk[5], chunk[6]):
        if w[0] & 15 != 14:
            continue
        sub = w[0] >> 4 & 255
        body = part.data[at + 16:at + len(w) * 8]
        if sub == 16:
            p = part.process(low(w[1]))
            p.pid, p.parent = low(w[2]), high(w[1])
            if high(w[4]) & 2:
                p.limits = {"strings": low(w[3]), "attributes": high(w[3]), "domains": low(w[4])}
            part.tuples += [w[5:9], w[9:13]]
        elif sub == 17:
            process.strings[low(w[1])] = body[:high(w[1])]
        elif sub == 18:
            process.domains[low(w[1])] = high(w[1])
        elif sub == 19:
            process.categories[low(w[1]), high(w[1])] = low(w[2])
        elif sub == 20:
            process.attributes[low(w[1])] = (high(w[1]), low(w[2]), high(w[2]), low(w[3])) + types(high(w[3]))
        elif sub == 25:
            part.tuples.append(w[1:5])
        elif 21 <= sub <= 24:
            process.events.append((w[4] if sub == 22 else w[2], at, sub, w))


def name_event(process, sub, w):
    if sub == 21:
        return {"type": "thread_name", "tid": low(w[1]), "name": process.string(high(w[1]))}
    if sub == 22:
        return {"type": "resource", "resource": low(w[1]), "domain": process.domain(high(w[1])),
                "name": process.string(high(w[2])), "identifier": w[3]}
    if sub == 23:
        return {"type": "resource_destroy", "resource": low(w[1])}
    return {"type": "domain_destroy", "domain": process.domain(low(w[1]))}


def read_events(part, chunk):
    """Section 4 and 5: (ticks, offset, thread, kind, id, value, attributes in line, words)."""
    thread = chunk[2], chunk[3]
    for at, w in records(part, chunk[5], chunk[6]):
        kind, sub, inline = w[0] & 15, w[0] >> 4 & 255, None
        ticks, id, value = chunk[4] + (w[0] >> 28), w[0] >> 4 & 0xFFFFFF, None
        if kind in (9, 10, 11, 12):
            kind, value = {9: 1, 10: 2, 11: 4, 12: 12}[kind], w[1]
        elif kind == 14 and sub == 1:
            ticks, kind, flags, id = w[1], w[2] & 255, w[2] >> 8 & 255, high(w[2])
            rest = 3
            if flags & 1:
                value, rest = w[3], 4
            if flags & 2:
                domain, second, length = w[rest:rest + 3]
                text = part.data[at + rest * 8 + 24:][:low(length)]
                inline = (low(domain), high(domain), low(second), 0) + types(high(second)) + (text,)
        elif kind == 14 and sub in (2, 3, 4):
            ticks, kind = w[1], 100 + sub
            if sub == 2:
                thread = low(w[2]), high(w[2])
        elif kind not in (1, 2, 3, 4):
            continue
        yield ticks, at, thread, kind, id, value, inline, w


def number(type, bits):
    """A payload as JSON."""
    if type in (3, 6):
        x, = struct.unpack("<d", struct.pack("<Q", bits)) if type == 3 else struct.unpack("<f", struct.pack("<I", low(bits)))
        if x != x or x in (float("inf"), float("-inf")):
            return '"%s"' % ("nan" if x != x else "inf" if x > 0 else "-inf")
        for digits in range(15, 18) if type == 3 else range(6, 10):
            text = "%.*g" % (digits, x)
            if (float(text) if type == 3 else struct.unpack("<f", struct.pack("<f", float(text)))[0]) == x:
                break
        return text
    return {1: str(bits), 2: str(bits - (bits >> 63 << 64)), 4: str(low(bits)),
            5: str(low(bits) - (low(bits) >> 31 << 32))}.get(type, '"0x%016x"' % bits)


def emit(event):
    out = []
    for key, value in event.items():
        if isinstance(value, bytes):
            text = json.dumps(value.decode("utf-8", "surrogateescape"), ensure_ascii=False)
            value = re.sub("[\udc80-\udcff]", lambda m: "\\u%04x" % ord(m.group()), text)
        elif key != "payload" and value is not None:
            value = json.dumps(value)
        if value is not None:
            out.append('"%s":%s' % (key, value))
    sys.stdout.buffer.write(("{" + ",".join(out) + "}\n").encode())


class Pairing:
    """Stacks of open ranges by thread and domain, and starts by id."""

    def __init__(self):
        self.stacks, self.starts = {}, {}

    def reset(self, thread, words, is_gap):
        stacks = self.stacks.setdefault(thread, {})
        before = {d: s.count("inherited") if is_gap else 0 for d, s in stacks.items()}
        stacks.clear()
        for domain, depth in ((low(w), high(w)) for w in words):
            kept = min(before.get(domain, 0), depth) if is_gap else depth
            stacks[domain] = ["inherited"] * kept + ["lost"] * (depth - kept)

    def pop(self, thread, domain):
        stack = self.stacks.setdefault(thread, {}).setdefault(domain, [])
        what = stack.pop() if stack else "unmatched"
        return len(stack), what if what != "open" else None


def main(paths):
    parts = []
    for path in paths:
        data = open(path, "rb").read()
        begins = [at for at in range(0, len(data), 65536) if data[at:at + 8] == b"RLNTRACE"]
        for begin, end in zip(begins, begins[1:] + [len(data)]):
            parts.append(Part(len(parts), data[begin:end]))
    items = []  # (t, 0 for names and 1 for events, chunk's order or part, ticks, offset, ...)
    chunks = []
    for part in parts:
        for chunk in part.chunks:
            if chunk[0] == 2:
                read_names(part, chunk)
        part.set_clock(parts[0])
        chunks += [(part.ns(c[4]), part.index, c[5], part, c) for c in part.chunks if c[0] == 1]
        for p in part.processes.values():
            items += [(part.ns(e[0]), 0, part.index, 0, e[1], p, e[2:]) for e in p.events]
    for order, (_, _, _, part, chunk) in enumerate(sorted(chunks, key=lambda c: c[:3])):
        process = part.process(chunk[1])
        items += [(part.ns(e[0]), 1, order, e[0], e[1], process, e[2:]) for e in read_events(part, chunk)]
    pairing = Pairing()
    for t, is_event, _, _, at, process, rest in sorted(items, key=lambda i: i[:5]):
        part = process.part
        if is_event:
            event = one_event(pairing, part, process, at, *rest)
        else:
            event = name_event(process, *rest)
        kind = {"type": event.pop("type"), "t": t, "pid": process.pid}
        emit({**kind, **event})


def one_event(pairing, part, process, at, thread, kind, id, value, inline, w):
    key = part.index, process.number, thread[0]
    event = {"tid": thread[1]}
    if kind >= 100:
        pairing.reset(key, w[3:] if kind > 102 else [], kind == 103)
        if kind == 102:
            name = struct.pack("<QQ", *w[3:5]).split(b"\0")[0] or None
            return {"type": "thread_begin", **event, "name": name}
        return {"type": "gap", **event, "n_lost": w[2]} if kind == 103 else {"type": "inherited", **event}
    if kind == 3:
        id = inline[0] if inline else id
        depth, what = pairing.pop(key, id)
        event.update(type="pop", domain=process.domain(id), depth=depth)
        return {**event, what: True} if what else event
    if kind == 12:
        value ^= part.index << 48
        start = pairing.starts.pop(value, None)
        event.update(type="end", domain=start["domain"] if start else process.domain(id), id=value)
        return event if start else {**event, "unmatched": True}
    domain, payload_type, fields = process.fields(*inline) if inline else process.describe(id)
    event.update(type={1: "mark", 2: "push", 4: "start"}[kind], **fields)
    if value is not None and payload_type:
        event["payload"] = number(payload_type, value)
    if kind == 2:
        stack = pairing.stacks.setdefault(key, {}).setdefault(domain, [])
        event["depth"] = len(stack)
        stack.append("open")
    if kind == 4:
        event["id"] = (at // 8) ^ part.index << 48
        pairing.starts[event["id"]] = event
    return event


if __name__ == "__main__":
    main(sys.argv[1:])
