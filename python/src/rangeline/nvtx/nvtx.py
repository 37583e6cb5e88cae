# SPDX-License-Identifier: Apache-2.0
"""The import path of the functions in NVIDIA's package, `nvtx.nvtx`."""

from rangeline._native import dummy_domain
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
from rangeline.nvtx._metadata import NVTX_DTYPE_METADATA_KEY_NAME

# Everything that an event's payload may be: NumPy makes an array of most objects.
PayloadTypeAlias = object

__all__ = [
    "Domain",
    "DummyDomain",
    "NVTX_DTYPE_METADATA_KEY_NAME",
    "PayloadTypeAlias",
    "annotate",
    "dummy_domain",
    "enabled",
    "end_range",
    "get_domain",
    "mark",
    "numpy_dtype",
    "pop_range",
    "push_range",
    "start_range",
]
