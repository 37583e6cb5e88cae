# SPDX-License-Identifier: Apache-2.0
"""What NVIDIA's tests of its package `nvtx` import as their conftest, which the source
distribution lacks: fixtures with the values to test, and functions that compare the
calls that suite_tool.c received with the arguments. ../test_nvtx_suite.py runs the tests.

Each `verify_...` takes the oldest calls that were not taken yet. A test that leaves some
fails.
"""
import ctypes
import json
import os

import numpy
import pytest

VALUES = {
    "domain": (None, "", "abc"),
    "message": (None, "", "abc"),
    "color": (None, 0xFFA500, "red"),
    "category": (None, 0, "", "abc", 1),
    "payload": (None, 1, 1.0),
}
COLORS = {None: 0x0000FF, "red": 0xFF0000}

# NVTX_PAYLOAD_ENTRY_TYPE_*, by NumPy's types, and a schema's flag of counter groups.
ENTRY_TYPES = {
    "int8": 11, "uint8": 12, "int16": 13, "uint16": 14, "int32": 15, "uint32": 16,
    "int64": 17, "uint64": 18, "float32": 43, "float64": 44, "bytes": 32,
}
UINT64 = ENTRY_TYPES["uint64"]
GROUP = 1 << 3
LIMIT_MIN, LIMIT_MAX = 1 << 2, 1 << 3  # NVTX_COUNTER_FLAG_LIMIT_*


class Calls:
    """The calls that the tool has, and the ids of what was registered so far."""

    def __init__(self, path):
        self.take = ctypes.CDLL(path).take_line
        self.take.restype = ctypes.c_char_p
        self.ids = {("domain", None): None}

    def next(self):
        line = self.take()
        return None if line is None else json.loads(line)

    def expect(self, call, **arguments):
        """Takes a call, which must have these arguments and no others but `id`."""
        found = self.next()
        id = found.pop("id", None) if found and "id" not in arguments else None
        assert found == {"call": call, **arguments}
        return id

    def once(self, key, call, **arguments):
        """The id of what is registered once: now, if it is not yet."""
        if key not in self.ids:
            self.ids[key] = self.expect(call, **arguments)
        return self.ids[key]


def parametrized(name):
    @pytest.fixture(name=name, scope="session", params=VALUES[name])
    def value(request):
        return request.param
    return value


domain, message, color, category, payload = map(parametrized, VALUES)


@pytest.fixture(scope="session")
def nvtx_events():
    """The calls, or None without a tool."""
    path = os.environ.get("NVTX_INJECTION64_PATH")
    return path and Calls(path)


@pytest.fixture(autouse=True)
def verify_all_is_taken(nvtx_events):
    yield
    assert nvtx_events is None or nvtx_events.next() is None


# --- Registrations --------------------------------------------------------------------


def create_domain(calls, domain):
    calls.once(("domain", domain), "create", domain=domain)


def schema_of(calls, domain, dtype, is_array=False, flags=0):
    """The id of the schema of a dtype, after those of its parts."""
    key = "schema", domain, dtype, is_array, flags
    if key in calls.ids:
        return calls.ids[key]
    size = dtype.itemsize
    if is_array:
        size, entries = 0, [UINT64, schema_of(calls, domain, dtype)]
    elif dtype.subdtype is not None:
        entries = [schema_of(calls, domain, dtype.subdtype[0])]
    elif dtype.names is None:
        entries = [ENTRY_TYPES["bytes" if dtype.kind == "S" else dtype.name]]
    else:
        fields = [dtype.fields[name][0] for name in dtype.names]
        entries = [ENTRY_TYPES[field.name] if flags & GROUP
                   else schema_of(calls, domain, field) for field in fields]
    return calls.once(key, "schema", domain=domain, flags=flags, size=size,
                      entries=entries)


def verify_registration_events(calls, domain, message=None, category=None, payload=None):
    create_domain(calls, domain)
    if isinstance(category, str):
        calls.once(("category", domain, category), "category", domain=domain,
                   text=category)
    if message is not None:
        calls.once(("message", domain, message), "string", domain=domain, text=message)
    if payload is not None:
        array = numpy.array(payload)
        if array.nbytes:
            schema_of(calls, domain, array.dtype, array.ndim > 0)


