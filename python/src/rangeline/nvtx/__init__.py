# SPDX-License-Identifier: Apache-2.0
"""NVTX for Python: the API of NVIDIA's package `nvtx`, recorded by any NVTX tool.

Example:
    >>> from rangeline import nvtx
    >>> with nvtx.annotate("load", color="blue"):
    ...     pass
"""

from rangeline._native import (
    Counter,
    Domain,
    DummyDomain,
    EventAttributes,
    ExtCounter,
    Float64Counter,
    Int64Counter,
    RegisteredString,
    annotate,
    enabled,
    end_range,
    get_domain,
    mark,
    pop_range,
    push_range,
    set_enabled,
    start_range,
)
from rangeline.nvtx._annotate_all import (
    Annotations,
    annotate_class,
    annotate_module,
)
from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._dtype import numpy_dtype
from rangeline.nvtx._enums import (
    BatchOrdering,
    CounterInterpolation,
    CounterNoValueReason,
    CounterValueType,
    EntryKind,
    EventKind,
    PayloadEntryType,
    PredefinedScope,
    TimestampType,
)
from rangeline._profile import Profile
from rangeline.nvtx._warning import NvtxWarning

__all__ = [
    "Annotations",
    "BatchOrdering",
    "Counter",
    "CounterInterpolation",
    "CounterNoValueReason",
    "CounterSemantics",
    "CounterValueType",
    "Domain",
    "DummyDomain",
    "EntryKind",
    "EventAttributes",
    "EventKind",
    "ExtCounter",
    "Float64Counter",
    "Int64Counter",
    "NvtxWarning",
    "PayloadEntryType",
    "PredefinedScope",
    "Profile",
    "RegisteredString",
    "TimestampType",
    "annotate",
    "annotate_class",
    "annotate_module",
    "enabled",
    "end_range",
    "get_domain",
    "mark",
    "numpy_dtype",
    "pop_range",
    "push_range",
    "set_enabled",
    "start_range",
]

# No lazy imports by __getattr__ here: with one, Python looks up names such as nvtx.mark
# without its cache, which takes as long as recording the mark.

# `import nvtx` alone must give `nvtx.colors` and `nvtx._lib.lib` as attributes.
from rangeline.nvtx import _lib, colors, nvtx  # noqa: E402,F401
