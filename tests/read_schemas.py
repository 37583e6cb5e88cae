# SPDX-License-Identifier: Apache-2.0
"""Reads payloads (docs/reference/FORMAT.md 5 and 6) for read_trace.py: only plain schemas, whose
entries follow each other."""
import json, struct
from read_payloads import number, split

INTEGERS = {3: "h", 4: "H", 5: "i", 6: "I", 7: "q", 8: "Q", 9: "q", 10: "Q", 11: "b", 12: "B",
            13: "h", 14: "H", 15: "i", 16: "I", 17: "q", 18: "Q", 22: "Q", 67: "Q", 71: "I", 72: "Q", 73: "I", 74: "Q", 80: "Q"}
FLOATS = {19: (6, 4), 20: (3, 8), 43: (6, 4), 44: (3, 8)}  # type: NVTX's payload type, size
RANGE_ID, CATEGORY, COLOR, TEXT, HANDLE, RAW, FIRST_ID = 67, 68, 69, 75, 80, 1023, 1 << 24

def register(process, sub, w):
    """27: a schema, 28: an enum."""
    known = process.__dict__.setdefault("schemas", {})
    if sub == 27:
        n = split(w[5])[1]
        entries = [w[7 + i * 6:13 + i * 6] for i in range(n)]
        known[split(w[1])[0], w[2]] = process.string, split(w[1])[1], None, entries
    elif sub == 28:
        size, n = split(w[3])
        values = {w[5 + i * 2]: split(w[6 + i * 2])[0] for i in range(n)}
        known[split(w[1])[0], w[2]] = process.string, split(w[1])[1], size, values

class Payload:
    """One payload of an event; `said` has the attributes that it gives its event."""
    def __init__(self, process, domain, schema, data, n_given, said):
        self.process, self.domain, self.data, self.said = process, domain, data, said
        self.known = getattr(process, "schemas", {}).get((domain, schema))
        cut = ',"cut":true}' if n_given > len(data) else "}"
        if self.known:
            string, name, _, entries = self.known
            label = '"schema":' + text(string(name)) if string(name) else '"schema_id":%d' % schema
            self.json = '{%s,"value":%s%s' % (label, self.struct(entries), cut)
        elif schema == RAW:
            self.json = '{"schema":"raw","value":"%s"%s' % (data.hex(), cut)
        elif schema == RANGE_ID and len(data) == 8:
            self.json = '{"schema":"range","value":%d%s' % (int.from_bytes(data, "little"), cut)
        else:
            self.json = '{"schema_id":%d,"bytes":"%s","why":"the trace has no schema of this id"%s' % (
                schema, data.hex(), cut)

    def struct(self, entries):
        at, out, counts = 0, [], []
        for flags, type, names, detail, offset, _ in entries:
            size = 1 if type == TEXT else self.size(type)
            at = offset or (at + size - 1) // size * size
            n = counts[detail] if flags & 0x70 == 0x30 else detail if type == TEXT else 1
            if type == TEXT:
                value = text(self.data[at:at + n].split(b"\0")[0])
                if flags & 3 << 10 == 1 << 10:
                    self.said.update(message=self.data[at:at + n].split(b"\0")[0], registered=None)
            else:
                if type == HANDLE and flags & 3 << 10 == 1 << 10:
                    self.said.update(message=self.string(at), registered=True)
                values = [self.value(type, at + i * size, size) for i in range(n)]
                value = "[%s]" % ",".join(values) if flags & 0x70 else values[0]
            counts.append(int(value) if value.isdigit() else 0)
            name = self.known[0](split(names)[0]) or b"%d" % len(out)
            out.append("%s:%s" % (text(name), value))
            at += n * size
        return "{%s}" % ",".join(out)

    def string(self, at):
        """A registered string: its handle has the id of attributes."""
        handle, = struct.unpack_from("<Q", self.data, at)
        owner, attributes = self.process.find("attributes", handle >> 4 & 0xFFFFFF)
        return owner.string(attributes[3])

    def size(self, type):
        if type >= FIRST_ID:
            return self.process.schemas[self.domain, type][2]
        return FLOATS[type][1] if type in FLOATS else struct.calcsize(INTEGERS.get(type, "I"))

    def value(self, type, at, size):
        raw = self.data[at:at + size]
        bits = int.from_bytes(raw, "little")
        if type == HANDLE:
            return text(self.string(at))
        if type in FLOATS:
            return number(FLOATS[type][0], bits)
        if type in INTEGERS:
            return str(struct.unpack("<" + INTEGERS[type], raw)[0])
        if type == CATEGORY:
            self.said["category"] = bits
            name = self.process.category(self.domain, bits)
            return text(name) if name else str(bits)
        if type == COLOR:
            self.said["color"] = "#%08x" % bits
            return '"#%08x"' % bits
        string, _, _, values = self.process.schemas[self.domain, type]
        return text(string(values[bits])) if bits in values else str(bits)

def text(name):
    return json.dumps(name.decode(), ensure_ascii=False)

def payloads(process, domain, data, at, w, event):
    """The JSON of all payloads; `event` gets their attributes. None: there are none."""
    if w[0] & 0xFFF != 5 << 4 | 14:
        return None
    flags, n, out, said = w[2] >> 8 & 255, w[2] >> 16 & 0xFFFF, [], {}
    i = 4 if flags & 1 else 3
    i += 3 + (split(w[i + 2])[0] + 7) // 8 if flags & 2 else 0
    for _ in range(n):
        kept, given = split(w[i + 2])
        begin = at + i * 8 + 24
        out.append(Payload(process, domain, w[i], data[begin:begin + kept], given, said).json)
        i += 3 + (kept + 7) // 8
    if "message" in event:
        event.update(said, registered=event["registered"] if "message" not in said else None)
        event["category_name"] = process.category(domain, event["category"] or 0)
    return "[%s]" % ",".join(out)
