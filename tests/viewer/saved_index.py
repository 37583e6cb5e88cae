# SPDX-License-Identifier: Apache-2.0
"""saved_index.py - made-up traces as a page has them: writes what src/timeline/lod_saved.c
reads.

A trace is {"about", "rows"}: what about() answers, and for each row its items as columns,
of which all but `at` may be absent:

    at        the time since the start of the previous item
    ns        the duration; of a range that was never closed, -1 - duration
    name      a number of about()'s; 0
    color     0xRRGGBB + 1; category: a number of about()'s
    more      further ranges that are merged with it, and then
              varied, covered, longest
    value     of a counter's sample, with low and high; of a range or mark, its payload
    payloads  {index: what `print --json` says}
    caller    of GPU work: the thread of its call + 1, with call, how long ago that began
    endThread {index: the thread that ended it}
"""

import json
import math
import struct

NONE = 0xFFFFFFFF
UNSIGNED, SIGNED, DOUBLE = 1, 2, 3  # of enum rln_payload_type


class Bytes:
    """Appends the parts of an index."""

    def __init__(self):
        self.made = bytearray()

    def number(self, value):
        value &= 2**64 - 1
        while value >= 128:
            self.made.append(value & 127 | 128)
            value >>= 7
        self.made.append(value)

    def numbers(self, *values):
        for value in values:
            self.number(value)

    def index(self, value):  # None: none
        self.number(0 if value is None else value + 1)

    def time(self, value):
        self.number(value * 2 if value >= 0 else -value * 2 - 1)

    def text(self, value):
        coded = value if isinstance(value, bytes) else value.encode()
        self.number(len(coded))
        self.made += coded

    def real(self, value, like=0.0):
        bits = [struct.unpack(">Q", struct.pack("<d", each))[0] for each in (value, like)]
        self.number(bits[0] ^ bits[1])

    def column(self, values, is_start=False):
        is_there = is_start or any(values)
        self.number(is_there)
        if is_there:
            self.numbers(*values)