# --- Ranges and marks -----------------------------------------------------------------


def payload_of(calls, domain, payload):
    """How the tool shows a payload."""
    if payload is None:
        return {}
    if isinstance(payload, int):
        return {"int64": payload}
    if isinstance(payload, float):
        return {"double": payload}
    array = numpy.array(payload)
    if not array.nbytes:
        return {}
    length = array.size.to_bytes(8, "little") if array.ndim else b""
    return {"schema": schema_of(calls, domain, array.dtype, array.ndim > 0),
            "data": (length + array.tobytes()).hex()}


def verify_event(call, calls, domain, message, color, category, payload):
    if isinstance(category, str):
        category = calls.ids["category", domain, category]
    text = {} if message is None else {"message": message}
    calls.expect(call, domain=domain, color=COLORS.get(color, color),
                 category=category or 0, **text, **payload_of(calls, domain, payload))


def verify_mark(calls, domain, message, color, category, payload):
    verify_event("mark", calls, domain, message, color, category, payload)


def verify_push(calls, domain, message, color, category, payload):
    verify_event("push", calls, domain, message, color, category, payload)


def verify_start(calls, domain, message, color, category, payload):
    verify_event("start", calls, domain, message, color, category, payload)


def verify_pop(calls, domain):
    calls.expect("pop", domain=domain)


def verify_end(calls, domain, range_id):
    """Takes what Domain.start_range() or the module's start_range() returned."""
    id = range_id[0] if isinstance(range_id, tuple) else range_id
    calls.expect("end", domain=domain, id=id)


# --- Counters -------------------------------------------------------------------------


def semantics_of(semantics):
    """How the tool shows the semantics of a counter."""
    if semantics is None:
        return {}
    flags = semantics.value_type.value | semantics.interpolation.value
    shown = {"unit": semantics.unit and semantics.unit.decode(),
             "numerator": semantics.unit_scale_numerator,
             "denominator": semantics.unit_scale_denominator}
    for name, flag in (("min", LIMIT_MIN), ("max", LIMIT_MAX)):
        if getattr(semantics, name) is not None:
            flags |= flag
            shown[name] = getattr(semantics, name)
    return {"semantics": flags, **shown}


def verify_counter_register(calls, domain, name, dtype, description=None, scope=None,
                            semantics=None, time_domain=None):
    create_domain(calls, domain)
    clock = 1 if time_domain is None else time_domain.value
    dtype = numpy.dtype(dtype)
    key = "counter", domain, name, dtype, description, scope, semantics, clock
    if key in calls.ids:
        return calls.ids[key]
    schema = ENTRY_TYPES[dtype.name] if dtype.names is None else \
        schema_of(calls, domain, dtype, flags=GROUP)
    scope_id = 0 if scope is None else calls.once(
        ("scope", domain, scope), "scope", domain=domain, path=scope)
    return calls.once(key, "counter", domain=domain, schema=schema, scope=scope_id,
                      name=name, description=description, clock=clock,
                      **semantics_of(semantics))


def verify_counter_sample_int64(calls, domain, counter, value):
    calls.expect("sample int64", domain=domain, counter=counter, value=value)


def verify_counter_sample_float64(calls, domain, counter, value):
    calls.expect("sample float64", domain=domain, counter=counter, value=value)


def verify_counter_sample(calls, domain, counter, data):
    calls.expect("sample", domain=domain, counter=counter, value=data.hex())


def verify_counter_sample_no_value(calls, domain, counter, reason):
    calls.expect("no value", domain=domain, counter=counter, value=reason)


def verify_counter_batch_submit(calls, domain, counter, data, times):
    calls.expect("batch", domain=domain, counter=counter, value=data.hex(), times=times)


def verify_timestamp_get(calls, time):
    calls.expect("timestamp", domain=None, time=time)
