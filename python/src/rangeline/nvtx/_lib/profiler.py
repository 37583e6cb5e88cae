# SPDX-License-Identifier: Apache-2.0
"""The import path of Profile in NVIDIA's package, `nvtx._lib.profiler`."""

from rangeline._profile import Profile

__all__ = ["Profile"]
