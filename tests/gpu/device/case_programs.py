# SPDX-License-Identifier: Apache-2.0
"""Libraries that annotate what they do: their ranges and their kernels are recorded."""
import pathlib
import sys

from recorded import same
from run_cases import Skipped, case, last_line

CASES = []
HERE = pathlib.Path(__file__).resolve().parent

LIBRARY_STEPS = 10  # of library_work.py
# Threads that call CUDA within their first 10 ms may be unknown, and JAX starts some.
MOST_UNKNOWN = 10


def record_library(run, name, most_lost=0):
    """Records library_work.py with a library, if there is such a library. Returns the
    recording and {range: kernels}."""
    recorded = same(run, [sys.executable, HERE / "library_work.py", name], finds_cupti=True)
    if recorded.code:
        raise Skipped(f"unrecorded, too: {last_line(recorded.err)}")
    recording = recorded.recording
    by_range = recording.kernels_by_range()
    run.at_most("GPU work lost", recording.info().get("gpu_lost", 0), most_lost, digits=0)
    run.report("kernels", len(recording.kernels()))
    for range_name, n in by_range.most_common(5):
        run.report(f"kernels in {range_name}"[:32], n)
    return recording, by_range


@case(CASES, "nccl", "torch", seconds=90)
def nccl(run):
    """NCCL's ranges are recorded, with their payloads"""
    recording, _ = record_library(run, "nccl")
    reduces = [e for e in recording.all("push") if e.get("message") == "ncclAllReduce"]
    run.at_least("calls of ncclAllReduce", len(reduces), 10)
    run.equal("of them with a payload", sum(bool(e.get("payloads")) for e in reduces),
              len(reduces))


@case(CASES, "cupy", seconds=60)
def cupy(run):
    """CuPy's time_range has the kernels that are launched in it"""
    by_range = record_library(run, "cupy")[1]
    run.at_least("kernels in time_range", by_range[":time_range"], 1)


@case(CASES, "jax", seconds=90)
def jax(run):
    """JAX's kernels are recorded, until its profiler takes CUPTI"""
    recording, by_range = record_library(run, "jax", MOST_UNKNOWN)
    run.at_least("kernels", len(recording.kernels()), LIBRARY_STEPS)
    run.at_least("kernels in XLA's ranges",
                 sum(n for name, n in by_range.items() if name.startswith("TSL:")),
                 LIBRARY_STEPS)


@case(CASES, "triton", "torch", seconds=90)
def triton(run):
    """Triton's kernels are recorded"""
    recording, by_range = record_library(run, "triton")
    run.at_least("kernels in the range", by_range[":launches"], LIBRARY_STEPS)
    run.equal("kernels add_one", sum(k["name"] == "add_one" for k in recording.kernels()),
              LIBRARY_STEPS)
