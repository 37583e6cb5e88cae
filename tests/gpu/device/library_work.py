# SPDX-License-Identifier: Apache-2.0
"""library_work.py LIBRARY - a little work on a GPU by a library: nccl, cupy, jax or
triton."""
import os
import pathlib
import sys
import tempfile
import time

STEPS = 10


def nccl():
    import torch
    import torch.distributed as dist
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29517")
    dist.init_process_group("nccl", rank=0, world_size=1)
    numbers = torch.ones(1 << 20, device="cuda")
    for _ in range(STEPS):
        dist.all_reduce(numbers)
    torch.cuda.synchronize()
    dist.destroy_process_group()
    print(numbers.sum().item())


def cupy():
    import cupy as cp
    from cupyx.profiler import time_range
    a = cp.arange(1 << 20, dtype=cp.float32)
    for _ in range(STEPS):
        with time_range("time_range", color_id=0):
            a = cp.sqrt(a + 1)
    print(float(a.sum()))


def jax():
    """Its profiler, which takes CUPTI for good, records the last step."""
    import jax as j
    import jax.numpy as jnp
    f = j.jit(lambda x: jnp.tanh(x @ x))
    x = jnp.ones((1024, 1024), dtype=jnp.float32)
    for i in range(STEPS):
        with j.profiler.StepTraceAnnotation("step", step_num=i):
            x = f(x)
    x.block_until_ready()
    time.sleep(1.5)  # until our records are written
    with tempfile.TemporaryDirectory() as folder:
        with j.profiler.trace(folder):
            x = f(x)
            x.block_until_ready()
        print([path.suffix for path in pathlib.Path(folder).rglob("*.pb")])
    print(float(x.sum()))


def triton():
    import torch
    import triton as t
    import triton.language as tl
    from torch.cuda import nvtx

    @t.jit
    def add_one(x, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)

    x = torch.zeros(1 << 20, device="cuda")
    with nvtx.range("launches"):
        for _ in range(STEPS):
            add_one[(1024,)](x, 1 << 20, BLOCK=1024)
        torch.cuda.synchronize()
    print(x.sum().item())


globals()[sys.argv[1]]()
