# SPDX-License-Identifier: Apache-2.0
"""Did the change make it faster?"""

import sys

import rangeline

before, after = sys.argv[1:]

# %% All ranges that differ by more than noise
for row in rangeline.open(before).diff(after):
    if row["Verdict"] in ("slower", "faster"):
        print(f"{row['Range']}: {row['Verdict']}, median {row['Change (%)']:+.0f} %")
