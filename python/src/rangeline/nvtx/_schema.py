# SPDX-License-Identifier: Apache-2.0
"""Registers NVTX schemas for NumPy dtypes, one per dtype and domain.

`register(kind, flags, size, entries)` passes a schema to the tool and returns its id; an
entry is (name, type, flags, detail, offset, semantics). `known` is the domain's
dictionary from PayloadSchemaKey and other keys to ids. A payload is described as

    a number, text          a struct of one entry, named after the dtype
    a fixed array           a struct of one entry without a name
    a structured dtype      a struct of such structs
    an array                {uint64 size; elements data[size]}

NVIDIA's package uses the same form, so that tools show both alike. The fields of a
counter group are plain numbers.
"""

from math import prod

from rangeline.nvtx._metadata import PayloadSchemaKey, metadata_of

# Per domain. Payloads of further dtypes are sent as plain bytes: tools keep all schemas,
# and a program may create any number of dtypes.
MAX_SCHEMAS = 4096
RAW = 1023  # NVTX_TYPE_PAYLOAD_SCHEMA_RAW

# NVTX_PAYLOAD_SCHEMA_TYPE_*
_STATIC, _DYNAMIC = 1, 2
_COUNTER_GROUP = 1 << 3  # NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP

# NVTX_PAYLOAD_ENTRY_FLAG_*
_FIXED_SIZE, _LENGTH_INDEX = 1 << 4, 3 << 4
_TIMESTAMP, _COUNTER = 2 << 10, 4 << 12

# NVTX_PAYLOAD_ENTRY_TYPE_*, by NumPy's kind and size. A bool is a byte. datetime64 and
# timedelta64 are their number of units; the dtype's name has the unit.
_UINT64, _LONGDOUBLE, _BYTE, _UTF32 = 18, 21, 32, 78
_NUMBERS = {
    ("b", 1): 12,
    ("i", 1): 11,
    ("u", 1): 12,
    ("i", 2): 13,
    ("u", 2): 14,
    ("i", 4): 15,
    ("u", 4): 16,
    ("i", 8): 17,
    ("u", 8): 18,
    ("M", 8): 17,
    ("m", 8): 17,
    ("f", 2): 42,
    ("f", 4): 43,
    ("f", 8): 44,
}

# The types that the extension packs into samples without NumPy: py_samples.h.
_PACKED = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


def of_element(register, known, dtype):
    """(id for one element, dtype in the machine's byte order)."""
    if _has_room(known, dtype):
        return _of_dtype(register, known, dtype), _native(dtype)
    return RAW, _native(dtype)


def of_array(register, known, dtype):
    """(id for an array, dtype in the machine's byte order)."""
    if not _has_room(known, dtype):
        return RAW, _native(dtype)
    element = _of_dtype(register, known, dtype)
    key = "array", element
    if key not in known:
        size = "size", _UINT64, 0, 0, 0, None
        data = "data", element, _LENGTH_INDEX, 0, 8, None
        known.setdefault(key, register(_DYNAMIC, 0, 0, [size, data]))
    return known[key], _native(dtype)


def of_counter(register, known, dtype):
    """How an ExtCounter is registered and packed: (id, bytes of a sample, fields as
    (offset, code) or None, whether it is a group, whether samples contain their
    time)."""
    if dtype.names is None:
        schema, fields = _of_dtype(register, known, dtype), [(dtype, 0)]
    else:
        schema = _of_group(register, known, dtype)
        fields = [dtype.fields[name][:2] for name in dtype.names]
    codes = [(offset, field.kind + str(field.itemsize)) for field, offset in fields]
    is_packed = all(field.isnative for field, _ in fields) and all(
        code in _PACKED for _, code in codes
    )
    has_time = any(_flags(field) & _TIMESTAMP for field, _ in fields)
    return (
        schema,
        dtype.itemsize,
        codes if is_packed else None,
        dtype.names is not None,
        has_time,
    )


def of_event(register, known, dtype, kind):
    """The id of a schema for whole events of an EventKind, with their times; with the
    kind None, that of a payload."""
    if kind is None:
        return _of_dtype(register, known, dtype)
    key = PayloadSchemaKey(dtype, schema_flags=kind.value)
    if key not in known:
        entries = [
            _flat_entry(register, known, name, *dtype.fields[name][:2])
            for name in dtype.names
        ]
        known.setdefault(key, register(_STATIC, kind.value, dtype.itemsize, entries))
    return known[key]


def counter_dtype(dtype):
    """(int, float or a dtype; the semantics attached to it) for a counter's dtype."""
    if dtype is int or dtype is float:
        return dtype, None
    try:
        import numpy
    except ImportError as error:
        raise RuntimeError(
            "counters other than int and float need NumPy, which cannot be imported"
        ) from error
    try:
        dtype = _native(numpy.dtype(dtype))
    except TypeError as error:
        raise TypeError(
            f"dtype must be int, float or a NumPy dtype: {error}"
        ) from error
    _check_counter(dtype)
    for plain in (int, float):
        if dtype == plain:
            return plain, metadata_of(dtype).counter_semantics
    return dtype, None


