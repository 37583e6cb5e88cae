# SPDX-License-Identifier: Apache-2.0
"""What does an annotation in Python cost, compared with NVIDIA's package and the least
that an extension can do?

    rows.py MODE       recording | no tool | disabled: what the environment is set for

One process loads all three packages, and each round runs every row of each, one after
the other, so that a slow moment of the machine affects all alike. Prints cases and
samples as bench/bench.h explains. Times include the loop around the statement.
"""
import itertools
import os
import sys
import time

import least
import nvtx as nvidia

import rangeline.nvtx as ours

SAMPLES_A_BATCH = 1000
BATCHES = ("Counter.batch_submit, of an array", "Counter.batch_submit, of a list",
           "Counter.batch_submit, of tuples")  # their times are per sample

# (row, statement and setup for ours and NVIDIA's, statement for the least, how many
# times faster than NVIDIA's ours must be while recording, how many times as long as the
# least it may take; 0: not judged)
ROWS = [
    ("with a new annotate", "with nvtx.annotate('m'): pass", "",
     "with least.annotate('m'): pass", 3, 1.25),
    ("with annotate, prepared", "with a: pass", "a = nvtx.annotate('m')",
     "with a: pass", 1.9, 1.25),
    ("decorated function", "f()", "f = nvtx.annotate('m')(plain)", "f()", 2.2, 1.25),
    ("push_range, pop_range", "nvtx.push_range('m'); nvtx.pop_range()", "",
     "least.push_range('m'); least.pop_range()", 3, 1.25),
    ("start_range, end_range", "nvtx.end_range(nvtx.start_range('m'))", "",
     "least.end_range(least.start_range('m'))", 0, 1.25),
    ("mark", "nvtx.mark('m')", "", "least.mark('m')", 4, 1.25),
    ("Domain.push_range, pop_range", "d.push_range(a); d.pop_range()",
     "d = nvtx.get_domain('d'); a = d.get_event_attributes('m')",
     "least.push_made(a); least.pop_range()", 1.45, 1.25),
    ("Domain.start_range, end_range", "d.end_range(d.start_range(a))",
     "d = nvtx.get_domain('d'); a = d.get_event_attributes('m')",
     "least.end_made(least.start_made(a))", 0, 1.25),
    ("Domain.mark", "d.mark(a)",
     "d = nvtx.get_domain('d'); a = d.get_event_attributes('m')",
     "least.mark_made(a)", 0, 1.25),
    ("Counter.sample, int", "c.sample(7)",
     "c = nvtx.get_domain('d').get_counter('c', int)", "least.sample(7)", 0, 1.25),
    ("Counter.sample, float", "c.sample(0.5)",
     "c = nvtx.get_domain('d').get_counter('x', float)",
     "least.sample_float(0.5)", 0, 1.25),
    ("Counter.sample, group from a tuple", "c.sample((1, 2.5, 3))",
     "c = nvtx.get_domain('d').get_counter('g', group.dtype)",
     "least.sample_tuple((1, 2.5, 3))", 0, 1.25),
    ("Counter.sample, group from an array", "c.sample(group)",
     "c = nvtx.get_domain('d').get_counter('g', group.dtype)",
     "least.sample_array(group)", 0, 1.25),
    (BATCHES[0], "c.batch_submit(values, times)",
     "c = nvtx.get_domain('d').get_counter('c', int)",
     "least.batch_submit(values, times)", 0, 1.25),
    (BATCHES[1], "c.batch_submit(value_list, time_list)",
     "c = nvtx.get_domain('d').get_counter('c', int)",
     "least.batch_ints(value_list, time_list)", 0, 1.25),
    (BATCHES[2], "c.batch_submit(row_list, time_list)",
     "c = nvtx.get_domain('d').get_counter('g', group.dtype)",
     "least.batch_rows(row_list, time_list)", 0, 1.25),
]

LEAST_SETUP = "a = least.annotate('m'); f = least.annotate('m')(plain)"


def plain():
    """The function that is decorated."""


def arrays():
    """Arguments for counters: a row of three numbers, and a thousand samples."""
    import numpy
    values = numpy.arange(SAMPLES_A_BATCH, dtype="i8")
    return {"group": numpy.zeros((), [("a", "i8"), ("b", "f8"), ("c", "i8")]),
            "values": values, "times": values + 1, "value_list": values.tolist(),
            "time_list": (values + 1).tolist(),
            "row_list": [(n, 0.5, n) for n in range(SAMPLES_A_BATCH)]}


