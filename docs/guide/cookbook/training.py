# SPDX-License-Identifier: Apache-2.0
"""training.py [SLOWER] - a typical program: it loads, computes and sometimes stalls.

SLOWER is how many times longer the computation takes; 1 if it is left out.
"""

import sys
import time

import rangeline.nvtx as nvtx

slower = float(sys.argv[1]) if len(sys.argv) > 1 else 1
queue = nvtx.get_domain("loader").get_counter("queue", int)

for step in range(20):
    with nvtx.annotate("load", domain="loader"):
        queue.sample(20 - step)
        time.sleep(0.004 if step % 7 == 3 else 0.0005)
    with nvtx.annotate("step", payload=step):
        with nvtx.annotate("forward"):
            time.sleep(0.001 * slower)
        with nvtx.annotate("backward"):
            time.sleep(0.010 if step == 13 else 0.001 * slower)
