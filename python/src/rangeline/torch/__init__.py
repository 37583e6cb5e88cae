# SPDX-License-Identifier: Apache-2.0
"""The API of `torch.cuda.nvtx`, without CUDA or torch.

install() makes torch.cuda.nvtx itself record on CPU builds of PyTorch. ops() and
modules() record a model that has no annotations.

Example:
    >>> import rangeline.torch as nvtx
    >>> with nvtx.range("step {}", 3):
    ...     depth = nvtx.range_push("forward", color="blue")
    ...     assert nvtx.range_pop() == depth
"""

from rangeline._native import (
    annotate,
    torch__device_range_end as _device_range_end,
    torch__device_range_start as _device_range_start,
    torch_mark as mark,
    torch_range_end as range_end,
    torch_range_pop as range_pop,
    torch_range_push as range_push,
    torch_range_start as range_start,
)
from rangeline.torch._install import install, uninstall
from rangeline.torch._modules import modules
from rangeline.torch._ops import ops

__all__ = ["range_push", "range_pop", "range_start", "range_end", "mark", "range"]


_ATTRIBUTES = ("color", "domain", "category", "payload")


def range(msg, *args, **kwargs):
    """A range around a block, or as a decorator around each call of a function: an
    annotate() with the message `msg.format(*args, **kwargs)`. It ends on exceptions,
    too.

    The keywords color, domain, category and payload are attributes of the range; the
    format may use them, too. In a coroutine or generator the range never crosses the
    ranges of other tasks (docs/guide/PYTHON.md).

    Example:
        >>> with range("layer {} of {total}", 3, total=12, payload=3):
        ...     pass
    """
    if not kwargs:
        return annotate(msg.format(*args))
    return annotate(msg.format(*args, **kwargs), *map(kwargs.get, _ATTRIBUTES))
