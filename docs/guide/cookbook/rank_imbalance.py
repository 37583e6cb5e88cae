# SPDX-License-Identifier: Apache-2.0
"""Which rank do the others wait for?"""

import sys

import rangeline

# %% Time in steps, per rank
totals = {
    path: sum(step.duration or 0 for step in rangeline.open(path).ranges(name="step"))
    for path in sys.argv[1:]
}
mean = sum(totals.values()) / len(totals)
for path, total in totals.items():
    print(f"{path}: {total / 1e6:.1f} ms, {100 * (total / mean - 1):+.0f} %")

# %% What the others lose to the slowest
slowest = max(totals, key=totals.get)
print(f"slowest: {slowest}, imbalance {totals[slowest] / mean:.2f}")