def folded(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def is_stream(about, row):
    group = about["groups"][row["group"]]
    return not group["tid"] and group["label"].startswith("GPU ") and "/" in group["label"]


def above_of(about):
    """By row: the one of the level above."""
    known, found = {}, []
    for number, row in enumerate(about["rows"]):
        if row["kind"] != "p" or is_stream(about, row):
            found.append(row.get("above"))
            continue
        key = row["group"], row["thread"], row.get("lane", 0)
        found.append(known.get((*key, row["level"] - 1)))
        known[(*key, row["level"])] = number
    return found


class Attributes:
    """The name, color and category of items, numbered."""

    def __init__(self, about):
        self.about = about
        self.known, self.kinships = {}, {}

    def number(self, name, color, category):
        domain = self.about["names"][name]["domain"]
        shown = self.about["categories"][category]
        kinship = self.kinships.setdefault((domain, shown), len(self.kinships))
        return self.known.setdefault((name, color, kinship), len(self.known))

    def put(self, out):
        out.number(len(self.kinships))
        for domain, shown in self.kinships:
            out.text(domain)
            out.text(shown.split(":", 1)[-1] if domain else shown)
            out.number(1 if shown else 0)
        out.number(len(self.known))
        for name, color, kinship in self.known:
            out.numbers(name + 1, color, kinship)


def put_number(out, value):
    if isinstance(value, str):
        value = float(value) if value in ("nan", "inf", "-inf") else int(value)
    if value is None:
        out.numbers(0, 0)
    elif isinstance(value, int):
        out.numbers(SIGNED if value < 0 else UNSIGNED, value)
    else:
        out.numbers(DOUBLE, struct.unpack("<Q", struct.pack("<d", float(value)))[0])


class Index:
    def __init__(self, data):
        self.about, self.rows = data["about"], data["rows"]
        self.data = data
        n_threads = 1 + max((row["thread"] for row in self.about["rows"]), default=-1)
        n_unnamed = max(0, n_threads - len(self.about["threads"]))
        self.threads = self.about["threads"] + [{"name": "", "pid": 1, "tid": 0}] * n_unnamed
        self.attributes = Attributes(self.about)
        self.payloads = []
        # Total, marks, lengths, time of what is inside, merged ranges, total inside its name
        self.sums = [[0, 0, [], 0, 0, 0] for _ in self.about["names"]]
        self.buckets = [self.buckets_of(*both) for both in zip(self.about["rows"], self.rows)]
        above_rows = above_of(self.about)
        for number, buckets in enumerate(self.buckets):
            above = above_rows[number]
            if above is not None:
                self.take_from(above, buckets)
            while above is not None:
                self.nest(number, above)
                above = above_rows[above]

    def column(self, columns, name, fallback=0):
        values = columns.get(name)
        return values if values is not None else [fallback] * len(columns["at"])

    def buckets_of(self, row, columns):
        """[[start, length, count, attr, low, high, third]]"""
        if row["kind"] == "c":
            return []
        made, start = [], 0
        get = {key: self.column(columns, key) for key in (
            "ns", "name", "color", "category", "more", "varied", "covered", "longest",
            "caller", "call", "took")}
        for i, step in enumerate(columns["at"]):
            start += step
            ns, is_open = get["ns"][i], get["ns"][i] < 0
            ns = -1 - ns if is_open else ns
            n = get["more"][i] + 1
            attr = self.attributes.number(get["name"][i], get["color"][i], get["category"][i])
            count = n | get["varied"][i] << 30 | int(is_open) << 31
            low, high, third = self.rest(row, columns, i, start, get, n)
            made.append([start, ns, count, attr, low, high, third])
            total = self.sums[get["name"][i]]
            total[1 if row["kind"] == "m" else 0] += 1 if row["kind"] == "m" else ns
            if row["kind"] != "m" and n == 1:
                total[2].append(ns)
            if n > 1:
                total[4] += n
        return made

    def take_from(self, above, buckets):
        """The time of what is inside a range is not its own."""
        outer = list(zip(self.buckets[above], self.column(self.rows[above], "name")))
        for start, ns, *_ in buckets:
            for (begin, length, *_), name in outer:
                if begin <= start <= begin + length:
                    self.sums[name][3] += min(start + ns, begin + length) - start

    def nest(self, number, above):
        """The time of what is inside a range of its name, in one of the rows above."""
        names = (self.column(self.rows[each], "name") for each in (number, above))
        own, outer = (list(zip(self.buckets[each], of)) for each, of in zip((number, above), names))
        for (start, ns, *_), name in own:
            if any(name == other and begin <= start < begin + length
                   for (begin, length, *_), other in outer):
                self.sums[name][5] += ns

    def rest(self, row, columns, i, start, get, n):
        if n > 1:
            longest = get["longest"][i]
            return longest & NONE, longest >> 32, get["covered"][i]
        if is_stream(self.about, row):
            caller = get["caller"][i]
            return get["took"][i], caller, folded(get["call"][i]) if caller else 0
        value = (columns.get("value") or {i: None})[i]
        payloads = columns.get("payloads", {}).get(str(i))
        end = columns.get("endThread", {}).get(str(i), row["thread"])
        if value is None and payloads is None:
            return end & NONE, 0, 0
        self.payloads.append((value, json.dumps(payloads) if payloads else ""))
        return end & NONE, 0, len(self.payloads)

    def put_stand_in(self, out):
        about = {"traces": 1, **self.about}
        tail = {key: about[key] for key in (
            "threads", "processes", "domains", "categories", "windows", "gaps", "groups", "rows")}
        head = {key: value for key, value in about.items() if key not in tail and key != "names"}
        out.text(json.dumps(head)[1:-1] + ",")
        out.text(json.dumps(tail)[1:-1])
        out.number(len(about["groups"]))
        for group in about["groups"]:
            out.text("{label} {pid}/{tid}".format(**group))
        out.number(len(self.threads))
        for thread in self.threads:
            out.text(thread["name"])
            out.numbers(thread["pid"], thread["tid"], 0)
        out.number(len(self.payloads))
        for value, text in self.payloads:
            put_number(out, value)
            out.text(text)
        out.number(self.data.get("payloadsLeftOut", 0))

    def put_names(self, out):
        out.number(len(self.about["names"]))
        for name, sums in zip(self.about["names"], self.sums):
            total, n_marks, lengths, inside, n_merged, nested = sums
            for key in ("domain", "message", "field"):
                out.text(name[key])
            out.text(name.get("file", ""))
            out.number(name.get("line", 0))
            out.number(0 if name["color"] is None else name["color"] + 1)
            out.number(name.get("isOfGpu", False))
            out.numbers(n_marks, total, total - inside, nested)
            self.put_lengths(out, sorted(lengths), n_merged)
        self.attributes.put(out)

    @staticmethod
    def put_lengths(out, lengths, n_merged):
        is_known = not n_merged and len(lengths) <= 4096
        out.numbers(len(lengths) + n_merged, is_known)
        if not is_known:
            out.numbers(min(lengths, default=0), max(lengths, default=0))
            return
        out.numbers(*(b - a for a, b in zip([0, *lengths], lengths)))

    def put_row(self, out, number, above):
        row, buckets = self.about["rows"][number], self.buckets[number]
        out.numbers(ord(row["kind"]), row["level"], row["group"])
        out.index(above)
        out.index(None if row["thread"] < 0 else row["thread"])
        out.numbers("lane" in row, is_stream(self.about, row), row.get("isOfWaits", False))
        out.index(row.get("name") if row["kind"] == "c" else None)
        out.numbers(2**64 - 1, 0)  # all kinships; about() has the interpolation
        start, ns, count, attr, low, high, third = zip(*buckets) if buckets else [()] * 7
        out.number(len(buckets))
        out.column([folded(b - a) for a, b in zip([0, *start], start)], True)
        out.column([folded(each) for each in ns])
        out.column([each ^ 1 for each in count])
        for column in attr, low, high, third:
            out.column(column)
        out.number(any(a[0] + a[1] > b[0] for a, b in zip(buckets, buckets[1:])))
        self.put_samples(out, row, self.rows[number])

    def put_samples(self, out, row, columns):
        n = len(columns["at"]) if row["kind"] == "c" else 0
        out.number(n)
        for i in range(n):
            real = lambda key: columns.get(key, columns["value"])[i]
            value, low, high = (math.nan if real(key) is None else float(real(key))
                                for key in ("value", "low", "high"))
            out.time(columns["at"][i])
            out.time(self.column(columns, "ns")[i])
            out.number(self.column(columns, "more")[i] + 1)
            out.real(value)
            out.real(low, value)
            out.real(high, value)

    def bytes(self):
        out, about = Bytes(), self.about
        out.made += b"RLNINDEX"
        self.put_stand_in(out)
        self.put_names(out)
        out.number(len(about["groups"]))
        for group in about["groups"]:
            out.number(group["pid"])
        out.number(len(about["rows"]))
        for number, above in enumerate(above_of(about)):
            self.put_row(out, number, above)
        for each in self.data.get("resolution", 0), about["first"], about["last"]:
            out.time(each)
        out.numbers(about["events"], bool(about["filter"]))
        return bytes(out.made)


def index_of(data):
    return Index(data).bytes()