def _check_counter(dtype):
    if dtype.subdtype is not None:
        element = "a structured dtype" if dtype.subdtype[0].names else "numbers"
        raise TypeError(
            f"a counter's dtype must not be a fixed-size array of {element}, as {dtype} "
            "is: make a counter for each element"
        )
    for name in dtype.names or ():
        field = dtype.fields[name][0]
        if field.subdtype is not None:
            raise TypeError(
                f"in a counter group, array fields are not supported, as {name!r} of "
                f"{field}: make a field for each element"
            )
        if field.names is not None:
            raise TypeError(
                f"Nested counter groups are not supported, as the field {name!r} of "
                f"{field}: put its fields into the group"
            )
    for field in [dtype.fields[name][0] for name in dtype.names or ()] or [dtype]:
        if _element(field) is None:
            raise TypeError(f"a counter cannot be of dtype {field}")


def _of_dtype(register, known, dtype):
    """The id of a schema for one element of `dtype`, registered once."""
    key = PayloadSchemaKey(dtype)
    if key not in known:
        schema = register(_STATIC, 0, dtype.itemsize, _entries(register, known, dtype))
        known.setdefault(key, schema)
    return known[key]


def _of_group(register, known, dtype):
    """The id of a schema for a counter group."""
    key = PayloadSchemaKey(dtype, counter_group=True)
    if key not in known:
        entries = [
            _counter_entry(name, *dtype.fields[name][:2]) for name in dtype.names
        ]
        schema = register(_STATIC, _COUNTER_GROUP, dtype.itemsize, entries)
        known.setdefault(key, schema)
    return known[key]


def _entries(register, known, dtype):
    """The entries of a schema for one element of `dtype`."""
    if dtype.subdtype is not None:
        element = _of_dtype(register, known, dtype.subdtype[0])
        return [(None, element, _FIXED_SIZE, prod(dtype.shape), 0, None)]
    if dtype.names is not None:
        fields = [(name, *dtype.fields[name][:2]) for name in dtype.names]
        # To NVTX, an offset of 0 means "after the previous entry", except in the first.
        if any(offset == 0 for _, _, offset in fields[1:]):
            fields.sort(key=lambda field: field[2])
        return [
            (
                name,
                _of_dtype(register, known, field),
                _flags(field),
                0,
                offset,
                metadata_of(field).counter_semantics,
            )
            for name, field, offset in fields
            if field.itemsize
        ]
    if dtype.kind == "c":
        real = _NUMBERS.get(("f", dtype.itemsize // 2), _LONGDOUBLE)
        return [
            ("real", real, 0, 0, 0, None),
            ("imag", real, 0, 0, dtype.itemsize // 2, None),
        ]
    element = _element(dtype)
    if element is None:
        raise TypeError(f"a payload cannot be of dtype {dtype}")
    kind, flags, detail = element
    semantics = metadata_of(dtype).counter_semantics
    return [(dtype.name, kind, flags | _flags(dtype), detail, 0, semantics)]


def _counter_entry(name, field, offset):
    """The entry of a field of a counter group: a predefined type."""
    kind, flags, detail = _element(field)
    flags |= _flags(field)
    if not flags & _TIMESTAMP:
        flags |= _COUNTER
    return name, kind, flags, detail, offset, metadata_of(field).counter_semantics


def _flat_entry(register, known, name, field, offset):
    """The entry of a field of an event: of a predefined type if it can be."""
    inner = field.subdtype[0] if field.subdtype is not None else field
    element = _element(inner)
    if element is None or (inner is not field and element[1:] != (0, 0)):
        kind, flags, detail = _of_dtype(register, known, field), 0, 0
    elif inner is not field:
        kind, flags, detail = element[0], _FIXED_SIZE, prod(field.shape)
    else:
        kind, flags, detail = element
    semantics = metadata_of(field).counter_semantics
    return name, kind, flags | _flags(field), detail, offset, semantics


def _element(dtype):
    """(predefined type, flags, length) of a number or a text, else None."""
    entry_type = metadata_of(dtype).entry_type
    if entry_type is not None:
        return entry_type.value, 0, 0
    if dtype.kind == "U":
        return _UTF32, 0, dtype.itemsize // 4
    if dtype.kind in "SV" and dtype.names is None and dtype.subdtype is None:
        return _BYTE, _FIXED_SIZE, dtype.itemsize
    number = _NUMBERS.get((dtype.kind, dtype.itemsize))
    if number is None and dtype.kind == "f":
        number = _LONGDOUBLE
    return None if number is None else (number, 0, 0)


def _flags(dtype):
    entry_kind = metadata_of(dtype).entry_kind
    return 0 if entry_kind is None else entry_kind.value


def _has_room(known, dtype):
    """Whether the dtype may have its own schema. Raises if it cannot be sent at all."""
    if len(known) < MAX_SCHEMAS or PayloadSchemaKey(dtype) in known:
        return True
    _entries(lambda *schema: RAW, {}, dtype)
    return False


def _native(dtype):
    return dtype if dtype.isnative else dtype.newbyteorder("=")
