#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What do ranges of torch.cuda.nvtx cost, and the modes of `profile --pytorch`?

Needs `rangeline` in PYTHONPATH, and PyTorch's CPU build. Prints cases and samples as
bench/bench.h explains; all rows run one after the other in each round.

The first rows are ns per pair of rangeline.torch, compared with torch.cuda.nvtx, whose
Python functions call our module since install(). The others are us per training step of
a small model, compared with a step without hooks; what matters is that ops() without
shapes costs no more than torch.profiler.
"""
import contextlib
import gc
import os
import time

import torch

import rangeline.torch

rangeline.torch.install()

PAIRS = {
    "push pop": "n.range_push('m'); n.range_pop()",
    "start end": "n.range_end(n.range_start('m'))",
    "mark": "n.mark('m')",
    "with range": "with n.range('m'): pass",
    "with range formatted": "with n.range('m {}', 7): pass",
}


CPU = [torch.profiler.ProfilerActivity.CPU]
MODES = {
    "none": contextlib.nullcontext,
    "ops": rangeline.torch.ops,
    "ops-shapes": lambda: rangeline.torch.ops(shapes=True),
    "profiler": lambda: torch.profiler.profile(activities=CPU),
    "profiler-shapes": lambda: torch.profiler.profile(activities=CPU, record_shapes=True),
    "modules": rangeline.torch.modules,
    "modules-shapes": lambda: rangeline.torch.modules(shapes=True),
}


def loop_of(statement, module):
    """A function that runs the statement `count` times and returns ns per run."""
    made = {"n": module, "clock": time.perf_counter_ns}
    exec(f"def loop(count):\n begin = clock()\n for _ in range(count):\n  {statement}\n"
         " return (clock() - begin) / count\n", made)
    return made["loop"]


def loop_of_steps(mode):
    """The same for training steps in a mode, in us per step."""
    net = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(),
                              torch.nn.Linear(64, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, target = torch.randn(8, 32), torch.arange(8)

    def loop(count):
        with mode():
            begin = time.perf_counter_ns()
            for _ in range(count):
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(net(x), target).backward()
                optimizer.step()
            return (time.perf_counter_ns() - begin) / count / 1000
    return loop


def sample(name, unit, reference, value):
    print(f"case\t{name}\t{unit}\t{reference or '-'}\t0")
    print(f"sample\t{name}\t{value:.6g}")


def main():
    is_smoke = os.environ.get("RANGELINE_BENCH") == "smoke"
    torch.set_num_threads(1)
    gc.disable()
    pairs = {row: (loop_of(statement, torch.cuda.nvtx),
                   loop_of(statement, rangeline.torch))
             for row, statement in PAIRS.items()}
    steps = {mode: loop_of_steps(made) for mode, made in MODES.items()}
    for _ in range(1 if is_smoke else 15):
        for row, (theirs, ours) in pairs.items():
            sample(f"torch.cuda.nvtx: {row}", "ns", None, theirs(100 if is_smoke else 20_000))
            sample(f"rangeline.torch: {row}", "ns", f"torch.cuda.nvtx: {row}",
                   ours(100 if is_smoke else 20_000))
        for mode, loop in steps.items():
            sample(f"training step: {mode}", "us",
                   "training step: none" if mode != "none" else None,
                   loop(1 if is_smoke else 50))


if __name__ == "__main__":
    main()
