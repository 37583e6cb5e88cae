# SPDX-License-Identifier: Apache-2.0
"""The import path of the C part of NVIDIA's package, `nvtx._lib`."""

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

# Importing the package makes these attributes, as in the original.
from rangeline.nvtx._lib import counters, lib, profiler, time  # noqa: E402,F401
