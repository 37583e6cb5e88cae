# SPDX-License-Identifier: Apache-2.0
"""The import path of what NVIDIA's package has in C, `nvtx._lib`."""

from rangeline.nvtx._lib.lib import (
    BatchOrdering,
    Domain,
    DummyDomain,
    EntryKind,
    EventAttributes,
    EventKind,
    NvtxWarning,
    PayloadEntryType,
    PredefinedScope,
    RegisteredString,
    dummy_domain,
    end_range,
    mark,
    pop_range,
    push_range,
    start_range,
)

__all__ = [
    "BatchOrdering",
    "Domain",
    "DummyDomain",
    "EntryKind",
    "EventAttributes",
    "EventKind",
    "NvtxWarning",
    "PayloadEntryType",
    "PredefinedScope",
    "RegisteredString",
    "dummy_domain",
    "end_range",
    "mark",
    "pop_range",
    "push_range",
    "start_range",
]

# Found as attributes, too, as in the original.
from rangeline.nvtx._lib import counters, lib, time  # noqa: E402,F401
