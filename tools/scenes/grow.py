# SPDX-License-Identifier: Apache-2.0
"""grow.py - works, to be watched, until its standard input ends."""

import random
import select
import sys
import time

from rangeline import nvtx

chance = random.Random(1)
for number in range(100000):
    with nvtx.annotate(f"request {number}", color="blue"):
        for name in "parse", "query", "render":
            with nvtx.annotate(name):
                time.sleep(chance.uniform(0.001, 0.01))
    if select.select([sys.stdin], [], [], 0.003)[0]:
        break
