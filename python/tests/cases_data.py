# SPDX-License-Identifier: Apache-2.0
"""Cases of test_side_by_side.py: payloads, counters, dtypes.

{name: function of `nvtx`}; a name says which value is passed.
"""
import time


def _numpy():
    import numpy
    return numpy


def _record(np):
    """A struct of all that a struct can have."""
    inner = np.dtype([("e", "f2"), ("f", "u8")])
    return np.dtype([("a", "i4", (2, 3)), ("b", "U3"), ("c", "S2"), ("d", inner)],
                    align=True)


def _described(nvtx):
    """A struct whose fields say what they mean."""
    volts = nvtx.CounterSemantics("V", min=0.0)
    return nvtx.numpy_dtype([
        ("u", nvtx.numpy_dtype("f4", counter_semantics=volts)),
        ("color", nvtx.numpy_dtype("u4", entry_type=nvtx.PayloadEntryType.COLOR_ARGB)),
        ("text", nvtx.numpy_dtype("U4", entry_kind=nvtx.EntryKind.MESSAGE)),
    ])


# {name: the payload, as a function of (nvtx, numpy)}
PAYLOADS = {
    "int": lambda nvtx, np: -5,
    "largest int64": lambda nvtx, np: 2**63 - 1,
    "smallest int64": lambda nvtx, np: -2**63,
    "int of 65 bits": lambda nvtx, np: -2**63 - 1,
    "float": lambda nvtx, np: 2.5,
    "nan": lambda nvtx, np: float("nan"),
    "none": lambda nvtx, np: None,
    "list": lambda nvtx, np: [1, 2, 3],
    "list of floats": lambda nvtx, np: [1, 2.5],
    "list of texts": lambda nvtx, np: ["ab", "c"],
    "list of bytes": lambda nvtx, np: [b"ab", b"c"],
    "list of lists": lambda nvtx, np: [[1, 2], [3, 4]],
    "list of numbers and texts": lambda nvtx, np: [1, "a"],
    "list with a large int": lambda nvtx, np: [2**63],
    "empty list": lambda nvtx, np: [],
    "list of None": lambda nvtx, np: [None],
    "ragged list": lambda nvtx, np: [[1], [2, 3]],
    "tuple": lambda nvtx, np: (1.5, 2),
    "range": lambda nvtx, np: range(4),
    "bytes": lambda nvtx, np: b"abc",
    "bytes with zeros": lambda nvtx, np: b"a\0b\0",
    "empty bytes": lambda nvtx, np: b"",
    "text": lambda nvtx, np: "x",
    "dict": lambda nvtx, np: {},
    "struct": lambda nvtx, np: np.zeros((), _record(np)),
    "array of structs": lambda nvtx, np: np.ones(3, _record(np)),
    "nested struct": lambda nvtx, np: np.array(
        [((1, 2), 3)], dtype=[("p", [("x", "f4"), ("y", "f4")]), ("n", "i4")]),
    "struct of arrays": lambda nvtx, np: np.zeros(
        1, [("m", "f4", (2, 2)), ("s", "S3", (2,))]),
    "struct with gaps": lambda nvtx, np: np.zeros(2, np.dtype(
        {"names": ["a", "b"], "formats": ["i4", "i2"], "offsets": [8, 2],
         "itemsize": 32})),
    "some fields": lambda nvtx, np: np.array(
        [(1, 2.0, 3)], dtype=[("a", "i4"), ("b", "f8"), ("c", "i2")])[["a", "c"]],
    "field with a title": lambda nvtx, np: np.zeros(1, [(("title", "a"), "i4")]),
    "described struct": lambda nvtx, np: np.zeros(2, _described(nvtx)),
    "fortran order": lambda nvtx, np: np.asfortranarray(np.arange(12).reshape(3, 4)),
    "transposed": lambda nvtx, np: np.arange(12).reshape(3, 4).T,
    "strided": lambda nvtx, np: np.arange(12).reshape(3, 4)[::2, 1::2],
    "backwards": lambda nvtx, np: np.arange(5)[::-1],
    "read-only": lambda nvtx, np: np.broadcast_to(np.int64(7), (3,)),
    "no elements": lambda nvtx, np: np.zeros((2, 0, 3)),
    "large": lambda nvtx, np: np.arange(30000),
    "unicode": lambda nvtx, np: np.array(["héé", "\U00010348x"]),
    "objects": lambda nvtx, np: np.array([object()]),
    "bools": lambda nvtx, np: np.array([True, False]),
    "complex": lambda nvtx, np: np.array([1 + 2j]),
    "instants": lambda nvtx, np: np.array(["2026-11-21T12:00"], dtype="M8[s]"),
    "big-endian": lambda nvtx, np: np.array([1, 2], dtype=">i4"),
    "bool": lambda nvtx, np: True,
    "numpy int": lambda nvtx, np: np.int32(-7),
    "numpy float": lambda nvtx, np: np.float64(1.5),
}
for _code in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 U3 S3".split():
    PAYLOADS[f"{_code} alone"] = (
        lambda nvtx, np, code=_code: np.array("7").astype(code))
    PAYLOADS[f"{_code} array"] = (
        lambda nvtx, np, code=_code: np.array([["7", "8", "9"]] * 2).astype(code))


