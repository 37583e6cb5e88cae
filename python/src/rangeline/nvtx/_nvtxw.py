# SPDX-License-Identifier: Apache-2.0
"""Calls NVTXW backends through their C interface, version 2, with ctypes.

A backend is a shared library that receives events collected elsewhere and usually
writes them to a file. src/writer/nvtxw.h declares the same for C.
"""

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_char_p,
    c_double,
    c_int16,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)

from rangeline.nvtx._checks import c_text

VERSION = 2

# Names of the result codes, from 0.
RESULTS = (
    "success",
    "failed",
    "invalid argument",
    "library not found",
    "library load failed",
    "library symbol missing",
    "interface version not supported",
    "not supported by this backend",
)
SUCCESS, FAILED, SYMBOL_MISSING = 0, 1, 5


def _structure(name, *fields):
    return type(name, (ctypes.Structure,), {"_fields_": fields})


SessionAttributes = _structure(
    "SessionAttributes",
    ("struct_size", c_size_t),
    ("name", c_char_p),
    ("config", c_char_p),
)
DomainAttributes = _structure(
    "DomainAttributes", ("struct_size", c_size_t), ("name", c_char_p)
)
StreamAttributes = _structure(
    "StreamAttributes",
    ("struct_size", c_size_t),
    ("name", c_char_p),
    ("domain", c_void_p),
    ("scope", c_uint64),
    ("time_domain", c_uint64),
    ("order_interleaving", c_int16),
    ("ordering_type", c_int16),
    ("ordering_skid", c_int32),
    ("ordering_skid_amount", c_int64),
)
ScopeAttributes = _structure(
    "ScopeAttributes",
    ("struct_size", c_size_t),
    ("path", c_char_p),
    ("parent", c_uint64),
    ("scope", c_uint64),
)
SchemaEntry = _structure(
    "SchemaEntry",
    ("flags", c_uint64),
    ("type", c_uint64),
    ("name", c_char_p),
    ("description", c_char_p),
    ("detail", c_uint64),
    ("offset", c_uint64),
    ("semantics", c_void_p),
    ("reserved", c_void_p),
)
SchemaAttributes = _structure(
    "SchemaAttributes",
    ("field_mask", c_uint64),
    ("name", c_char_p),
    ("type", c_uint64),
    ("flags", c_uint64),
    ("entries", POINTER(SchemaEntry)),
    ("n_entries", c_size_t),
    ("static_size", c_size_t),
    ("pack_align", c_size_t),
    ("schema", c_uint64),
    ("extension", c_void_p),
)


class CounterLimit(ctypes.Union):
    """A counter's bound, in the type that its semantics name."""

    _fields_ = [("i64", c_int64), ("u64", c_uint64), ("f64", c_double)]


SemanticsCounter = _structure(
    "SemanticsCounter",
    ("struct_size", c_uint32),
    ("semantic", c_uint16),
    ("version", c_uint16),
    ("next", c_void_p),
    ("flags", c_uint64),
    ("unit", c_char_p),
    ("scale_numerator", c_uint64),
    ("scale_denominator", c_uint64),
    ("limit_type", c_int64),
    ("min", CounterLimit),
    ("max", CounterLimit),
)
CounterAttributes = _structure(
    "CounterAttributes",
    ("struct_size", c_size_t),
    ("schema", c_uint64),
    ("name", c_char_p),
    ("description", c_char_p),
    ("scope", c_uint64),
    ("semantics", c_void_p),
    ("counter", c_uint64),
)
PayloadData = _structure(
    "PayloadData", ("schema", c_uint64), ("size", c_size_t), ("payload", c_void_p)
)
EventBatch = _structure(
    "EventBatch",
    ("schema", c_uint64),
    ("size", c_size_t),
    ("events", c_void_p),
    ("scope", c_uint64),
    ("flags", c_uint64),
    ("flex_data", c_void_p),
    ("flex_data_size", c_size_t),
    ("flex_data_offset", c_size_t),
)
CounterBatch = _structure(
    "CounterBatch",
    ("counter", c_uint64),
    ("counters", c_void_p),
    ("counters_size", c_size_t),
    ("flags", c_uint64),
    ("timestamps", c_void_p),
    ("timestamps_size", c_size_t),
)

# Handles are opaque pointers.
_IN = c_void_p
_OUT = POINTER(c_void_p)
_ID = POINTER(c_uint64)


def _call(name, *arguments):
    return name, CFUNCTYPE(c_int32, *arguments)


