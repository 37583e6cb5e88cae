# SPDX-License-Identifier: Apache-2.0
"""The import path of counters in NVIDIA's package."""

from rangeline._native import (
    Counter,
    DummyCounter,
    ExtCounter,
    Float64Counter,
    Int64Counter,
    dummy_counter,
)
from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._enums import (
    CounterInterpolation,
    CounterNoValueReason,
    CounterValueType,
)

__all__ = [
    "Counter",
    "CounterInterpolation",
    "CounterNoValueReason",
    "CounterSemantics",
    "CounterValueType",
    "DummyCounter",
    "ExtCounter",
    "Float64Counter",
    "Int64Counter",
    "dummy_counter",
]