def _int(nvtx, name="int"):
    return nvtx.get_domain("counters").get_counter(name, int)


def _float(nvtx, name="float"):
    return nvtx.get_domain("counters").get_counter(name, float)


def _byte(nvtx, name="byte"):
    return nvtx.get_domain("counters").get_counter(name, "u1")


def _group(nvtx, name="group"):
    return nvtx.get_domain("counters").get_counter(name, [("a", "i4"), ("b", "f8")])


class _Index:
    def __index__(self):
        return 3


class _Int:
    def __int__(self):
        return 3


# {name: (counter, value)}
SAMPLES = {
    **{f"int counter, {name}": (_int, value) for name, value in {
        "int": lambda np: 5, "bool": lambda np: True, "largest": lambda np: 2**63 - 1,
        "too large": lambda np: 2**63, "too small": lambda np: -2**63 - 1,
        "float": lambda np: -1.75, "numpy float": lambda np: np.float32(1.5),
        "numpy int": lambda np: np.int8(-3), "array of one": lambda np: np.array([5]),
        "array of no dimension": lambda np: np.array(5), "text": lambda np: "1",
        "None": lambda np: None, "__int__": lambda np: _Int(),
        "__index__": lambda np: _Index()}.items()},
    **{f"float counter, {name}": (_float, value) for name, value in {
        "float": lambda np: 0.5, "int": lambda np: 2**60, "inf": lambda np: float("inf"),
        "too large": lambda np: 2**2000, "text": lambda np: "1", "None": lambda np: None,
        "numpy": lambda np: np.float16(0.5), "__int__": lambda np: _Int(),
        "__index__": lambda np: _Index()}.items()},
    **{f"byte counter, {name}": (_byte, value) for name, value in {
        "int": lambda np: 255, "too large": lambda np: 256, "negative": lambda np: -1,
        "float": lambda np: 1.5, "text": lambda np: "7", "None": lambda np: None,
        "list of one": lambda np: [1], "two": lambda np: [1, 2]}.items()},
    **{f"group, {name}": (_group, value) for name, value in {
        "tuple": lambda np: (1, 2.5), "ints": lambda np: (1, 2),
        "float for an int": lambda np: (1.5, 2), "too large": lambda np: (2**31, 1),
        "too short": lambda np: (1,), "too long": lambda np: (1, 2, 3),
        "list": lambda np: [1, 2], "list of a tuple": lambda np: [(1, 2)],
        "list of tuples": lambda np: [(1, 2), (3, 4)], "number": lambda np: 5,
        "text": lambda np: "x", "None inside": lambda np: (None, 1),
        "texts inside": lambda np: ("1", "2"), "dict": lambda np: {"a": 1},
        "element": lambda np: np.array([(1, 2)], [("a", "i4"), ("b", "f8")])[0],
        "array": lambda np: np.array((1, 2), [("a", "i4"), ("b", "f8")]),
        "other array": lambda np: np.array((1, 2), [("a", "i8"), ("b", "f4")]),
    }.items()},
}

