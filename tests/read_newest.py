# SPDX-License-Identifier: Apache-2.0
"""Reads ring buffers (docs/reference/FORMAT.md 10) for read_trace.py: which chunks exist, where a
thread's events begin, and which overwritten events were kept."""
import struct

HEAD = 6  # words before the list of `continued`

class Newest:
    """The places of a part's chunks of kind 4, by the offset of their first word."""
    def __init__(self, part):
        self.part, self.chunks = part, {}
        self.is_bounded, self.next_place = struct.unpack_from("<QQ", part.data, 256)

    def add(self, kind, at, size, place):
        """False if header and last word differ: then it is only room for a chunk."""
        if kind != 4:
            return True
        last = self.part.data[at + size - 8:at + size]
        if last == struct.pack("<Q", place) != bytes(8):
            self.chunks[at] = place, place + size // 8
        return at in self.chunks

    def leave_out_older(self):
        """Removes a thread's chunks from before the place where its record begins."""
        begins = {}
        for kind, process, thread, _, begin, end in self.part.chunks:
            first = next(self.part.records(begin, end), None) if kind == 4 else None
            if first and self.begins(first[1]):
                key = id(process), thread[0]
                begins[key] = max(begins.get(key, 0), self.chunks[begin - 64][0])
        for chunk in list(self.part.chunks):
            kind, process, thread, _, begin, _ = chunk
            if kind == 4 and self.chunks[begin - 64][0] < begins.get((id(process), thread[0]), 0):
                self.part.chunks.remove(chunk)
                del self.chunks[begin - 64]

    def holds(self, place):
        return any(begin <= place < end for begin, end in self.chunks.values())

    def range_id(self, at):
        """The id of a start at an offset; a kept one has no offset, but minus its
        id."""
        for begin, (place, end) in self.chunks.items():
            if begin <= at < begin + (end - place) * 8:
                return place + (at - begin) // 8
        return -at if at < 0 else at // 8

    def without_start(self, id):
        is_overwritten = self.is_bounded and 0 < id < self.next_place and not self.holds(id)
        return {"lost" if is_overwritten else "unmatched": True}

    def begins(self, w):
        return w[0] & 15 == 14 and w[0] >> 4 & 255 == 8 and not self.holds(w[2])

    def entry(self, chunk):
        """The time of the chunk's earliest event, which may be a push that it
        repeats."""
        first = next(self.records(*chunk[4:]), None) if chunk[0] == 4 else None
        return min(chunk[3], first[1][1]) if first and self.begins(first[1]) else chunk[3]

    def records(self, begin, end):
        """Records, with those repeated by `continued` if a thread's record begins
        here."""
        for at, w in self.part.records(begin, end):
            if w[0] & 15 != 14 or w[0] >> 4 & 255 != 8:
                yield at, w
            elif self.begins(w):
                n, stop = HEAD + (w[5] & 0xFFFFFFFF), at + len(w) * 8
                repeated = list(self.part.records(at + n * 8, stop))
                ticks = repeated[0][1][1] if repeated else w[1]
                yield at, (w[0], ticks, w[2], *w[HEAD:n])
                yield from repeated

    def kept(self, describe):
        """Kept starts and ends, as items of read_trace.py."""
        for chunk in self.part.chunks:
            for at, w in self.part.records(*chunk[4:]) if chunk[0] == 5 else ():
                kind, id = w[2] & 255, w[2] >> 32
                if w[0] >> 4 & 255 != 9 or kind not in (4, 12) or self.holds(w[5]):
                    continue
                p, thread = self.part.process(w[4] & 0xFFFFFFFF), (w[4] >> 32, w[6] & 0xFFFFFFFF)
                value = w[3] if kind == 12 else None
                yield (self.part.ns(w[1]), 0.5, self.part.index, kind, w[3], p, {4: "start", 12: "end"}[kind],
                       describe, (p, w[1], -w[3], thread, kind, id, value, None, (0,)))
