# SPDX-License-Identifier: Apache-2.0
"""loading_workers.py METHOD - sums on a GPU what a DataLoader's workers load. METHOD says
how they start: fork, after CUDA has been initialized, or spawn."""
import sys

import torch
from torch.cuda import nvtx
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    """Each item is a row of its index."""

    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.full((1024,), float(i))


def main():
    total = torch.zeros((), device="cuda")
    loader = DataLoader(Numbers(), batch_size=8, num_workers=2, pin_memory=True,
                        multiprocessing_context=sys.argv[1])
    for _ in range(2):
        for batch in loader:
            with nvtx.range("batch"):
                total += batch.cuda(non_blocking=True).sum()
    print(total.item())


if __name__ == "__main__":
    main()
