# SPDX-License-Identifier: Apache-2.0
"""Streams of the writer, which write events and samples with their times."""

import ctypes
import enum
import struct

from rangeline.nvtx import _nvtxw
from rangeline.nvtx._checks import c_text, check_type, text_of
from rangeline.nvtx._enums import (
    BatchOrdering,
    CounterNoValueReason,
    EntryKind,
    EventKind,
    PredefinedScope,
)
from rangeline.nvtx._writer_domain import Counter, RegisteredString, Schema, _Made
from rangeline.nvtx.colors import color_to_hex


class StreamInterleaving(enum.Enum):
    """Whether a stream's order holds for all of its events, or within each scope.

    >>> writer.StreamInterleaving.SCOPE.value
    1
    """

    NONE = 0
    SCOPE = 1


class StreamOrdering(enum.Enum):
    """The order of a stream's events: by time, or by the start or end of ranges.

    >>> writer.StreamOrdering.STRICT.value
    1
    """

    UNKNOWN = 0
    STRICT = 1
    PACKED_RANGE_START = 2
    PACKED_RANGE_END = 3


class StreamSkid(enum.Enum):
    """The unit of `skid_amount`, by which events may be out of order.

    >>> writer.StreamSkid.TIME_NS.value
    1
    """

    NONE = 0
    TIME_NS = 1
    EVENT_COUNT = 2


# ---- Layouts of plain events ---------------------------------------------------------

_INT64, _RANGE_ID, _CATEGORY, _COLOR, _UTF8, _REGISTERED = 17, 67, 68, 69, 76, 80
_STATIC, _DYNAMIC = 1, 2
_ZERO_TERMINATED = 2 << 4
_BEGIN, _END = EntryKind.RANGE_BEGIN.value, EntryKind.RANGE_END.value
_MESSAGE = EntryKind.MESSAGE.value

# The fields of a plain event of each kind, before color, category and message:
# (name, type, flags), 8 bytes each.
_HEADS = {
    EventKind.MARK: [("timestamp", _INT64, EntryKind.MARK.value)],
    EventKind.RANGE_PUSHPOP: [
        ("timestampBegin", _INT64, _BEGIN),
        ("timestampEnd", _INT64, _END),
    ],
    EventKind.RANGE_STARTEND: [
        ("timestampBegin", _INT64, _BEGIN),
        ("timestampEnd", _INT64, _END),
    ],
    EventKind.RANGE_PUSH: [("timestamp", _INT64, _BEGIN)],
    EventKind.RANGE_POP: [("timestamp", _INT64, _END)],
    EventKind.RANGE_START: [("rangeId", _RANGE_ID, 0), ("timestamp", _INT64, _BEGIN)],
    EventKind.RANGE_END: [("rangeId", _RANGE_ID, 0), ("timestamp", _INT64, _END)],
}
_WITHOUT_ATTRIBUTES = (EventKind.RANGE_POP, EventKind.RANGE_END)


def _entries_of(kind, is_registered):
    """Entries for `register` of _schema.py, and their total size."""
    entries, at = [], 0
    for name, type_, flags in _HEADS[kind]:
        entries.append((name, type_, flags, 0, at, None))
        at += 8
    if kind not in _WITHOUT_ATTRIBUTES:
        entries.append(("color", _COLOR, 0, 0, at, None))
        entries.append(("category", _CATEGORY, 0, 0, at + 4, None))
        at += 8
    if is_registered:
        entries.append(("message", _REGISTERED, _MESSAGE, 0, at, None))
        at += 8
    return entries, at


def _register_plain(domain):
    """{(kind, whether the message is registered): id, "message": id}"""
    ids = {}
    for kind in _HEADS:
        for is_registered in (False, True):
            if kind in _WITHOUT_ATTRIBUTES and is_registered:
                continue
            entries, size = _entries_of(kind, is_registered)
            ids[kind, is_registered] = domain._register_schema(
                _STATIC, kind.value, size, entries
            )
    message = [("message", _UTF8, _MESSAGE | _ZERO_TERMINATED, 0, 0, None)]
    ids["message"] = domain._register_schema(_DYNAMIC, 0, 0, message)
    return ids


# ---- Rows and columns ----------------------------------------------------------------


