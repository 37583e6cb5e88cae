# SPDX-License-Identifier: Apache-2.0
"""transformer.py [STEPS] - trains a small transformer on a GPU, in NVTX ranges, with
batches that are copied on a stream of their own; the last but one is slow to come."""
import sys
import time

import torch
from torch import nn
from torch.cuda import nvtx

WORDS, WIDTH, LENGTH, BATCH = 8192, 512, 256, 32


class Loader:
    """Copies the next batch while the GPU computes with the last one."""

    def __init__(self, n):
        self.n, self.i = n, 0
        self.stream = torch.cuda.Stream()

    def next(self):
        self.i += 1
        with nvtx.range("read"):
            if self.i == self.n - 1:
                time.sleep(0.02)
            words = torch.randint(WORDS, (BATCH, LENGTH + 1)).pin_memory()
        with nvtx.range("copy"), torch.cuda.stream(self.stream):
            batch = words.cuda(non_blocking=True)
        torch.cuda.current_stream().wait_stream(self.stream)
        return batch


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, dropout=0, batch_first=True)
    model = nn.Sequential(nn.Embedding(WORDS, WIDTH), nn.TransformerEncoder(layer, 4),
                          nn.Linear(WIDTH, WORDS)).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    loader = Loader(steps)
    for step in range(steps):
        with nvtx.range(f"step {step}"):
            with nvtx.range("load"):
                batch = loader.next()
            with nvtx.range("forward"):
                scores = model(batch[:, :-1])
                loss = nn.functional.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten())
            with nvtx.range("backward"):
                loss.backward()
            with nvtx.range("optimizer"):
                optimizer.step()
                optimizer.zero_grad()
            with nvtx.range("loss"):
                loss.item()


main()
