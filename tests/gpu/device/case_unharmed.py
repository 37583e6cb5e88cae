# SPDX-License-Identifier: Apache-2.0
"""Programs in trouble: recorded or not, they print and return the same."""
import pathlib
import sys

from recorded import record_unharmed, same
from run_cases import Failed, case

CASES = []
HERE = pathlib.Path(__file__).resolve().parent

# Records are handed over once per second, and that takes a while.
LOST_SECONDS = 1.5
KILLED = 128 + 9


@case(CASES, "two-processes", "program", "cupti")
def two_processes(run):
    """two processes that use the GPU at once are both recorded"""
    recording = same(run, ["sh", "-c", '"$0" add & "$0" add & wait',
                           run.machine.program]).recording
    recording.complain()
    run.equal("kernels", len(recording.kernels()), 2)
    run.equal("processes", len({kernel["pid"] for kernel in recording.kernels()}), 2)


@case(CASES, "killed", "program", "cupti")
def killed(run):
    """a killed program has lost little work"""
    recorded = record_unharmed(run, [run.machine.program, "killed"])
    run.equal("status", recorded.code, KILLED)
    launched = list(map(int, recorded.out.split()))  # the time after each
    kernels = recorded.recording.kernels()
    if not kernels or not launched:
        raise Failed(f"{len(launched)} kernels were launched, {len(kernels)} recorded")
    last = kernels[-1]["end"]
    run.at_most("lost", (launched[-1] - last) / 1e9, LOST_SECONDS, "s")
    # Up to there all are recorded. CUPTI's clock may be a little off.
    until = sum(t <= last + 100000 for t in launched)
    run.at_most("missing before", abs(len(kernels) - until), 1, digits=0)


@case(CASES, "no-device", "program", "cupti")
def no_device(run):
    """a program that is shown no GPU fails as it does unrecorded"""
    recorded = same(run, [run.machine.program, "add"], CUDA_VISIBLE_DEVICES="")
    run.report("status", recorded.code)


@case(CASES, "out-of-memory", "program", "cupti")
def out_of_memory(run):
    """a program that takes all of the GPU's memory goes on"""
    recorded = same(run, [run.machine.program, "exhausted"])
    run.equal("kernels", len(recorded.recording.kernels()), 102)


@case(CASES, "forked", "program", "cupti")
def forked(run):
    """a child after fork() ends as it does unrecorded"""
    recording = same(run, [run.machine.program, "forked"]).recording
    recording.complain()
    run.equal("kernels", len(recording.kernels()), 2)


def loader(run, method):
    program = [sys.executable, HERE / "loading_workers.py", method]
    recording = same(run, program, finds_cupti=True).recording
    recording.complain()
    run.report("kernels", len(recording.kernels()))
    run.at_least("kernels in ranges", recording.kernels_by_range()[":batch"], 1)


@case(CASES, "loader-fork", "torch", seconds=90)
def loader_fork(run):
    """PyTorch's DataLoader with forked workers"""
    loader(run, "fork")


@case(CASES, "loader-spawn", "torch", seconds=90)
def loader_spawn(run):
    """PyTorch's DataLoader with spawned workers"""
    loader(run, "spawn")
