# SPDX-License-Identifier: Apache-2.0
"""numpy_dtype() makes NumPy dtypes that say what their fields are to NVTX."""

from __future__ import annotations

import warnings

from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._dtype_validation import _validate_entry_storage
from rangeline.nvtx._enums import EntryKind, PayloadEntryType
from rangeline.nvtx._metadata import NVTX_DTYPE_METADATA_KEY_NAME, _PayloadMetadata
from rangeline.nvtx._warning import NvtxWarning

TYPE_CHECKING = False  # type checkers know this name; avoids importing typing
if TYPE_CHECKING:
    from typing import Any

    import numpy

__all__ = ["numpy_dtype"]


def numpy_dtype(
    *args: Any,
    counter_semantics: CounterSemantics | None = None,
    entry_kind: EntryKind | None = None,
    entry_type: PayloadEntryType | None = None,
    **kwargs: Any,
) -> numpy.dtype[Any]:
    """Makes a NumPy dtype, as `numpy.dtype` does, for fields of payloads and counters.

    `counter_semantics` says what the values of a counter group's field mean,
    `entry_kind` what part the field plays, `entry_type` what its number stands for. A
    single counter takes its semantics from `Domain.get_counter` instead.

    Raises RuntimeError without NumPy, and TypeError if one of the three has the wrong
    type or does not fit the dtype's storage. A dtype that already carries them is
    returned unchanged, with an `NvtxWarning`.

    >>> from rangeline import nvtx
    >>> percent = nvtx.numpy_dtype(
    ...     "f4", counter_semantics=nvtx.CounterSemantics(unit="%", min=0.0, max=100.0))
    >>> host = nvtx.numpy_dtype([("load", percent), ("processes", "i4")])
    >>> nvtx.get_domain("host").get_counter("host", host).sample((12.5, 180))
    """
    try:
        import numpy
    except ImportError as error:
        raise RuntimeError(
            "numpy_dtype() needs NumPy, which cannot be imported"
        ) from error
    given = {
        "counter_semantics": (counter_semantics, CounterSemantics),
        "entry_kind": (entry_kind, EntryKind),
        "entry_type": (entry_type, PayloadEntryType),
    }
    for name, (value, expected) in given.items():
        if value is not None and not isinstance(value, expected):
            raise TypeError(
                f"{name} must be {expected.__name__} or None, "
                f"not {type(value).__name__}"
            )

    dtype = numpy.dtype(*args, **kwargs)
    _validate_entry_storage(dtype, entry_kind)
    _validate_entry_storage(dtype, entry_type)
    if all(value is None for value, _ in given.values()):
        return dtype
    if NVTX_DTYPE_METADATA_KEY_NAME in (dtype.metadata or {}):
        warnings.warn(
            "the dtype has NVTX metadata already, which stay as they are",
            NvtxWarning,
            stacklevel=2,
        )
        return dtype
    attached = _PayloadMetadata(counter_semantics, entry_kind, entry_type)
    return numpy.dtype(
        dtype,
        metadata={**(dtype.metadata or {}), NVTX_DTYPE_METADATA_KEY_NAME: attached},
    )
