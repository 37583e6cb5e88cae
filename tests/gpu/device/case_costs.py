# SPDX-License-Identifier: Apache-2.0
"""What recording costs a program: time per launch, time at the start, the GPU's memory.

Each is measured unrecorded, recorded, and with CUPTI alone (cupti_alone.c), in turn, so
that what changes over time hits all three. Only the whole has limits; CUPTI's share says
how much of it rangeline could save at most.
"""
import pathlib
from collections import namedtuple
from statistics import median

from recorded import record, recording_command
from run_cases import Skipped, case

CASES = []
HERE = pathlib.Path(__file__).resolve().parent

ROUNDS = 10
LAUNCHES = 200000  # two seconds
# A program that computes between its launches makes 10^5 of them per second; a little
# less computing, so that it does not fall below.
LAUNCH_NS = 9000
FULL_SPEED_ROUNDS = 3

# CUPTI takes some 2 us per launch; of what is ours, at most 3 % of the program's time.
MOST_OWN = 1.03
MOST_MEMORY = 32  # MB; CUPTI's own buffers take 3 x 3.2 MB per context by default
MOST_START = 0.5  # s; CUPTI instruments modules when it is enabled

Round = namedtuple("Round", "unrecorded recorded alone")


def rounds(run, n, *arguments):
    """What the program prints, n times each way. Traces are not kept: they are large."""
    program = [run.machine.program, *arguments]
    cupti, library = run.machine.cupti, run.folder / "cupti_alone.so"
    why = run.machine.compile_c("-shared", "-fPIC", "-o", library, HERE / "cupti_alone.c", "-ldl")
    if why:
        raise Skipped(why)
    recording = recording_command(run, run.folder / "cost.rln", "--cupti", cupti)
    return [Round(int(run.execute(program).out), int(run.execute([*recording, *program]).out),
                  int(run.execute(program, CUDA_INJECTION64_PATH=str(library),
                                  ALONE_CUPTI=str(cupti)).out))
            for _ in range(n)]


def judge_launches(run, found):
    """Returns the median of what is recorded to CUPTI alone."""
    ratios = sorted(one.recorded / one.unrecorded for one in found)
    run.report("launches per s", f"{LAUNCHES / median(one.unrecorded for one in found) * 1e9:.0f}")
    run.report("recorded / unrecorded", f"{ratios[0]:.3f} .. {median(ratios):.3f} .. {ratios[-1]:.3f}")
    run.report("CUPTI alone / unrecorded",
               f"{median(one.alone / one.unrecorded for one in found):.3f}")
    for name in ("recorded", "alone"):
        added = median(getattr(one, name) - one.unrecorded for one in found) / LAUNCHES
        run.report(f"per launch, {name}", f"{added:.0f} ns")
    return median(one.recorded / one.alone for one in found)


def judge_added(run, found, limit, unit, scale):
    run.report("unrecorded", f"{median(one.unrecorded for one in found) / scale:.3f} {unit}")
    run.report("CUPTI alone adds",
               f"{median(one.alone - one.unrecorded for one in found) / scale:.3f} {unit}")
    run.at_most("recording adds",
                median(one.recorded - one.unrecorded for one in found) / scale, limit, unit)


@case(CASES, "launch-cost", "program", "cupti", seconds=200)
def launch_cost(run):
    """the program's time at about 10^5 launches per second"""
    base = int(run.execute([run.machine.program, "launches", LAUNCHES]).out) / LAUNCHES
    step = int(run.execute([run.machine.program, "steps"]).out) / 1000
    n_steps = max(int((LAUNCH_NS - base) / step), 0)
    found = rounds(run, ROUNDS, "launches", LAUNCHES, n_steps)
    run.at_most("recorded / CUPTI alone", judge_launches(run, found), MOST_OWN)
    # And all of it is recorded.
    recording = record(run, [run.machine.program, "launches", LAUNCHES, n_steps]).recording
    run.equal("kernels", recording.info()["kernels"], LAUNCHES + 1000)


@case(CASES, "full-speed-cost", "program", "cupti", seconds=60)
def full_speed_cost(run):
    """the same for a program that does nothing but launch; without a limit"""
    found = rounds(run, FULL_SPEED_ROUNDS, "launches", LAUNCHES)
    run.report("recorded / CUPTI alone", f"{judge_launches(run, found):.3f}")


@case(CASES, "memory-cost", "program", "cupti", seconds=60)
def memory_cost(run):
    """the GPU's memory that recording takes"""
    judge_added(run, rounds(run, 3, "memory"), MOST_MEMORY, "MB", 1e6)


@case(CASES, "start-cost", "program", "cupti", seconds=60)
def start_cost(run):
    """the time to the end of the first kernel"""
    judge_added(run, rounds(run, 5, "start"), MOST_START, "s", 1e9)
