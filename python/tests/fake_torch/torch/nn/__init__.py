import torch
from torch.nn.modules.module import Module


class Linear(Module):
    def __init__(self, n_in, n_out):
        self.weight = torch.Tensor(n_in, n_out)

    def forward(self, x):
        return torch.linear(x, self.weight)


class Sequential(Module):
    def __init__(self, *modules):
        self.__dict__.update((str(i), m) for i, m in enumerate(modules))

    def forward(self, x):
        for _, module in self.children():
            x = module(x)
        return x
