# SPDX-License-Identifier: Apache-2.0
"""What `rangeline profile --pytorch=modules` records besides calls of modules: backward
passes, and steps of optimizers.

`Tensor.backward()` calls `torch.autograd.backward()`, so one range covers both. The range
of a step is not opened by torch's hooks for steps, because they do not run if it raises:
it surrounds the function that torch itself wraps, once per class of optimizers.
"""

import functools

import torch

from rangeline.nvtx import annotate

# In what torch.compile() compiles, nothing is recorded; from torch 2.1 on.
_is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", bool)


class _Step:
    """A class's step() in a range. A pickled one is the plain function: cloudpickle copies
    classes of `__main__` to processes that may not have this package."""

    __slots__ = ("step",)

    def __init__(self, step):
        self.step = step

    def __call__(self, optimizer, *args, **kwargs):
        if _is_compiling():
            return self.step(optimizer, *args, **kwargs)
        with annotate(f"{type(optimizer).__name__}.step"):
            return self.step(optimizer, *args, **kwargs)

    def __reduce__(self):
        return functools.partial, (self.step,)


def _record_steps(optimizer):
    wrap = optimizer.profile_hook_step  # from torch 2.0 on

    @functools.wraps(wrap)
    def profile_hook_step(func):
        return functools.update_wrapper(wrap(_Step(func)), func)

    optimizer.profile_hook_step = staticmethod(profile_hook_step)


def _record_backward():
    original = torch.autograd.backward
    torch.autograd.backward = annotate("backward")(original)
    builtins = torch.jit._builtins  # scripts find functions by identity
    builtins._register_builtin(torch.autograd.backward, builtins._find_builtin(original))


def record():
    """Records them in the default domain, until the program ends."""
    _record_backward()
    if hasattr(torch.optim.Optimizer, "profile_hook_step"):
        _record_steps(torch.optim.Optimizer)
