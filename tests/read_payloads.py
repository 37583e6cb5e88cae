# SPDX-License-Identifier: Apache-2.0
"""Reads the additions of version 1.1 of docs/reference/FORMAT.md for read_trace.py: counters,
synchronization objects and memory."""
import json, struct

UNSIGNED = {2: 1, 4: 2, 6: 4, 8: 8, 10: 8, 12: 1, 14: 2, 16: 4, 18: 8, 22: 8, 32: 1}
TYPES = {1: "- pointer handle native_thread posix_thread", 2: "- linux_mutex linux_futex linux_semaphore "
         "linux_completion linux_spinlock linux_seqlock linux_rcu", 3: "- pthread_mutex pthread_condition "
         "pthread_rwlock pthread_barrier pthread_spinlock pthread_once",
         4: "- cuda_device cuda_context cuda_stream cuda_event", 5: "cudart_device cudart_stream cudart_event",
         6: "- opencl_device opencl_context opencl_command_queue opencl_memory_object opencl_sampler "
         "opencl_program opencl_event"}
STEPS = "sync_wait", "sync_gave_up", "sync_acquire", "sync_release"

def split(word):  # {low:32, high:32}
    return word & 0xFFFFFFFF, word >> 32

def number(type, bits):
    low = bits & 0xFFFFFFFF
    if type not in (3, 6):
        return {1: str(bits), 2: str(bits - (bits >> 63 << 64)), 4: str(low),
                5: str(low - (low >> 31 << 32))}.get(type, '"0x%016x"' % bits)
    form, size, digits = ("<d", 8, range(15, 18)) if type == 3 else ("<f", 4, range(6, 10))
    raw = bits.to_bytes(8, "little")[:size]
    texts = ["%.*g" % (n, struct.unpack(form, raw)[0]) for n in digits]
    if texts[0].strip("-") in ("nan", "inf"):
        return '"%s"' % texts[0]
    return next((t for t in texts if struct.pack(form, float(t)) == raw), texts[-1])

def resource_type(type):
    names = TYPES.get(type >> 16, "-").split()[type & 0xFFFF:][:1]
    return names[0] if names and names[0] != "-" else type or None

class Raw(str):
    """Goes into JSON unchanged."""

class Said:
    """The registrations of a process."""
    def __init__(self):
        self.objects = {}  # number: [(ticks, domain, string)]
        self.numbers = {}  # number of a counter: (domain, id)
        self.counters = {}  # (domain, id): (name, type, semantics)
        self.units = {}    # semantics: string
        self.semantic_clocks = {}  # semantics: time domain
        self.clocks = {}   # (domain, time domain): (type, ticks a second)
        self.ties = []     # two of these, common points, a slope
        self.layouts = {}  # (domain, schema): (flags, bytes)
        self.locks = {}    # object: [(is held, thread)], the oldest first

def of(process):
    if not hasattr(process, "said"):
        process.said = Said()
    return process.said

def signed(word):
    return word - (word >> 63 << 64)

def clock(domain, id):  # ids defined by NVTX are the same in all domains
    return domain if id >= 1 << 24 else 0, id

def register(process, sub, w):
    """6: records 27 to 38."""
    said, (low, high) = of(process), split(w[1]) if len(w) > 1 else (0, 0)
    if sub == 27:
        said.layouts[low, w[2]] = split(w[3])[1], w[4]
    elif sub == 29:
        at = 2
        while at < len(w) and w[at] >> 32:
            if w[at] & 0xFFFF == 5:
                said.units.setdefault(low, split(w[at + 2])[0])
            if w[at] & 0xFFFF == 2:
                said.semantic_clocks.setdefault(low, w[at + 1])
            at += w[at] >> 32
    elif sub == 31:
        said.counters[low, w[2]] = high, w[3], split(w[4])[1]
    elif sub == 32:
        said.numbers[low] = high, w[2]
    elif sub == 33:
        said.clocks[low, w[2]] = w[4], signed(w[6])
    elif sub == 34:
        points = [(signed(w[i]), signed(w[i + 1])) for i in range(4, 4 + high * 2, 2)]
        said.ties.append((clock(low, w[2]), clock(low, w[3]), points, None))
    elif sub == 35:
        slope, = struct.unpack("<d", struct.pack("<Q", w[4]))
        said.ties.append((clock(low, w[2]), clock(low, w[3]), [(signed(w[5]), signed(w[6]))], slope))
    elif sub == 36:
        said.objects.setdefault(low, []).append((w[3], high, split(w[2])[0]))

def name_event(process, sub, w):
    return object_fields(process, split(w[1])[0], w[3] if sub == 36 else w[2])

def object_fields(process, number, ticks):
    known = sorted(of(process).objects.get(number, []))
    meant = [o for o in known if o[0] <= ticks] or known[:1]
    if not meant:
        return {"object": number}
    return {"domain": process.domain(meant[-1][1]), "name": process.string(meant[-1][2]),
            "object": number}

