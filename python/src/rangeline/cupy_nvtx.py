# SPDX-License-Identifier: Apache-2.0
"""The API of `cupy.cuda.nvtx`, without CuPy or CUDA.

A program can use whichever is installed:

    try:
        from cupy.cuda import nvtx
    except ImportError:
        from rangeline import cupy_nvtx as nvtx

Example:
    >>> from rangeline import cupy_nvtx
    >>> cupy_nvtx.RangePush("load", 3)
    >>> cupy_nvtx.RangePop()
"""

import operator

from rangeline import _native

__all__ = ["Mark", "MarkC", "RangePush", "RangePushC", "RangePop", "RangeStart",
           "RangeEnd", "available"]

available = True

# CuPy's colors by id, 0xAARRGGBB.
_COLORS = (0xFF00FF00, 0xFF007FFF, 0xFF7F00FF, 0xFFFF0000, 0xFF7FFF00,
           0xFF00FF7F, 0xFF0000FF, 0xFFFF007F, 0xFFFF7F00, 0xFF7F7F7F)


def _color(id_color):
    if not isinstance(id_color, int):
        try:
            id_color = operator.index(id_color)
        except TypeError:
            raise TypeError(
                f"id_color must be int, not {type(id_color).__name__}"
            ) from None
    return None if id_color < 0 else _COLORS[id_color % len(_COLORS)]


def Mark(message, id_color=-1):
    """Marks an instant, in one of ten colors; -1 is none.

    Example:
        >>> Mark("checkpoint", 1)
    """
    _native.torch_mark(message, color=_color(id_color))


def MarkC(message, color=0):
    """Marks an instant, in a color 0xAARRGGBB.

    Example:
        >>> MarkC("checkpoint", 0xFFFF0000)
    """
    _native.torch_mark(message, color=color)


def RangePush(message, id_color=-1):
    """Begins a range of this thread, in one of ten colors; -1 is none.

    Example:
        >>> RangePush("load", 1)
        >>> RangePop()
    """
    _native.torch_range_push(message, color=_color(id_color))


def RangePushC(message, color=0):
    """Begins a range of this thread, in a color 0xAARRGGBB.

    Example:
        >>> RangePushC("load", 0xFFFF0000)
        >>> RangePop()
    """
    _native.torch_range_push(message, color=color)


def RangePop():
    """Ends the newest open range of this thread.

    Example:
        >>> RangePush("load")
        >>> RangePop()
    """
    _native.torch_range_pop()


def RangeStart(message, color=None):
    """Begins a range that any thread may end, in a color 0xAARRGGBB; returns its id.

    Example:
        >>> RangeEnd(RangeStart("copy", 0xFF00FF00))
    """
    return _native.torch_range_start(message, color=color)


def RangeEnd(range_id):
    """Ends the range with this id.

    Example:
        >>> RangeEnd(RangeStart("copy"))
    """
    _native.torch_range_end(range_id)
