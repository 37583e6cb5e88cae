#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast does rangeline.open() pass ranges to pandas and other libraries?

Needs `rangeline` in PYTHONPATH, its command in PATH, and pyarrow and pandas. First
records its own program. Prints cases and samples as bench/bench.h explains, in ns per
range.

    copied in memory      the columns' bytes, copied once: the speed of memory
    handed over           the finished batches, to pyarrow and back: nothing is copied, so
                          at most a quarter of a copy
    exported to CSV       by the command, into memory, as users without Arrow do
    to Arrow              decoded from the trace into Arrow's columns: at most as long as
                          the export
    to pandas             decoded, and texts as categories: at most 1.5 times that
    as named tuples       iterating a table without any library
"""
import itertools
import os
import subprocess
import sys
import tempfile
import time

import pyarrow

import rangeline

PROGRAM = """
import sys, rangeline.nvtx as nvtx
domain = nvtx.get_domain("bench")
names = [domain.get_event_attributes(f"range {i}") for i in range(50)]
for i in range(int(sys.argv[1])):
    domain.push_range(names[i % 50])
    domain.pop_range()
"""


def recorded(folder, n_ranges):
    path = os.path.join(folder, "bench.rln")
    subprocess.run(["rangeline", "profile", "-o", path, sys.executable, "-c", PROGRAM,
                    str(n_ranges)], check=True, stderr=subprocess.DEVNULL)
    return path


def copy(batches):
    for batch in batches:
        for column in batch.columns:
            for buffer in column.buffers():
                if buffer is not None:
                    bytes(memoryview(buffer))


def exported(trace):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        subprocess.run(["rangeline", "export", "-q", "-t", "csv", "-o",
                        os.path.join(folder, "out"), trace], check=True)


def named_tuples(table, n):
    for row in itertools.islice(table, n):
        pass


def cases_of(trace, n_ranges):
    """{case: (function, number of ranges, reference, budget)}"""
    table = rangeline.open(trace).ranges()
    batches = table.to_arrow().to_batches()
    schema = batches[0].schema

    def hand_over():
        pyarrow.RecordBatchReader.from_stream(
            pyarrow.RecordBatchReader.from_batches(schema, batches)).read_all()

    few = n_ranges // 20
    return {
        "copied in memory": (lambda: copy(batches), n_ranges, "-", 0),
        "handed over": (hand_over, n_ranges, "copied in memory", 0.25),
        "exported to CSV": (lambda: exported(trace), n_ranges, "-", 0),
        "to Arrow": (table.to_arrow, n_ranges, "exported to CSV", 1),
        "to pandas": (table.to_pandas, n_ranges, "to Arrow", 1.5),
        "as named tuples": (lambda: named_tuples(table, few), few, "to Arrow", 0),
    }


def main():
    is_smoke = os.environ.get("RANGELINE_BENCH") == "smoke"
    n_ranges = 10_000 if is_smoke else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        cases = cases_of(recorded(folder, n_ranges), n_ranges)
        for _ in range(1 if is_smoke else 9):
            for name, (case, n, reference, budget) in cases.items():
                begin = time.perf_counter_ns()
                case()
                ns = (time.perf_counter_ns() - begin) / n
                against = reference if reference == "-" else f"a range, {reference}"
                print(f"case\ta range, {name}\tns\t{against}\t{budget}")
                print(f"sample\ta range, {name}\t{ns:.6g}")


if __name__ == "__main__":
    main()
