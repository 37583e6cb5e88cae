# SPDX-License-Identifier: Apache-2.0
"""The import path of clocks in NVIDIA's package."""

from rangeline.nvtx._enums import TimestampType

__all__ = ["TimestampType"]
