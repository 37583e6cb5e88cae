#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""first_page.py [FOLDER] - writes the traces of docs/index.md, the same at each call:

    train.rln                 40 steps of a training, whose GPU waits while they load
    rank0.rln to rank3.rln    20 steps of four ranks, which wait for one of them
    before1.rln, after1.rln, ... 3
                              three runs each before and after a change
    broken.rln                a run in which a pop is missing
    transformer.rln           what was recorded on a GPU: tests/gpu/recordings

Needs a build; RANGELINE_BUILD names one other than build/.
"""

import contextlib
import gzip
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import made_up

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANGELINE = pathlib.Path(os.environ.get("RANGELINE_BUILD", ROOT / "build")) / "bin/rangeline"
TID = made_up.PID  # of the main thread
KERNELS = 20  # per step
MS = 1e6


class Training:
    """Steps of one process, each after the other."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.now, self.ranges, self.kernels = 5 * MS, [], []

    def about(self, ms):
        return ms * MS * self.chance.gauss(1, 0.01)

    def run(self, name, took):
        self.ranges.append((self.now, self.now + took, name))
        self.now += took

    def step(self, name, parts):
        """`parts`: [(name, ms)]."""
        begun = self.now
        for part, ms in parts:
            self.now += self.about(0.05)
            self.run(part, self.about(ms))
        self.ranges.append((begun, self.now, name))
        self.now += self.about(0.02)

    def work_of_gpu(self):
        """Kernels from the beginning of each forward to the end of its step."""
        forwards = [start for start, _, name in self.ranges if name == "forward"]
        ends = [end for _, end, name in self.ranges if name.startswith("step")]
        for start, end in zip(forwards, ends):
            each = (end - start) / KERNELS
            self.kernels += [(start + k * each * 0.6, start + (k + 0.1) * each,
                              start + (k + 1) * each) for k in range(KERNELS)]

    def write(self, path, rank=None):
        with contextlib.closing(made_up.Export(path, "/usr/bin/python3")) as export:
            export.thread(TID, "python3", self.ranges)
            if rank is not None:
                export.db.execute("CREATE TABLE RANGELINE_RANKS (globalPid INTEGER, rank INTEGER)")
                export.insert("RANGELINE_RANKS", (export.global_tid(0), rank))
            if not self.kernels:
                return
            export.db.executescript(made_up.GPU_TABLES)
            export.insert("StringIds", *enumerate(
                ("cudaLaunchKernel", "gemm", "softmax", "layer_norm"), made_up.CALL))
            for i, (call, start, end) in enumerate(self.kernels):
                export.launch(TID, call, (0, 1, 7), start, end, i, made_up.CALL + 1 + i % 3)


def one_process():
    run = Training(1)
    for i in range(40):
        run.step(f"step {i}", [("load", 24 if i == 6 else 4), ("forward", 6), ("backward", 11),
                               ("optimizer", 2)])
    run.work_of_gpu()
    return run


def four_ranks():
    """Each waits in `allreduce` for the one that comes last, mostly the third."""
    runs = [Training(rank) for rank in range(4)]
    for _ in range(20):
        begun = runs[0].now
        for rank, run in enumerate(runs):
            run.now = begun
            run.run("load", run.about(1))
            run.run("forward", run.about(6))
            run.run("backward", run.about(14 if rank == 2 else 11))
        last = max(run.now for run in runs) + 0.3 * MS
        for run in runs:
            run.run("allreduce", last - run.now)
            run.ranges.append((begun, run.now, "step"))
            run.now += run.about(0.02)
    return runs


def changed(seed, is_after):
    run = Training(seed)
    for i in range(60):
        parts = [("load", 4), ("forward", 6), ("backward", 12 if is_after else 11), ("optimizer", 2)]
        parts += [("save", 9)] if is_after and i % 20 == 19 else []
        run.step("step", parts)
    return run


def broken():
    run = Training(8)
    for i in range(20):
        run.step("step", [("load", 4), ("forward", 6), ("backward", 11)])
    start, _, name = run.ranges[8 * 4]
    run.ranges[8 * 4] = (start, None, name)
    return run


def main(folder):
    with tempfile.TemporaryDirectory() as work:
        exports = pathlib.Path(work)
        one_process().write(exports / "train")
        for rank, run in enumerate(four_ranks()):
            run.write(exports / f"rank{rank}", rank)
        for k in 1, 2, 3:
            changed(k, False).write(exports / f"before{k}")
            changed(10 + k, True).write(exports / f"after{k}")
        broken().write(exports / "broken")
        for path in exports.iterdir():
            subprocess.run([RANGELINE, "merge", "-f", "-o", folder / f"{path.name}.rln", path],
                           check=True, stderr=subprocess.DEVNULL)
    recording = ROOT / "tests/gpu/recordings/transformer.rln.gz"
    (folder / "transformer.rln").write_bytes(gzip.decompress(recording.read_bytes()))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
