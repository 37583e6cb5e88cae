#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analyze_output_runs.py KIND OUTPUT... - writes runs for tests of what `analyze` prints."""

import sys

from analyze_runs import Run

MS = 1_000_000


def hostile(path):
    """Names that act on a terminal, or mean something to a shell."""
    run, name, t = Run(path), "st\x1b[31mep\n'\"`$(id),|\u202e\a", MS
    for i in range(240):
        ns = MS * (9 if i in (33, 170, 171) else 1)
        run.add(name, t, t + ns)
        t += ns
    run.close()


def main():
    {"hostile": hostile}[sys.argv[1]](*sys.argv[2:])


main()