def _numpy(what):
    try:
        import numpy
    except ImportError as error:
        raise RuntimeError(f"{what} needs NumPy, which cannot be imported") from error
    return numpy


def _rows_of(numpy, name, data, dtype):
    """An array of rows, made from an array, a data frame with a column for each field,
    or a sequence of rows."""
    if isinstance(data, numpy.ndarray):
        rows = numpy.ascontiguousarray(data, dtype=dtype)
    elif hasattr(data, "columns") and dtype.names is not None:
        missing = [field for field in dtype.names if field not in data.columns]
        if missing:
            raise ValueError(f"{name} has no column for the field {missing[0]!r}")
        rows = numpy.empty(len(data), dtype=dtype)
        for field in dtype.names:
            rows[field] = data[field]
    else:
        rows = numpy.fromiter(data, dtype=dtype)
    if rows.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {rows.ndim}")
    if not rows.size:
        raise ValueError(f"{name} must not be empty")
    return rows


def _int(name, value):
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    return value.__index__()


def _id(name, value, first):
    number = _int(name, value)
    if not first <= number < 1 << 64:
        raise ValueError(f"{name} must be from {first} to 2**64 - 1, not {number}")
    return number


def _int64(name, value):
    number = _int(name, value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError(f"{name} must fit in 64 bits, not {number}")
    return number


class Stream(_Made):
    """Events and samples of one domain, timed by one clock.

    `Session.create_stream` makes them; `with` opens and closes them.

    >>> with session.create_stream("log", domain="db") as stream:
    ...     stream.write_mark(5, message="started", color="green")
    """

    _made_by = "Session.create_stream()"

    @classmethod
    def _make_one(cls, session, name, domain, scope, time_domain, order):
        if isinstance(scope, PredefinedScope) and scope not in (
            PredefinedScope.NONE,
            PredefinedScope.ROOT,
        ):
            raise ValueError(
                f"scope must be NONE, ROOT or registered, not {scope.name}, which is "
                "only known when something happens"
            )
        interleaving, ordering, skid, skid_amount = order
        scope_id = domain._scope_id(scope)
        attributes = _nvtxw.StreamAttributes(
            struct_size=ctypes.sizeof(_nvtxw.StreamAttributes),
            name=None if name is None else text_of("name", name).encode(),
            domain=domain._handle,
            scope=scope_id,
            time_domain=_id("time_domain_id", time_domain, 0),
            order_interleaving=interleaving.value,
            ordering_type=ordering.value,
            ordering_skid=skid.value,
            ordering_skid_amount=_int64("skid_amount", skid_amount),
        )
        return cls._make(
            _session=session,
            _domain=domain,
            _scope_id=scope_id,
            _attributes=attributes,
            _handle=None,
        )

    # ---- Open and closed -------------------------------------------------------------

    def open(self):
        """Opens the stream for writing; RuntimeError if it is open.

        >>> stream.open()
        """
        with self._session._lock:
            if self._handle is not None:
                raise RuntimeError("stream is already open")
            self._session._check_active()
            self._domain._check_valid()
            handle = ctypes.c_void_p()
            self._session._call(
                "StreamOpen",
                self._session._handle,
                ctypes.byref(self._attributes),
                ctypes.byref(handle),
            )
            self._handle = handle
            self._session._streams.add(self)

    def close(self):
        """Closes the stream; RuntimeError if it is not open.

        >>> stream.close()
        """
        with self._session._lock:
            if self._handle is None:
                raise RuntimeError("stream is not open")
            handle, self._handle = self._handle, None
            self._session._streams.discard(self)
            self._session._call("StreamClose", handle)

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *exception):
        with self._session._lock:
            if self._handle is not None:  # Session.end() may have closed it
                self.close()

    def _call(self, name, *arguments):
        handle = self._handle
        if handle is None:
            raise RuntimeError("stream is not open")
        self._session._call(name, handle, *arguments)

    # ---- Plain events ----------------------------------------------------------------

    def _category_id(self, category):
        if category is None:
            return 0
        if isinstance(category, (str, bytes)):
            return self._domain.get_category_id(category)
        check_type("category", category, int, "str, bytes, an int or None")
        if not 0 <= category < 1 << 32:
            raise ValueError(f"category must be from 0 to 2**32 - 1, not {category}")
        self._domain._taken_categories.add(category)
        return category

    def _write(self, kind, head, attributes=None):
        """Writes an event: numbers of 8 bytes, then (message, color, category)."""
        if self._handle is None:
            raise RuntimeError("stream is not open")
        ids = self._domain._kept(
            self._domain._event_schemas, "ids", lambda: _register_plain(self._domain)
        )
        event = b"".join(
            struct.pack("=Q", _id(name, value, 1))
            if name == "range_id"
            else struct.pack("=q", _int64(name, value))
            for name, value in head
        )
        if attributes is None:
            self._submit([(ids[kind, False], event)])
            return
        message, color, category = attributes
        number = 0 if color is None else color_to_hex(color)
        event += struct.pack("=II", number, self._category_id(category))
        if isinstance(message, RegisteredString):
            if message._domain is not self._domain:
                raise ValueError("message is a RegisteredString of another domain")
            handle = struct.pack("=Q", message._handle)
            self._submit([(ids[kind, True], event + handle)])
            return
        check_type(
            "message",
            message,
            (str, bytes, type(None)),
            "str, bytes, a RegisteredString or None",
        )
        text = None if message is None else c_text("message", message)
        # A length of 0 would mean an unknown length.
        self._submit([(ids[kind, False], event), (ids["message"], text or b"\0")])

    def _submit(self, payloads):
        data = (_nvtxw.PayloadData * len(payloads))()
        for one, (schema, content) in zip(data, payloads):
            one.schema, one.size = schema, len(content)
            one.payload = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p)
        self._call("EventWrite", data, len(payloads))

    def write_mark(self, timestamp, *, message=None, color=None, category=None):
        """Writes a mark.

        >>> stream.write_mark(5, message="started", color="green", category="io")
        """
        head = [("timestamp", timestamp)]
        self._write(EventKind.MARK, head, (message, color, category))

    def write_pushpop(self, start, end, *, message=None, color=None, category=None):
        """Writes a whole push/pop range.

        >>> stream.write_pushpop(5, 8, message="query")
        """
        head = [("start", start), ("end", end)]
        self._write(EventKind.RANGE_PUSHPOP, head, (message, color, category))

    def write_startend(self, start, end, *, message=None, color=None, category=None):
        """Writes a whole start/end range, which may cross others.

        >>> stream.write_startend(5, 8, message="request")
        """
        head = [("start", start), ("end", end)]
        self._write(EventKind.RANGE_STARTEND, head, (message, color, category))

    def write_push(self, timestamp, *, message=None, color=None, category=None):
        """Writes the begin of a push/pop range.

        >>> stream.write_push(5, message="query")
        """
        head = [("timestamp", timestamp)]
        self._write(EventKind.RANGE_PUSH, head, (message, color, category))

    def write_pop(self, timestamp):
        """Writes the end of the innermost push/pop range.

        >>> stream.write_pop(8)
        """
        self._write(EventKind.RANGE_POP, [("timestamp", timestamp)])

    def write_start(
        self, timestamp, range_id, *, message=None, color=None, category=None
    ):
        """Writes the begin of a range that `write_end` with the same number ends.

        >>> stream.write_start(5, 1, message="request")
        """
        head = [("range_id", range_id), ("timestamp", timestamp)]
        self._write(EventKind.RANGE_START, head, (message, color, category))

    def write_end(self, timestamp, range_id):
        """Writes the end of a range that `write_start` began.

        >>> stream.write_end(8, 1)
        """
        self._write(
            EventKind.RANGE_END, [("range_id", range_id), ("timestamp", timestamp)]
        )

    # ---- Events with a layout --------------------------------------------------------

    def _check_schema(self, schema):
        check_type("schema", schema, Schema, "a Schema")
        if schema._domain is not self._domain:
            raise ValueError("schema is of another domain")

    def write_event(self, schema, row):
        """Writes an event of a schema with a kind: a tuple, or anything NumPy converts.

        >>> stream.write_event(hit, (5, 4096))
        """
        self._check_schema(schema)
        if schema._kind is None:
            raise ValueError("schema must have a kind: see Domain.get_schema()")
        numpy = _numpy("write_event()")
        event = numpy.ascontiguousarray(row, schema._dtype)
        if event.size != 1:
            raise ValueError(f"row must be one event, not {event.size}")
        self._submit([(schema._schema_id, event.tobytes())])

    def write_event_batch(self, schema, rows, *, ordering=BatchOrdering.SORTED):
        """Writes whole events of a schema: an array, a data frame, or rows.

        Its kind is MARK, RANGE_PUSHPOP or RANGE_STARTEND.

        >>> stream.write_event_batch(hit, [(5, 4096), (8, 512)])
        """
        check_type("ordering", ordering, BatchOrdering, "a BatchOrdering")
        self._check_schema(schema)
        if schema._kind not in (
            EventKind.MARK,
            EventKind.RANGE_PUSHPOP,
            EventKind.RANGE_STARTEND,
        ):
            raise ValueError(
                "schema must be of whole events: MARK, RANGE_PUSHPOP or "
                f"RANGE_STARTEND, not {schema._kind}"
            )
        numpy = _numpy("write_event_batch()")
        events = _rows_of(numpy, "rows", rows, schema._dtype)
        batch = _nvtxw.EventBatch(
            schema=schema._schema_id,
            size=events.nbytes,
            events=events.ctypes.data,
            scope=self._scope_id,
            flags=ordering.value,
        )
        self._call("EventBatchWrite", ctypes.byref(batch))

    # ---- Counters --------------------------------------------------------------------

    def _check_counter(self, counter):
        check_type("counter", counter, Counter, "a Counter")
        if counter._domain is not self._domain:
            raise ValueError("counter is of another domain")

    def write_counter_sample(self, counter, timestamp, value):
        """Writes a sample: a number, or a tuple for a group.

        >>> stream.write_counter_sample(load, 5, 0.5)
        """
        self._check_counter(counter)
        if counter._time_field is not None:
            raise ValueError(
                f"the counter's samples contain their time, {counter._time_field!r}: "
                "write_counter_batch() writes them"
            )
        time = _int64("timestamp", timestamp)
        if counter._dtype is int:
            sample = struct.pack("=q", _int64("value", value))
        elif counter._dtype is float:
            sample = struct.pack("=d", value)
        else:
            numpy = _numpy("a sample of this counter")
            array = numpy.ascontiguousarray(value, counter._dtype)
            if array.size != 1:
                raise ValueError(f"value must be one sample, not {array.size}")
            sample = array.tobytes()
        self._call("CounterWrite", time, counter._counter_id, sample, len(sample))

    def write_counter_sample_no_value(self, counter, timestamp, reason):
        """Writes that there is no value, and why.

        >>> why = nvtx.CounterNoValueReason.UNAVAILABLE
        >>> stream.write_counter_sample_no_value(load, 5, why)
        """
        self._check_counter(counter)
        check_type("reason", reason, CounterNoValueReason, "a CounterNoValueReason")
        time = _int64("timestamp", timestamp)
        self._call("CounterNoValueWrite", time, counter._counter_id, reason.value)

    def write_counter_batch(
        self, counter, data, *, timestamps=None, ordering=BatchOrdering.SORTED
    ):
        """Writes samples: an array, a data frame, values, or tuples for a group.

        `timestamps` has one time per sample; leave it out if the samples contain
        theirs.

        >>> stream.write_counter_batch(load, [0.5, 0.7], timestamps=[5, 8])
        """
        check_type("ordering", ordering, BatchOrdering, "a BatchOrdering")
        self._check_counter(counter)
        if (timestamps is None) != (counter._time_field is not None):
            what = "are needed" if timestamps is None else "must be left out"
            raise ValueError(f"timestamps {what}, as the counter's dtype is now")
        numpy = _numpy("write_counter_batch()")
        samples = _rows_of(numpy, "data", data, numpy.dtype(counter._dtype))
        batch = _nvtxw.CounterBatch(
            counter=counter._counter_id,
            counters=samples.ctypes.data,
            counters_size=samples.nbytes,
            flags=ordering.value,
        )
        times = None
        if timestamps is not None:
            times = _rows_of(numpy, "timestamps", timestamps, numpy.dtype("i8"))
            if times.size != samples.size:
                raise ValueError(
                    "data and timestamps must have the same length, but there are "
                    f"{samples.size} and {times.size}"
                )
            batch.timestamps, batch.timestamps_size = times.ctypes.data, times.nbytes
        self._call("CounterBatchWrite", ctypes.byref(batch))