# {name: (counter, (values, timestamps))}
BATCHES = {
    "lists": (_int, lambda np: ([1, 2], [3, 4])),
    "tuples": (_int, lambda np: ((1, 2), (3, 4))),
    "ranges": (_int, lambda np: (range(2), range(2))),
    "floats for ints": (_int, lambda np: ([1.5, 2], [1, 2])),
    "float times": (_int, lambda np: ([1, 2], [1.5, 2])),
    "nothing": (_int, lambda np: ([], [])),
    "a number": (_int, lambda np: (5, 7)),
    "fewer times": (_int, lambda np: ([1, 2], [1])),
    "more times": (_int, lambda np: ([1], [1, 2])),
    "a text for a time": (_int, lambda np: ([1], ["x"])),
    "None for a value": (_int, lambda np: ([None], [1])),
    "None for times": (_int, lambda np: ([1], None)),
    "lists of lists": (_int, lambda np: ([[1, 2], [3, 4]], [1, 2, 3, 4])),
    "int arrays": (_int, lambda np: (np.arange(3), np.arange(3))),
    "float array for ints": (_int, lambda np: (np.arange(3.5), np.arange(4))),
    "strided arrays": (_int, lambda np: (
        np.arange(8)[::2], np.arange(0, 8000, 1000)[::-2])),
    "big-endian array": (_int, lambda np: (np.arange(3, dtype=">i8"), np.arange(3))),
    "unsigned times": (_int, lambda np: ([1], np.array([1], dtype="u8"))),
    "bytes": (_int, lambda np: (b"abc", [1, 2, 3])),
    "too large a value": (_int, lambda np: ([2**63], [1])),
    "too large a time": (_int, lambda np: ([1], [2**63])),
    "generators": (_int, lambda np: ((v for v in (1, 2)), (t for t in (1, 2)))),
    "floats": (_float, lambda np: ([1, 2.5], [3, 4])),
    "texts for floats": (_float, lambda np: (["1.5"], [1])),
    "float array": (_float, lambda np: (np.arange(3.0), np.arange(3))),
    "narrow float array": (_float, lambda np: (np.arange(3, dtype="f4"), np.arange(3))),
    "list of tuples": (_group, lambda np: ([(1, 2.5), (3, 4)], [1, 2])),
    "a tuple": (_group, lambda np: ((1, 2.5), [3])),
    "tuple of tuples": (_group, lambda np: (((1, 2.5), (3, 4)), [1, 2])),
    "short tuples": (_group, lambda np: ([(1,)], [1])),
    "text inside": (_group, lambda np: ([(1, "x")], [1])),
    "array of structs": (_group, lambda np: (
        np.ones(2, [("a", "i4"), ("b", "f8")]), [1, 2])),
    "other structs": (_group, lambda np: (
        np.ones(2, [("a", "i8"), ("b", "f4")]), [1, 2])),
}

# What get_counter() is given as dtype.
DTYPES = {
    "int": lambda np: int,
    "float": lambda np: float,
    "i8": lambda np: "i8",
    "numpy.int64": lambda np: np.int64,
    "longlong": lambda np: "q",
    "None": lambda np: None,
    "f4": lambda np: "f4",
    "f2": lambda np: "f2",
    "unknown": lambda np: "no such dtype",
    "text": lambda np: "U3",
    "struct in a struct": lambda np: [("a", [("b", "i4")])],
    "array in a struct": lambda np: [("a", "i4", 3)],
    "array of structs": lambda np: np.dtype(([("a", "i4")], (3,))),
    "array": lambda np: "3i4",
    "objects": lambda np: object,
    "object in a struct": lambda np: [("a", "O")],
    "complex": lambda np: complex,
    "bool": lambda np: bool,
    "big-endian": lambda np: ">i8",
    "instant": lambda np: "M8[s]",
}