def loop_of(statement, setup, package):
    """A function of n that runs the statement n times."""
    names = {"nvtx": package, "least": least, "plain": plain, "repeat": itertools.repeat,
             **arrays()}
    exec(f"{setup}\ndef loop(n):\n    for _ in repeat(None, n):\n        {statement}\n",
         names)
    return names["loop"]


def generator_loop(statement, package):
    """The same in a generator, whose frame runs the whole loop."""
    names = {"nvtx": package, "least": least, "repeat": itertools.repeat,
             "a": package.annotate("m")}
    exec(f"def inside(n):\n    for _ in repeat(None, n):\n        {statement}\n"
         "    yield\ndef loop(n):\n    next(inside(n))\n", names)
    return names["loop"]


def profiled(package):
    """Calls under automatic annotation, minus their cost without it."""
    calls = loop_of("plain()", "", package)
    profile = package.Profile(annotate_cfuncs=False)

    def loop(n):
        profile.enable()
        calls(n)
        profile.disable()
    return loop


class Cases:
    """Declares each case once, and prints its samples."""

    def __init__(self, mode, n):
        self.mode, self.n, self.declared = mode, n, set()

    def name(self, what):
        return f"{self.mode}: {what}"

    def sample(self, what, value, reference=None, budget=0):
        name = self.name(what)
        if name not in self.declared:
            self.declared.add(name)
            against = self.name(reference) if reference else "-"
            print(f"case\t{name}\tns\t{against}\t{budget:.3f}")
        print(f"sample\t{name}\t{value:.6g}")

    def time(self, loop, divisor=1):
        n = self.n // divisor + 1
        begin = time.perf_counter_ns()
        loop(n)
        return (time.perf_counter_ns() - begin) / n


def judged_rows(cases, rows, turn):
    """Times each row of all packages. The order changes with `turn`, so that no package
    always follows the one that evicts most from the caches."""
    for what, loops, faster, dearer in rows:
        per = SAMPLES_A_BATCH if what in BATCHES else 1
        order = [*loops][turn % 3:] + [*loops][:turn % 3]
        took = {who: cases.time(loops[who], per) / per for who in order}
        cases.sample(f"{what}, the least", took["least"])
        cases.sample(f"{what}, NVIDIA's", took["nvidia"])
        limit = {"recording": dearer, "no tool": dearer and 1.2}.get(cases.mode, 0)
        cases.sample(what, took["ours"], f"{what}, the least", limit)
        if faster and cases.mode == "recording":
            cases.sample(f"{what}, of NVIDIA's", took["ours"], f"{what}, NVIDIA's",
                         1 / faster)


def other_rows(cases, loops):
    if cases.mode == "no tool":
        call = cases.time(loops["plain"])
        cases.sample("plain call", call)
        cases.sample("decorated function, beyond a plain call",
                     cases.time(loops["decorated"]) - call, None, 10)
    if cases.mode == "recording":
        cases.sample("with, in a function", cases.time(loops["with"]))
        cases.sample("with, in a generator", cases.time(loops["inside"]),
                     "with, in a function", 1.4)
        calls = cases.time(loops["plain"])
        theirs = cases.time(loops["their profile"], 10) - calls
        cases.sample("a call under Profile, NVIDIA's", theirs)
        cases.sample("a call under Profile", cases.time(loops["our profile"]) - calls,
                     "a call under Profile, NVIDIA's", 1 / 5)


def main(mode):
    is_smoke = os.environ.get("RANGELINE_BENCH") == "smoke"
    cases = Cases(mode, 1000 if is_smoke else 50_000)
    rows = [(what, {"ours": loop_of(statement, setup, ours),
                    "nvidia": loop_of(statement, setup, nvidia),
                    "least": loop_of(minimum, LEAST_SETUP, ours)}, faster, dearer)
            for what, statement, setup, minimum, faster, dearer in ROWS
            if mode != "disabled" or "Domain" not in what and "Counter" not in what]
    loops = {"plain": loop_of("plain()", "", ours),
             "decorated": loop_of("f()", "f = nvtx.annotate('m')(plain)", ours),
             "with": loop_of("with a: pass", "a = nvtx.annotate('m')", ours),
             "inside": generator_loop("with a: pass", ours),
             "our profile": profiled(ours), "their profile": profiled(nvidia)}
    for turn in range(2 if is_smoke else 9):
        judged_rows(cases, rows, turn)
        other_rows(cases, loops)


if __name__ == "__main__":
    main(sys.argv[1])
