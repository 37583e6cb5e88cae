# SPDX-License-Identifier: Apache-2.0
"""The import path of the functions in NVIDIA's package, `nvtx.nvtx`."""

from rangeline.nvtx import (
    Domain,
    DummyDomain,
    annotate,
    enabled,
    end_range,
    get_domain,
    mark,
    numpy_dtype,
    pop_range,
    push_range,
    start_range,
)

__all__ = [
    "Domain",
    "DummyDomain",
    "annotate",
    "enabled",
    "end_range",
    "get_domain",
    "mark",
    "numpy_dtype",
    "pop_range",
    "push_range",
    "start_range",
]