# Arguments of numpy_dtype, as a function of (nvtx).
NUMPY_DTYPES = {
    "int": lambda nvtx: ((int,), {}),
    "list": lambda nvtx: (([("a", "i4"), ("b", "U2")],), {"align": True}),
    "nothing": lambda nvtx: ((), {}),
    "no dtype": lambda nvtx: (("no such dtype",), {}),
    "a time": lambda nvtx: (("i8",), {"entry_kind": nvtx.EntryKind.MARK}),
    "a narrow time": lambda nvtx: (("i4",), {"entry_kind": nvtx.EntryKind.MARK}),
    "a float time": lambda nvtx: (("f8",), {"entry_kind": nvtx.EntryKind.RANGE_BEGIN}),
    "a big-endian time": lambda nvtx: ((">i8",), {"entry_kind": nvtx.EntryKind.MARK}),
    "a signed color": lambda nvtx: (
        ("i4",), {"entry_type": nvtx.PayloadEntryType.COLOR_ARGB}),
    "a big-endian color": lambda nvtx: (
        (">u4",), {"entry_type": nvtx.PayloadEntryType.COLOR_ARGB}),
    "a string handle": lambda nvtx: (
        ("u8",), {"entry_type": nvtx.PayloadEntryType.REGISTERED_STRING}),
    "a number as kind": lambda nvtx: (("i8",), {"entry_kind": 5}),
    "a number as type": lambda nvtx: (("u4",), {"entry_type": 5}),
    "metadata twice": lambda nvtx: (
        (nvtx.numpy_dtype("i8", counter_semantics=nvtx.CounterSemantics("V")),),
        {"counter_semantics": nvtx.CounterSemantics("A")}),
    "other metadata": lambda nvtx: (
        ("i8",), {"metadata": {"k": 1},
                  "counter_semantics": nvtx.CounterSemantics("A")}),
}

SEMANTICS = {
    "nothing": {},
    "unit": {"unit": "bytes"},
    "unit as bytes": {"unit": b"bytes"},
    "bounds": {"min": 0, "max": 2**64 - 1},
    "signed bounds": {"min": -1, "max": 1},
    "float bounds": {"min": 0.5, "max": 0.5},
    "scale": {"unit_scale_numerator": 1, "unit_scale_denominator": 1000},
    "number as unit": {"unit": 1},
    "number as value_type": {"value_type": 16},
    "None as interpolation": {"interpolation": None},
    "text as bound": {"min": "0"},
    "mixed bounds": {"min": 0, "max": 1.0},
    "crossed bounds": {"min": 2, "max": 1},
    "bounds of 65 bits": {"max": 2**64},
    "signed bounds of 65 bits": {"min": -1, "max": 2**63},
    "zero as scale": {"unit_scale_numerator": 0},
    "float as scale": {"unit_scale_denominator": 1.0},
}


def _mark(make):
    def function(nvtx):
        import warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = nvtx.mark("m", color=1, payload=make(nvtx, _numpy()))
        return result, [warning.category.__name__ for warning in caught]
    return function


def _again(make):
    """The payload of attributes, replaced and taken away."""
    def function(nvtx):
        domain = nvtx.get_domain("again")
        attributes = domain.get_event_attributes("m", "red", payload=[1, 2])
        domain.push_range(attributes)
        attributes.payload = make(nvtx, _numpy())
        domain.mark(attributes)
        attributes.payload = None
        domain.mark(attributes)
        domain.pop_range()
        return attributes.payload
    return function


