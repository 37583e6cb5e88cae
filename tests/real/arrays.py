#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""arrays.py - makes payloads from NumPy arrays, counters, groups of them, and samples
with earlier times, with NVIDIA's Python package `nvtx`."""

import numpy as np
import nvtx

RECORD = np.dtype([("n", "i4"), ("x", "f8")])

domain = nvtx.get_domain("python")
for message, payload in (
    ("struct", np.array((7, 2.5), dtype=RECORD)),
    ("structs", np.array([(1, 1.5), (2, 2.5)], dtype=RECORD)),
    ("vector", np.arange(3, dtype="f4")),
    ("matrix", np.arange(6, dtype="i8").reshape(2, 3)),
    ("number", 5),
    ("text", "words"),
):
    nvtx.mark(message, domain="python", payload=payload)

requests = domain.get_counter(
    "requests", "i8", description="open ones",
    semantics=nvtx.CounterSemantics(unit="requests"))
requests.sample(3)
requests.sample_no_value(nvtx.CounterNoValueReason.UNCHANGED)
disk = domain.get_counter("disk", np.dtype([("read", "i8"), ("busy", "f8")]))
disk.sample((10, 0.5))
load = domain.get_counter("load", float)
load.sample(0.25)
now = domain.get_timestamp()
requests.batch_submit(
    np.array([5, 6], dtype="i8"),
    timestamps=np.array([now - 9_000_000_000, now - 8_000_000_000], dtype="i8"))
