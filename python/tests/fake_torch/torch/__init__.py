"""A stand-in for PyTorch: what rangeline.torch touches of it, laid out alike.

FAKE_TORCH=cuda in the environment makes it a CUDA build, which records by itself.
"""
from torch import _C
from torch import cuda, jit, nn, utils
from torch.operators import Tensor, linear, record_function