def _sample(counter, make):
    return lambda nvtx: counter(nvtx).sample(make(_numpy()))


def _batch(name, counter, make):
    return lambda nvtx: counter(nvtx, name).batch_submit(*make(_numpy()))


def _counter(make):
    def function(nvtx):
        counter = nvtx.get_domain("dtypes").get_counter("c", make(_numpy()))
        return type(counter).__name__, str(counter.dtype), counter.name
    return function


def _numpy_dtype(make):
    def function(nvtx):
        import warnings
        args, kwargs = make(nvtx)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            dtype = nvtx.numpy_dtype(*args, **kwargs)
        metadata = dtype.metadata or {}
        attached = [(v.counter_semantics, v.entry_kind, v.entry_type)
                    for k, v in metadata.items() if "nvtx" in k]
        return (str(dtype), sorted(metadata), str(attached),
                [warning.category.__name__ for warning in caught])
    return function


def _semantics(arguments):
    def function(nvtx):
        made = nvtx.CounterSemantics(**arguments)
        return (repr(made), hash(made) == hash(nvtx.CounterSemantics(**arguments)),
                made == nvtx.CounterSemantics(**arguments))
    return function


def _identity(nvtx):
    domain = nvtx.get_domain("identity")
    counter = domain.get_counter
    semantics = nvtx.CounterSemantics("V")
    one = counter("n", int)
    return [
        counter("n", "i8") is one,
        counter(name="n", dtype=_numpy().int64) is one,
        counter("n", int, description="d") is one,
        counter("n", int, scope="s") is one,
        counter("n", int, semantics=semantics) is one,
        counter("n", int, semantics=nvtx.CounterSemantics(b"V"))
        is counter("n", int, semantics=semantics),
        counter("n", int, time_domain=nvtx.TimestampType.CPU_TSC) is one,
        counter("n", float) is one,
        counter(b"n", int) is one,
        counter("g", [("a", "i4")]) is counter("g", [("a", "i4")]),
        counter("g", [("a", "i4")]) is counter("g", [("b", "i4")]),
        counter("g", [("a", nvtx.numpy_dtype("i4", counter_semantics=semantics))])
        is counter("g", [("a", "i4")]),
        nvtx.get_domain("other").get_counter("n", int) is one,
    ]


def _attributes(nvtx):
    domain = nvtx.get_domain("attributes")
    semantics = nvtx.CounterSemantics("V", min=0, max=10)
    made = domain.get_counter("n", int, description="d", scope="a/b[1]",
                              semantics=semantics,
                              time_domain=nvtx.TimestampType.CPU_TSC)
    made.sample(1)
    return [made.name, made.description, made.scope, made.semantics is semantics,
            made.time_domain, made.domain is domain, str(made.dtype),
            isinstance(made, nvtx.Counter)]


def _described_group(nvtx):
    percent = nvtx.numpy_dtype(
        "f4", counter_semantics=nvtx.CounterSemantics("%", min=0.0, max=100.0))
    when = nvtx.numpy_dtype("i8", entry_kind=nvtx.EntryKind.COUNTER_TIMESTAMP)
    group = nvtx.numpy_dtype([("load", percent), ("n", "u2"), ("time", when)])
    counter = nvtx.get_domain("group").get_counter(
        "counters: described group", group, semantics=nvtx.CounterSemantics(max=2**64 - 1))
    counter.sample((50, 3, 0))
    counter.batch_submit([(25, 4, 0)], [5])


def _no_value(nvtx):
    counter = _int(nvtx)
    return [counter.sample_no_value(reason) for reason in nvtx.CounterNoValueReason]


