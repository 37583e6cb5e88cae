# SPDX-License-Identifier: Apache-2.0
"""Which iteration was slow, and what in it?"""

import sys
from statistics import median

import rangeline

trace = rangeline.open(sys.argv[1])
ranges = [part for part in trace.ranges() if part.end is not None]  # not those left open
steps = [part for part in ranges if part.name == "step"]

# %% The slowest of them, beside the usual one
usual = median(step.duration for step in steps)
slowest = max(steps, key=lambda step: step.duration)
print(f"step {slowest.payload_int} took {slowest.duration / usual:.1f} times the median")

# %% What ran inside it
inside = [
    part
    for part in ranges
    if part.tid == slowest.tid and part.name != "step"
    and slowest.start <= part.start and part.end <= slowest.end
]
for part in sorted(inside, key=lambda part: -part.duration):
    print(f"  {part.name}: {100 * part.duration / slowest.duration:.0f} % of it")
