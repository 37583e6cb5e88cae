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


def pools(path):
    """In two processes, each of two pools has a thread with more work."""
    run = Run(path)
    for pid, pool, slow in ((100, "io", 3), (100, "cpu", 2), (200, "io", 2), (200, "cpu", 2.5)):
        for k in range(3):
            tid, t = pid + k + (10 if pool == "io" else 0), MS
            run.name_thread(tid, f"{pool}-{k}", pid)
            for _ in range(50):
                ns = MS * (slow if k == 1 else 1)
                run.add("work", t, t + ns, tid, pid)
                t += ns
    run.close()


def ranks(pid, path):
    """Of four processes from that pid on, the third is slow."""
    run = Run(path)
    for k in range(4):
        t = MS
        for _ in range(100):
            ns = MS * (1.5 if k == 2 else 1)
            run.add("step", t, t + ns, int(pid) + k, int(pid) + k)
            t += ns
    run.close()


def recursive(path):
    """1,000 calls each in the one before, 30 times."""
    run, t = Run(path), MS
    for _ in range(30):
        for level in range(1000):
            run.add("rec", t + level, t + 10_000 - level)
        t += 20_000
    run.close()


def leaks(path):
    """20,000 names, each never closed in itself; one is long."""
    run = Run(path)
    for k in range(20_000):
        name = "solve<" + "double, " * 40 + "4>" if k == 0 else f"range {k}"
        run.add(name, MS + 10 * k, None, 100 + k % 50)
        run.add(name, MS + 10 * k + 1, None, 100 + k % 50)
    run.add("end", 9 * MS, 10 * MS)
    run.close()


def main():
    kinds = {each.__name__: each for each in (hostile, pools, ranks, recursive, leaks)}
    kinds[sys.argv[1]](*sys.argv[2:])


main()
