"""A stand-in for PyTorch, with the modules and functions that rangeline.torch uses.

FAKE_TORCH=cuda in the environment makes it a CUDA build, which records by itself.
"""
from torch import _C
from torch import autograd, compiler, cuda, jit, nn, optim, utils
from torch.operators import Tensor, linear, record_function
