# SPDX-License-Identifier: Apache-2.0
"""What was the queue's level while a step ran?"""

import bisect
import sys

import rangeline

trace = rangeline.open(sys.argv[1])

# %% The last level sampled before each step
samples = list(trace.counters(name="queue"))
times = [sample.time for sample in samples]
for step in trace.ranges(name="step"):
    at = bisect.bisect_right(times, step.start)
    level = samples[at - 1].value_int if at else "an unknown number"
    print(f"step {step.payload_int}: {level} in the queue")
