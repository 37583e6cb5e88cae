# SPDX-License-Identifier: Apache-2.0
"""training.py WHAT [FILE] - trains a small network on a GPU, in NVTX ranges.

    plain           20 steps, in the range `steps`
    emit            the same with a range per operator, also of the backward pass
    profiled FILE   the same under torch.profiler, whose kernels go to FILE
    twice           5 steps under torch.profiler, 5 without, 5 with, 5 without; prints how
                    many kernels of which names the profiler has
    window          5 steps between torch.cuda.profiler's start and stop, more before and after
    device-range    multiplications between a device range's begin and end
    has-device-range    prints whether this PyTorch has such ranges
"""
import contextlib
import json
import os
import sys
import tempfile

import torch
from torch.cuda import nvtx

N_STEPS = 20
N_TWICE = 5
SIZE = 4096  # kernels of some 100 us, which vary little


class Training:
    """The network, and all that a step needs."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = torch.nn.Sequential(
            torch.nn.Linear(SIZE, SIZE), torch.nn.ReLU(), torch.nn.Linear(SIZE, SIZE)).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3, momentum=0.9)
        self.batch = torch.randn(SIZE, SIZE, device="cuda")

    def step(self):
        with nvtx.range("forward"):
            loss = self.model(self.batch).square().mean()
        with nvtx.range("backward"):
            loss.backward()
        with nvtx.range("optimizer"):
            self.optimizer.step()
            self.optimizer.zero_grad()

    def steps(self, name, n):
        """All of their work is within the range's time."""
        torch.cuda.synchronize()
        with nvtx.range(name):
            for _ in range(n):
                self.step()
            torch.cuda.synchronize()


def new_profiler():
    activities = torch.profiler.ProfilerActivity
    return torch.profiler.profile(activities=[activities.CPU, activities.CUDA])


def kernels_of(profiler):
    """{name: [us, ...]}"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profiler.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    for event in events:
        if event.get("cat") == "kernel":
            found.setdefault(event["name"], []).append(event["dur"])
    return found


def device_range():
    stream = torch.cuda.current_stream().cuda_stream
    a = torch.randn(SIZE, SIZE, device="cuda")
    torch.mm(a, a)
    torch.cuda.synchronize()
    handle = nvtx._device_range_start("device", stream)  # pylint: disable=protected-access
    for _ in range(10):
        torch.mm(a, a)
    nvtx._device_range_end(handle, stream)  # pylint: disable=protected-access
    torch.cuda.synchronize()


def main():
    what = sys.argv[1]
    if what == "has-device-range":
        print(hasattr(nvtx, "_device_range_start"))
        return
    if what == "device-range":
        device_range()
        return
    training = Training()
    training.steps("first steps", N_STEPS)  # they choose kernels, and raise the clocks
    if what == "twice":
        for i in range(2):
            with new_profiler() as profiler:
                training.steps(f"profiled {i}", N_TWICE)
            counts = {name: len(us) for name, us in kernels_of(profiler).items()}
            print(json.dumps(counts, sort_keys=True))
            training.steps(f"unprofiled {i}", N_TWICE)
    elif what == "window":
        torch.cuda.profiler.start()
        training.steps("in the window", N_TWICE)
        torch.cuda.profiler.stop()
        training.steps("after the window", N_TWICE)
    elif what == "profiled":
        with new_profiler() as profiler:
            training.steps("steps", N_STEPS)
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump(kernels_of(profiler), file)
    else:
        emit = torch.autograd.profiler.emit_nvtx if what == "emit" else contextlib.nullcontext
        with emit():
            training.steps("steps", N_STEPS)


main()
