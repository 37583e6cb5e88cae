# SPDX-License-Identifier: Apache-2.0
"""PyTorch: what is recorded of a training is what its own profiler has."""
import json
import pathlib
import sys
from collections import defaultdict
from statistics import median

from recorded import record, same
from run_cases import Skipped, case

CASES = []
HERE = pathlib.Path(__file__).resolve().parent

# Shorter kernels vary by more from run to run.
LONG_US = 20
MOST_PERCENT = 3

WINDOW_STEPS = 5  # of training.py


def training(*what):
    return [sys.executable, HERE / "training.py", *what]


def within(recording, message):
    """{name: [us, ...]} of the kernels that ran in the time of a range."""
    begin, end = recording.range(message)
    found = defaultdict(list)
    for kernel in recording.kernels():
        if begin <= kernel["t"] < end:
            found[kernel["name"]].append(kernel["duration"] / 1000)
    return dict(found)


def counts_of(kernels):
    return {name: len(times) for name, times in kernels.items()}


def equal_counts(run, name, ours, theirs):
    """Long lists are not printed: how many names differ is, and the first one."""
    different = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
    run.report(f"{name}: kernels", sum(theirs.values()))
    run.equal(f"{name}: names that differ", len(different), 0)
    for key in different[:1]:
        run.report(f"{key[:30]}...", f"{ours.get(key, 0)}, not {theirs.get(key, 0)}")


@case(CASES, "training", "torch", seconds=150)
def step(run):
    """kernels of training steps are those that torch.profiler has"""
    listed = run.folder / "kernels.json"
    run.execute(training("profiled", listed))
    theirs = json.loads(listed.read_text(encoding="utf-8"))
    if not theirs:
        raise Skipped("torch.profiler has no kernels here")
    recording = record(run, training("plain"), finds_cupti=True).recording
    ours = within(recording, "steps")
    equal_counts(run, "steps", counts_of(ours), counts_of(theirs))
    differences = {name: 100 * abs(median(ours[name]) / median(us) - 1)
                   for name, us in theirs.items() if name in ours and median(us) >= LONG_US}
    run.report(f"kernels of {LONG_US} us or more", len(differences))
    run.at_most("largest difference of medians", max(differences.values(), default=100),
                MOST_PERCENT, "%", digits=2)
    by_range = recording.kernels_by_range()
    for name in ("forward", "backward", "optimizer"):
        run.report(f"kernels in {name}", by_range[f":{name}"])


@case(CASES, "training-emit-nvtx", "torch", seconds=90)
def emit_nvtx(run):
    """with emit_nvtx, kernels of the backward pass are in its operators' ranges"""
    recording = record(run, training("emit"), finds_cupti=True).recording
    backward = sum(n for name, n in recording.kernels_by_range().items() if "Backward" in name)
    run.at_least("kernels in ranges *Backward*", backward, 1)


@case(CASES, "profiled-twice", "torch", seconds=120)
def profiled_twice(run):
    """torch.profiler has within a recorded program what it has in others"""
    recorded = same(run, training("twice"), finds_cupti=True)
    lists = [json.loads(line) for line in recorded.out.splitlines()]
    recorded.recording.complain()
    run.equal("lists", len(lists), 2)
    if not all(lists):
        raise Skipped("torch.profiler has no kernels here")
    for i, theirs in enumerate(lists):
        during = within(recorded.recording, f"profiled {i}")
        run.report(f"kernels during profile {i + 1}", sum(counts_of(during).values()))
        # Afterwards as many steps are made, and all of them is recorded here.
        ours = counts_of(within(recorded.recording, f"unprofiled {i}"))
        equal_counts(run, f"after profile {i + 1}", ours, theirs)


@case(CASES, "device-range", "torch")
def device_range(run):
    """PyTorch's device ranges enclose the kernels of their stream"""
    if b"True" not in run.execute(training("has-device-range")).out:
        raise Skipped(f"PyTorch {run.machine.torch} has no device ranges")
    recording = record(run, training("device-range"), finds_cupti=True).recording
    starts = [e["t"] for e in recording.all("start") if e.get("message") == "device"]
    ends = [e["t"] for e in recording.all("end")]
    run.equal("ranges", (len(starts), len(ends)), (1, 1))
    if starts and ends:
        inner = sum(starts[0] <= kernel["t"] and kernel["t"] + kernel["duration"] <= ends[0]
                    for kernel in recording.kernels())
        run.at_least("kernels in it", inner, 10)


@case(CASES, "training-window", "torch", seconds=90)
def window(run):
    """with -c cudaProfilerApi, ranges of torch.cuda.profiler's window alone are recorded"""
    recording = record(run, training("window"), finds_cupti=True,
                       options=["-c", "cudaProfilerApi"]).recording
    run.equal("steps in the window", sum(e.get("message") == "forward"
                                         for e in recording.all("push")), WINDOW_STEPS)


@case(CASES, "training-ops", "torch", seconds=120)
def ops(run):
    """with --pytorch=ops, kernels of the backward pass are in its operators' ranges"""
    if run.execute([sys.executable, "-c", "import rangeline.torch"], ok=False).code:
        raise Skipped("the package rangeline is not installed")
    recorded = record(run, training("plain"), finds_cupti=True, options=["--pytorch=ops"])
    by_range = recorded.recording.kernels_by_range()
    run.equal("errors", recorded.err.decode(), "")
    run.at_least("kernels in ranges *Backward*",
                 sum(n for name, n in by_range.items() if "Backward" in name), 1)
