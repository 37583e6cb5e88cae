# SPDX-License-Identifier: Apache-2.0
"""How long did the program wait for its data?"""

import sys

import rangeline

trace = rangeline.open(sys.argv[1])

# %% Time from the end of one step to the start of the next
steps = [step for step in trace.ranges(name="step") if step.end is not None]
steps.sort(key=lambda step: step.start)
waits = [after.start - before.end for before, after in zip(steps, steps[1:])]
whole = steps[-1].end - steps[0].start
print(f"waiting: {100 * sum(waits) / whole:.0f} % of the time")

# %% Stalls are what took three times as long as usual
usual = sorted(waits)[len(waits) // 2]
for step, wait in zip(steps[1:], waits):
    if wait > 3 * usual:
        print(f"stall of {wait / 1e6:.1f} ms before step {step.payload_int}")