def step(process, ticks, thread, kind, id, value, at):
    if kind == 106:
        return memory(process, value)
    if kind == 6:
        return sync(process, ticks, thread, id & 3, id >> 2)
    counter = id >> 1 if kind == 13 else id >> 2
    domain, counter = of(process).numbers.get(counter, (0, counter))
    name, type, semantics = of(process).counters.get((domain, counter), (0, 0, 0))
    event = {"domain": process.domain(domain), "name": process.string(name), "counter": counter}
    if kind == 5:
        return {**event, "no_value": ("zero", "unchanged", "unavailable", "other")[id & 3]}
    if isinstance(value, tuple):
        return {**event, **by_reference(process, domain, type, semantics, value, at)}
    if type in UNSIGNED and not id & 1:
        value &= (1 << 8 * UNSIGNED[type]) - 1
    unit = process.string(of(process).units.get(semantics, 0)) or None
    text = number(3 if id & 1 else 1 if type in UNSIGNED else 2, value)
    return {**event, "value": Raw(text), "unit": unit}

def by_reference(process, domain, type, semantics, w, at):
    """5: a sample of a group, or one whose value was passed as bytes."""
    from read_schemas import FIRST_ID, Payload
    kept, given = split(w[5])
    payload = Payload(process, domain, type, process.part.data[at + 48:at + 48 + kept], given, {})
    unit_of = lambda own: process.string(of(process).units.get(own & 0xFFFFFFFF or semantics, 0))
    if type < FIRST_ID:
        return {"value": Raw(payload.value(type, 0, payload.size(type))), "unit": unit_of(0) or None}
    values = json.loads(payload.struct(payload.known[3]), parse_float=Raw, parse_int=Raw)
    counted = [item for item in zip(values, payload.known[3]) if item[1][0] >> 10 & 3 != 2]
    units = [(name, unit_of(entry[5])) for name, entry in counted]
    texts = ['"%s":%s' % (name, values[name]) for name, _ in counted]
    units = ['"%s":"%s"' % (name, unit.decode()) for name, unit in units if unit]
    return {"values": Raw("{%s}" % ",".join(texts)),
            "units": Raw("{%s}" % ",".join(units)) if units else None, "payloads": "[%s]" % payload.json}

def sync(process, ticks, thread, what, number):
    """4: 0 waits, 1 gave up, 2 has it, 3 releases it."""
    open, ended = of(process).locks.setdefault(number, []), True
    mine = [(held, t) for held, t in open if held == (what == 3) and t == thread]
    if what:
        any = [(held, t) for held, t in open if held] if what == 3 else []
        ended = (mine or any)[-1:]
        for lock in ended:
            del open[len(open) - 1 - open[::-1].index(lock)]
    if what in (0, 2):
        open.append((what == 2, thread))
    unmatched = True if what in (1, 3) and not ended else None
    return {**object_fields(process, number, ticks), "unmatched": unmatched}

CALLS = """heap_register heap_unregister heap_reset regions_register regions_resize
regions_unregister regions_name permissions_assign permissions_create permissions_destroy
permissions_reset permissions_bind permissions_unbind cuda_process_wide cuda_device_wide
cuda_peer_access cuda_mark_initialized""".split()

def memory(process, w):
    """5: a call of the memory extension."""
    (operation, domain), w = split(w[2]), w[3:]
    call = {"domain": process.domain(domain),
            "operation": CALLS[operation] if operation < len(CALLS) else "unknown"}
    sizes = {3: 3, 4: 2, 5: 1, 6: 3, 7: 2}
    if operation <= 3:
        call["heap"] = w[0]
    if operation == 0:
        (usage, type), (category, name) = split(w[1]), split(w[4])
        call.update(usage={1: "sub_allocator", 2: "layout"}.get(usage, usage),
                    address="0x%x" % w[2] if type == 1 else None, size=w[3] if type == 1 else None,
                    name=process.string(name), category=category or None)
    if 7 <= operation <= 15 and operation != 12:
        call["permissions"] = w[0]
    if operation == 11:
        call["scope"], call["flags"] = split(w[1])
    names = {8: ["flags"], 12: ["scope"], 14: ["device"], 15: ["device", "flags"], 16: ["stream", "flags"]}
    for key, value in zip(names.get(operation, []), w if operation in (12, 16) else w[1:]):
        call[key] = "0x%x" % value if key == "stream" else value
    if not call.get("flags"):
        call.pop("flags", None)
    begin = {3: 2, 4: 1, 5: 1, 6: 1, 7: 2, 16: 3}.get(operation)
    if begin:
        step = sizes.get(operation, 1)
        n = w[begin - 1] >> 32 if operation < 6 else 1 if operation == 16 else w[begin - 1]
        places = range(begin, len(w) - step + 1, step)[:n]
        regions = [region(process, operation, split(w[begin - 1])[0], w[i:i + step]) for i in places]
        known = [{k: v for k, v in r.items() if v is not None} for r in regions]
        call["regions"] = Raw(json.dumps(known, separators=(",", ":"))) if known else None
    return call

def region(process, operation, type, w):
    if operation < 5:
        place = {"address": "0x%x" % w[-2], "size": w[-1]} if type == 1 else {}
        return {"region": w[0] or None, **place} if operation == 3 else place
    type, reference = (split(w[0])[operation == 7], w[1]) if operation > 5 and len(w) > 1 else (type, w[0])
    out = {"address": "0x%x" % reference} if type == 1 else {"region": reference or None}
    if operation == 6:
        out.update(name=process.string(split(w[2])[0]).decode(), category=split(w[0])[1] or None)
    return {**out, "flags": split(w[0])[0]} if operation == 7 else out