def _clocks(nvtx):
    """Batches on the clocks that Python has, a second apart: how these run beside each
    other is known to a part of a millisecond, and their order is compared."""
    domain = nvtx.get_domain("clocks")
    for ago, name in enumerate(("REALTIME", "MONOTONIC", "MONOTONIC_RAW", "BOOTTIME")):
        clock = getattr(nvtx.TimestampType, f"CPU_CLOCK_GETTIME_{name}")
        now = time.clock_gettime_ns(getattr(time, f"CLOCK_{name}"))
        counter = domain.get_counter("counters: clocks", int, time_domain=clock)
        counter.batch_submit([1], [now - ago * 10**9])


def _keywords(nvtx):
    counter = _int(nvtx, "counters: keywords")
    counter.sample(value=1)
    counter.batch_submit(values=[2], timestamps=[3])
    counter.sample_no_value(reason=nvtx.CounterNoValueReason.ZERO)
    _group(nvtx).sample(value=(1, 2))


def _timestamp(nvtx):
    stamp = nvtx.get_domain("clock").get_timestamp()
    return type(stamp).__name__, stamp > 0


def _wrong(argument, value):
    return lambda nvtx: nvtx.get_domain("wrong").get_counter(
        **{"name": "n", "dtype": int, argument: value}).sample(1)


CASES = {
    **{f"payload: {name}": _mark(make) for name, make in PAYLOADS.items()},
    **{f"payload again: {name}": _again(PAYLOADS[name])
       for name in ("int", "float", "none", "list", "struct", "large")},
    **{f"sample: {name}": _sample(*row) for name, row in SAMPLES.items()},
    **{f"batch: {name}": _batch(f"batch: {name}", *row)
       for name, row in BATCHES.items()},
    **{f"counter dtype: {name}": _counter(make) for name, make in DTYPES.items()},
    **{f"numpy_dtype: {name}": _numpy_dtype(make)
       for name, make in NUMPY_DTYPES.items()},
    **{f"semantics: {name}": _semantics(arguments)
       for name, arguments in SEMANTICS.items()},
    "counters: identity": _identity,
    "counters: attributes": _attributes,
    "counters: described group": _described_group,
    "counters: no value": _no_value,
    "counters: clocks": _clocks,
    "counters: keywords": _keywords,
    "counters: timestamp": _timestamp,
    "counters: wrong name": _wrong("name", 5),
    "counters: wrong description": _wrong("description", 5),
    "counters: wrong scope": _wrong("scope", 5),
    "counters: wrong semantics": _wrong("semantics", 5),
    "counters: wrong time domain": _wrong("time_domain", 5),
    "counters: wrong reason": lambda nvtx: _int(nvtx).sample_no_value(0),
    "counters: made by hand": lambda nvtx: nvtx.Counter(),
}

_SENT = "dtypes that have a natural form are sent"
_NATIVE = "values are sent in the machine's byte order, as tools read them"
_TYPE = "a wrong argument is a TypeError that names it"
_LENIENT = "any iterable is accepted"

DIFFERENCES = {
    "payload: bool": "sent as 0 or 1",
    "payload: numpy int": "sent as the number it is",
    "payload: numpy float": "sent as the number it is",
    "payload: list with a large int": _SENT,
    "payload: bools": _SENT,
    "payload: complex": _SENT,
    "payload: instants": _SENT,
    "payload: big-endian": _NATIVE,
    "sample: int counter, __index__": "what Python takes for an int is one",
    "batch: generators": _LENIENT,
    "batch: tuple of tuples": _LENIENT,
    "counter dtype: array": "an array is no counter",
    "counter dtype: bool": _SENT,
    "counter dtype: instant": _SENT,
    "counter dtype: big-endian": _NATIVE,
    **{(f"counter dtype: {name}", mode): "refused without a tool, too"
       for name in ("objects", "object in a struct", "complex")
       for mode in ("no tool", "disabled")},
    "counters: wrong name": _TYPE,
    "counters: wrong description": _TYPE,
    "counters: wrong scope": _TYPE,
    "counters: wrong semantics": _TYPE,
    "counters: wrong time domain": _TYPE,
    "counters: wrong reason": _TYPE,
}
