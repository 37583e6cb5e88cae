# SPDX-License-Identifier: Apache-2.0
"""Colors by name.

Example:
    >>> hex(color_to_hex("red"))
    '0xff0000'
"""

import functools
import sys

from rangeline.nvtx._checks import shown

# The names that need no matplotlib, as 0xRRGGBB, and what no color means.
_NVTX_COLORS = {
    None: 0x0000FF,
    "blue": 0x0000FF,
    "cyan": 0x00FFFF,
    "darkgreen": 0x006400,
    "green": 0x008000,
    "orange": 0xFFA500,
    "purple": 0x800080,
    "rapids": 0x7400FF,
    "red": 0xFF0000,
    "white": 0xFFFFFF,
    "yellow": 0xFFFF00,
}


def color_to_hex(color: object = None) -> int:
    """The number of a color: a name, a color of matplotlib (then with alpha,
    0xAARRGGBB), or a number, which is returned as it is. None is blue.

    Raises TypeError for a color that would need matplotlib if that is not installed,
    and ValueError for one that matplotlib does not know, either. Both list what is
    known.

    Example:
        >>> color_to_hex("rapids") == 0x7400FF
        True
    """
    if isinstance(color, int):
        return color
    if color is None or isinstance(color, str) and color in _NVTX_COLORS:
        return _NVTX_COLORS[color]
    try:
        return _ask_matplotlib(color)
    except ImportError as error:
        raise TypeError(
            f"unknown color {shown(color)}: without matplotlib, colors are ints or one of "
            + _names()
        ) from error
    except ValueError as error:
        raise ValueError(
            f"unknown color {shown(color)}: colors are ints, what matplotlib knows, or one of "
            + _names()
        ) from error


def check_color(color):
    """Raises what color_to_hex() does, but does not import matplotlib, which takes
    long: if that could know the color, returns None."""
    is_known = isinstance(color, str) and color in _NVTX_COLORS
    if not is_known and not sys.modules.get("matplotlib"):
        from importlib.util import find_spec

        if find_spec("matplotlib"):
            return None
    return color_to_hex(color)


def _names():
    return ", ".join(filter(None, _NVTX_COLORS))


def _ask_matplotlib(color):
    import matplotlib.colors  # only for colors that are not in _NVTX_COLORS

    red, green, blue, alpha = matplotlib.colors.to_rgba(color)
    return functools.reduce(
        lambda number, part: number << 8 | round(part * 255),
        (alpha, red, green, blue),
        0,
    )