Interface = _structure(
    "Interface",
    _call("SessionBegin", POINTER(SessionAttributes), _OUT),
    _call("SessionEnd", _IN),
    _call("DomainRegister", _IN, POINTER(DomainAttributes), _OUT),
    _call("CategoryRegister", _IN, c_uint32, c_char_p),
    _call("StringRegister", _IN, c_char_p, _OUT),
    _call("ResourceRegister", _IN, c_void_p),
    _call("ScopeRegister", _IN, POINTER(ScopeAttributes), _ID),
    _call("SchemaRegister", _IN, POINTER(SchemaAttributes), _ID),
    _call("EnumRegister", _IN, c_void_p, _ID),
    _call("CounterRegister", _IN, POINTER(CounterAttributes), _ID),
    _call("TimeDomainRegister", _IN, c_void_p, _ID),
    _call("StreamOpen", _IN, POINTER(StreamAttributes), _OUT),
    _call("StreamClose", _IN),
    _call("EventWrite", _IN, POINTER(PayloadData), c_size_t),
    _call("EventBatchWrite", _IN, POINTER(EventBatch)),
    _call("CounterWrite", _IN, c_int64, c_uint64, c_void_p, c_size_t),
    _call("CounterNoValueWrite", _IN, c_int64, c_uint64, c_uint8),
    _call("CounterBatchWrite", _IN, POINTER(CounterBatch)),
    _call("TimeSyncPointWrite", _IN, c_uint64, c_uint64, c_int64, c_int64),
    _call("TimeSyncPointTableWrite", _IN, c_uint64, c_uint64, c_void_p, c_size_t),
    _call(
        "TimestampConversionFactorWrite",
        _IN,
        c_uint64,
        c_uint64,
        c_double,
        c_int64,
        c_int64,
    ),
    ("reserved", c_void_p * 43),
)


class WriterError(Exception):
    """A backend refused a call: `result_code` says why, `operation` names the call.

    >>> from rangeline.nvtx import writer
    >>> print(writer.WriterError(7, "StreamOpen"))
    StreamOpen failed: not supported by this backend (code 7)
    """

    def __init__(self, result_code, operation=None):
        self.result_code = result_code
        self.operation = operation
        known = 0 <= result_code < len(RESULTS)
        message = RESULTS[result_code] if known else "unknown error"
        if operation:
            message = f"{operation} failed: {message} (code {result_code})"
        super().__init__(message)

    def __reduce__(self):
        return type(self), (self.result_code, self.operation)


class Library:
    """A backend's library, shared by all backends loaded from it."""

    def __init__(self, path):
        self.path, self.n_users = path, 0
        self._library = ctypes.CDLL(path)
        self._interface = None

    def begin(self):
        """Gets the interface, before the first use and again after each finalize()."""
        try:
            get = self._library.nvtxwGetInterface
        except AttributeError:
            raise WriterError(SYMBOL_MISSING, "load_backend") from None
        get.argtypes, get.restype = [c_int32, POINTER(POINTER(Interface))], c_int32
        found = POINTER(Interface)()
        result = get(VERSION, ctypes.byref(found))
        if result != SUCCESS or not found:
            self.finalize()
            raise WriterError(result or FAILED, "nvtxwGetInterface")
        self._interface = found.contents

    def finalize(self):
        """Tells the library that it is no longer used."""
        self._interface = None
        try:
            finalize = self._library.nvtxwFinalize
        except AttributeError:
            return
        finalize.restype = None
        finalize()

    def call(self, name, *arguments):
        """Calls a function of the interface; raises WriterError if it refuses."""
        function = getattr(self._interface, name)
        result = function(*arguments) if function else RESULTS.index(RESULTS[-1])
        if result != SUCCESS:
            raise WriterError(result, name)


def schema_attributes(kind, flags, size, entries):
    """The arguments of `register` (_schema.py) as a C struct, whose attribute `keep`
    owns the structs that it points to."""
    made = (SchemaEntry * max(1, len(entries)))()
    keep = [made]
    for entry, (name, type_, entry_flags, detail, offset, semantics) in zip(
        made, entries
    ):
        entry.name = None if name is None else c_text("a field's name", name)
        entry.type, entry.flags = type_, entry_flags
        entry.detail, entry.offset = detail, offset
        if semantics is not None:
            keep.append(counter_semantics(semantics))
            entry.semantics = ctypes.addressof(keep[-1])
    # Type, entries and their number are always set; flags and size if not 0.
    mask = 1 << 2 | 1 << 4 | 1 << 5 | (1 << 3 if flags else 0) | (1 << 6 if size else 0)
    attributes = SchemaAttributes(
        field_mask=mask,
        type=kind,
        flags=flags,
        entries=made,
        n_entries=len(entries),
        static_size=size,
    )
    attributes.keep = keep
    return attributes


def counter_semantics(semantics):
    """CounterSemantics as a C struct."""
    made = SemanticsCounter(
        struct_size=ctypes.sizeof(SemanticsCounter),
        semantic=5,  # NVTX_SEMANTIC_ID_COUNTERS_V1
        version=2,  # NVTX_COUNTER_SEMANTIC_VERSION
        flags=semantics.value_type.value | semantics.interpolation.value,
        unit=semantics.unit,
        scale_numerator=semantics.unit_scale_numerator,
        scale_denominator=semantics.unit_scale_denominator,
        limit_type=semantics._limit_type,
    )
    member = (None, "i64", "u64", "f64")[semantics._limit_type]
    for name, flag in (("min", 1 << 2), ("max", 1 << 3)):
        limit = getattr(semantics, name)
        if limit is not None:
            setattr(getattr(made, name), member, limit)
            made.flags |= flag
    return made
