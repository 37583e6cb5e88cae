# SPDX-License-Identifier: Apache-2.0
"""faulty_steps.py FAULT - makes steps on a GPU that have one fault, or `none`.

    none           matrices are multiplied, from pinned memory, without a wait within the step
    sync-stall     each product is looked at before the next is launched
    pageable-copy  each step copies a batch from memory that is not pinned
    launch-bound   each step launches hundreds of kernels that have little to do
    gpu-idle       the thread computes for itself in the middle of the step
    loader-wait    each step loads its data before it begins to work
"""
import sys
import time

import torch
from torch.cuda import nvtx

N_STEPS = 40
N_PRODUCTS = 10
SIZE = 4096  # a product takes 2 ms, and is no short kernel
BATCH = 32 << 20  # bytes: a copy takes some ms
WAIT = 0.02  # s; about as long as the products


class Steps:
    """The data of a step, and its work."""

    def __init__(self, fault):
        self.fault = fault
        self.matrix = torch.randn(SIZE, SIZE, device="cuda")
        self.small = torch.zeros(16, device="cuda")
        self.batch = torch.zeros(BATCH, dtype=torch.uint8,
                                 pin_memory=fault != "pageable-copy")

    def step(self):
        if self.fault == "loader-wait":
            with nvtx.range("load data"):
                time.sleep(WAIT)
        if self.fault == "pageable-copy":
            for _ in range(4):
                self.batch.cuda()
        else:
            self.batch[:1024].cuda(non_blocking=True)
        if self.fault == "launch-bound":
            for _ in range(1000):
                self.small.add_(1)
            return
        for i in range(N_PRODUCTS):
            product = self.matrix @ self.matrix
            if self.fault == "sync-stall":
                product[0, 0].item()
                with nvtx.range("think"):
                    time.sleep(WAIT / N_PRODUCTS / 4)
            if self.fault == "gpu-idle" and i == N_PRODUCTS // 2:
                torch.cuda.synchronize()
                with nvtx.range("on the CPU"):
                    time.sleep(WAIT)

    def run(self):
        for _ in range(N_STEPS):
            with nvtx.range("step"):
                self.step()
                torch.cuda.synchronize()


if __name__ == "__main__":
    Steps(sys.argv[1]).run()
