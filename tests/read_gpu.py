# SPDX-License-Identifier: Apache-2.0
"""Reads GPU work (docs/reference/FORMAT.md 7) for read_trace.py."""
import struct
from read_payloads import of, split
from read_schemas import Payload

DOMAIN, FIRST, CALL, OVERHEAD, N_KINDS, DEVICE = b"rangeline.cuda", 0xC0DA0001, 4, 6, 7, 0xC0DA0101

def is_about_gpus(process, domain, schema):
    return process.domain(domain) == DOMAIN and (FIRST <= schema < FIRST + N_KINDS or schema == DEVICE)

def events(past, schema, data, scope):
    """The kind, the time and the members of an event for each element; none of a GPU itself."""
    process, domain = past.process, past.domain
    size, layout = of(process).layouts[domain, schema][1], process.schemas[domain, schema][3]
    clock = of(process).semantic_clocks.get(layout[0][5] & 0xFFFFFFFF, 0)
    for at in range(0, len(data) // size * size if schema != DEVICE else 0, size):
        element = data[at:at + size]
        begin, end, _, correlation, tid = struct.unpack_from("<qqQII", element)
        said = {}
        json = Payload(process, domain, schema, element, size, said).json
        t, last = (past.clocks.place(domain, clock, time) for time in (begin, end))
        is_call = schema - FIRST in (CALL, OVERHEAD)
        yield "call" if is_call else "gpu", t, {
            "duration": last - t, "tid": tid if is_call else None,
            "stream": None if is_call else process.string(process.scopes[domain, scope]),
            "name": said["message"], "correlation": correlation, "payloads": "[%s]" % json}

def register(process, sub, w):
    """30: a scope."""
    if sub == 30:
        process.__dict__.setdefault("scopes", {})[split(w[1])[0], w[2]] = split(w[1])[1]
