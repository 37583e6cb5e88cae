# SPDX-License-Identifier: Apache-2.0
"""Reads librangeline's tables through ctypes, as Arrow streams or as rows.

    stream --capsule()--> pandas, polars, DuckDB, pyarrow: no value is copied
           --rows()-----> tuples, where none of these is installed
"""

import ctypes
import functools

from rangeline import _library, _native

RANGES, MARKS, SAMPLES, EVENTS, SUMMARY, TREE, GPU, CALLS = range(1, 9)
_ALL_WINDOWS = ctypes.c_size_t(-1).value


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Release = {
    kind: ctypes.CFUNCTYPE(None, ctypes.POINTER(kind))
    for kind in (_Schema, _Array, _Stream)
}
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", _Release[_Schema]),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", _Release[_Array]),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    (
        "get_schema",
        ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema)
        ),
    ),
    (
        "get_next",
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array)),
    ),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", _Release[_Stream]),
    ("private_data", ctypes.c_void_p),
]


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("window", ctypes.c_size_t),
        ("filters", ctypes.POINTER(ctypes.c_char_p)),
        ("min_duration_ns", ctypes.c_uint64),
    ]


class _Error(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_int),
        ("offset", ctypes.c_uint64),
        ("message", ctypes.c_char * 496),
    ]


# rln_status, include/rangeline/error.h
_IO, _NOMEM = 2, 5


@functools.lru_cache(maxsize=None)
def _library_handle():
    library = ctypes.CDLL(_library.find("librangeline.so"))
    library.rln_arrow_open.argtypes = [
        ctypes.POINTER(ctypes.c_char_p),
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.POINTER(_Options),
        ctypes.POINTER(_Stream),
        ctypes.POINTER(_Error),
    ]
    library.rln_arrow_open.restype = ctypes.c_int
    return library


def _texts(texts):
    array = (ctypes.c_char_p * (len(texts) + 1))()
    array[: len(texts)] = texts
    return array


def _failure(code, message):
    if code == _NOMEM:
        return MemoryError(message)
    return OSError(message) if code == _IO else ValueError(message)


class Stream:
    """Owns an ArrowArrayStream and releases it, unless a consumer of capsule() has taken
    it over."""

    def __init__(self, paths, table, window=None, filters=(), min_duration=0):
        self._stream = _Stream()
        error = _Error()
        options = _Options(
            ctypes.sizeof(_Options),
            _ALL_WINDOWS if window is None else window,
            _texts([text.encode("utf-8", "surrogateescape") for text in filters]),
            min_duration,
        )
        code = _library_handle().rln_arrow_open(
            _texts(paths),
            len(paths),
            table,
            ctypes.byref(options),
            ctypes.byref(self._stream),
            ctypes.byref(error),
        )
        if code:
            raise _failure(code, error.message.decode("utf-8", "replace"))

    def __del__(self):
        stream = getattr(self, "_stream", None)
        if stream is not None and stream.release:
            stream.release(ctypes.byref(stream))

    def capsule(self, requested_schema=None):
        """The stream as a capsule of Arrow's Python interface."""
        return _native.arrow_capsule(ctypes.addressof(self._stream), requested_schema)

    def names(self):
        """The names of the columns."""
        schema = _Schema()
        self._check(self._stream.get_schema(self._stream, ctypes.byref(schema)))
        try:
            self._formats = [
                schema.children[i].contents.format for i in range(schema.n_children)
            ]
            return [
                schema.children[i].contents.name.decode()
                for i in range(schema.n_children)
            ]
        finally:
            schema.release(ctypes.byref(schema))

    def _batches(self):
        """Yields an _Array that lives until the next one."""
        while True:
            batch = _Array()
            self._check(self._stream.get_next(self._stream, ctypes.byref(batch)))
            if not batch.release:
                return
            try:
                yield batch
            finally:
                batch.release(ctypes.byref(batch))

    def rows(self):
        """Yields tuples."""
        self.names()
        for batch in self._batches():
            yield from zip(
                *(
                    _values(batch.children[i].contents, self._formats[i])
                    for i in range(batch.n_children)
                )
            )

    def count(self):
        """The number of rows; reads no values."""
        return sum(batch.length for batch in self._batches())

    def _check(self, code):
        if code:
            message = self._stream.get_last_error(self._stream) or b"out of memory"
            raise OSError(code, message.decode("utf-8", "replace"))


_TYPES = {
    b"l": ctypes.c_int64,
    b"L": ctypes.c_uint64,
    b"I": ctypes.c_uint32,
    b"i": ctypes.c_int32,
    b"g": ctypes.c_double,
}


def _bits(address, n):
    """The first n bits of a bitmap as a str of digits, first bit first."""
    number = int.from_bytes(ctypes.string_at(address, (n + 7) // 8), "little")
    return f"{number:0{n}b}"[: -n - 1 : -1]


def _values(array, format):
    n = array.length
    if array.null_count == n:
        return [None] * n
    if format == b"b":
        values = [bit == "1" for bit in _bits(array.buffers[1], n)]
    else:
        values = (_TYPES[format] * n).from_address(array.buffers[1])[:]
    if array.dictionary:
        texts = _dictionary(array.dictionary.contents)
        values = [texts[i] if texts else None for i in values]
    if array.null_count:
        valid = _bits(array.buffers[0], n)
        values = [value if bit == "1" else None for value, bit in zip(values, valid)]
    return values


def _dictionary(array):
    n = array.length
    ends = (ctypes.c_int32 * (n + 1)).from_address(array.buffers[1])[:]
    text = ctypes.string_at(array.buffers[2], ends[n]) if ends[n] else b""
    return [text[ends[i] : ends[i + 1]].decode() for i in range(n)]
