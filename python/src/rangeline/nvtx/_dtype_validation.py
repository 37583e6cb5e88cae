# SPDX-License-Identifier: Apache-2.0
"""Checks that a field has the type and size to hold a time, a color or an id."""

import struct

from rangeline.nvtx._enums import EntryKind, PayloadEntryType

_TIMES = (
    EntryKind.RANGE_BEGIN,
    EntryKind.RANGE_END,
    EntryKind.MARK,
    EntryKind.COUNTER_TIMESTAMP,
)

# (NumPy kinds, bytes, name in messages)
_STORAGE = {
    **dict.fromkeys(_TIMES, ("iu", 8, "64-bit integer storage")),
    PayloadEntryType.RANGE_ID: ("u", 8, "native uint64 storage"),
    PayloadEntryType.CATEGORY: ("u", 4, "native uint32 storage"),
    PayloadEntryType.COLOR_ARGB: ("u", 4, "native uint32 storage"),
    PayloadEntryType.SCOPE_ID: ("u", 8, "native uint64 storage"),
    PayloadEntryType.REGISTERED_STRING: (
        "u",
        struct.calcsize("P"),
        "native pointer-sized unsigned integer storage",
    ),
}


def _validate_entry_storage(dtype, entry):
    """Raises TypeError if a field of `dtype` cannot be an `entry`."""
    if entry not in _STORAGE:
        return
    kinds, itemsize, description = _STORAGE[entry]
    is_time = entry in _TIMES
    if (
        dtype.kind not in kinds
        or dtype.itemsize != itemsize
        or not (dtype.isnative or is_time)
    ):
        raise TypeError(
            f"{type(entry).__name__}.{entry.name} requires {description}; "
            f"got dtype {dtype}"
        )
