# SPDX-License-Identifier: Apache-2.0
"""Pictures as SVG: spread() of ranks by range, bars(), lines() over steps, heat().

Colors are CSS variables of the page (page.py), so that dark and light are the same picture.
Each is as readable with two ranks as with ten thousand: the number of shapes is bounded by
the callers.
"""

import base64
import html
import itertools
import typing

from . import png
from .answer import printable

_WIDTH = 960
_LABEL = 240  # room for names, to the left
_NOTE = 170  # and to the right


class Spread(typing.NamedTuple):
    """How ranks are spread in a range: all values but the last two texts."""

    name: str
    least: float
    low: float
    mean: float
    high: float
    most: float
    note: str


class Bar(typing.NamedTuple):
    """A bar of parts, one after the other."""

    name: str
    parts: list  # values, in the order of the legend
    note: str


class Line(typing.NamedTuple):
    """A line through points, or with `low` a band between these."""

    name: str
    high: list  # a value or None for each place
    low: typing.Optional[list] = None


def spread(rows, show):
    """A row per Spread."""
    scale, axis = _across(max(row.most for row in rows), show, len(rows) * 24)
    shapes = []
    for i, row in enumerate(rows):
        y = i * 24 + 12
        shapes.append(_name(row.name, y))
        shapes.append(_shape("line", "range", x1=scale(row.least), x2=scale(row.most), y1=y, y2=y))
        shapes.append(_shape("rect", "c0", x=scale(row.low), y=y - 6, height=12, rx=2,
                             width=max(scale(row.high) - scale(row.low), 1)))
        shapes.append(_shape("line", "mean", x1=scale(row.mean), x2=scale(row.mean),
                             y1=y - 9, y2=y + 9))
        shapes.append(_shape("circle", "most", cx=scale(row.most), cy=y, r=4))
        shapes.append(_text(scale(row.most) + 8, y + 4, row.note, "note"))
    return _picture(len(rows) * 24 + 28, [axis, *shapes])


USUAL, OTHER, THIRD, IDLE = 0, 1, 2, 5  # colors of parts


def bars(rows, legend, show):
    """A row per Bar; `legend` has a color and a name for each of its parts."""
    height = len(rows) * 20
    scale, axis = _across(max(sum(row.parts) for row in rows), show, height)
    shapes = []
    for i, row in enumerate(rows):
        y, at = i * 20, 0
        shapes.append(_name(row.name, y + 10))
        for (color, _), part in zip(legend, row.parts):
            if part > 0:
                shapes.append(_shape("rect", f"c{color}", x=scale(at), y=y + 3, height=14,
                                     width=max(scale(at + part) - scale(at), 0.5)))
            at += part
        shapes.append(_text(scale(at) + 6, y + 14, row.note, "note"))
    return _legend([(f"c{color}", name) for color, name in legend]) + \
        _picture(height + 28, [axis, *shapes])


def lines(series, places, show):
    """Lines over the same places; `places` are the texts of the first and the last."""
    height, left, right = 240, 80, 940
    n = max(len(line.high) for line in series)
    top = max((value for line in series for value in line.high if value is not None),
              default=0) or 1
    ticks = _ticks(top)
    top = max(top, ticks[-1])

    def x(i):
        return left + (right - left) * ((i + 0.5) / n)

    def y(value):
        return height - (height - 10) * value / top

    shapes = [_shape("line", "grid", x1=left, x2=right, y1=y(tick), y2=y(tick)) +
              _text(left - 6, y(tick) + 4, show(tick), "axis end") for tick in ticks]
    for color, line in enumerate(series):
        for run in _runs(line.high):
            points = [(x(i), y(line.high[i])) for i in run]
            if line.low:
                points += [(x(i), y(line.low[i])) for i in reversed(run)]
            if len(points) == 1:
                shapes.append(_shape("circle", f"c{color}", cx=points[0][0], cy=points[0][1], r=2))
            else:
                shapes.append(f'<{"polygon" if line.low else "polyline"} class="'
                              f'{"band" if line.low else "stroke"} c{color}" points="'
                              + " ".join(f"{_n(a)},{_n(b)}" for a, b in points) + '"/>')
    shapes.append(_text(left, height + 18, places[0], "axis"))
    shapes.append(_text(right, height + 18, places[1], "axis end"))
    legend = _legend([(f"c{i}", line.name) for i, line in enumerate(series)])
    return legend + _picture(height + 28, shapes)


# From below the usual to far above: lighter is less, also without colors.
HEAT = [(0xD9, 0xE4, 0xF0), (0xC3, 0xD3, 0xE4), (0xF6, 0xDE, 0x9B), (0xF0, 0xBE, 0x5F),
        (0xDF, 0x8D, 0x45), (0xC4, 0x54, 0x3B), (0x97, 0x26, 0x41), (0x4E, 0x12, 0x3F)]


def heat(rows, labels, places, levels):
    """Rows of levels, None or an index of HEAT, from the top down. `labels` are the rows'
    names, `places` the texts of the first and last column, `levels` what each color says."""
    left, right = 80, 940
    height = max(120, min(len(rows) * 14, 560), len(rows))  # a pixel for each row at least
    shown = next(n for n in _round_numbers() if n * height >= 14 * len(rows))
    picture = png.indexed([[0 if level is None else level + 1 for level in row] for row in rows],
                          [(0xFF, 0xFF, 0xFF), *HEAT])
    shapes = [f'<image x="{left}" y="0" width="{right - left}" height="{height}" '
              f'preserveAspectRatio="none" style="image-rendering:pixelated" '
              f'href="data:image/png;base64,{base64.b64encode(picture).decode()}"/>',
              _shape("rect", "frame", x=left, y=0, width=right - left, height=height)]
    for i in range(0, len(rows), shown):
        y = max(height * (i + 0.5) / len(rows) + 4, 10)
        shapes.append(_text(left - 6, y, labels[i], "axis end"))
    shapes.append(_text(left, height + 18, places[0], "axis"))
    shapes.append(_text(right, height + 18, places[1], "axis end"))
    legend = "".join(f'<span><i style="background:#{r:02x}{g:02x}{b:02x}"></i>'
                     f'{html.escape(text)}</span>' for (r, g, b), text in zip(HEAT, levels))
    return f'<p class="legend">{legend}</p>' + _picture(height + 28, shapes)


# --- Parts ---------------------------------------------------------------------------


def _picture(height, shapes):
    return (f'<svg viewBox="0 0 {_WIDTH} {height}" role="img">' + "".join(shapes) + "</svg>")


def _across(most, show, height):
    """A scale from 0 to `most`, and its axis below the rows."""
    ticks = _ticks(most or 1)
    end = max(most, ticks[-1]) or 1

    def scale(value):
        return _LABEL + (_WIDTH - _LABEL - _NOTE) * value / end

    axis = "".join(_shape("line", "grid", x1=scale(tick), x2=scale(tick), y1=0, y2=height) +
                   _text(scale(tick), height + 18, show(tick), "axis middle") for tick in ticks)
    return scale, axis


def _ticks(most):
    """Up to six round numbers from 0 up to `most`."""
    step = next(n for n in _round_numbers() if most <= 6 * n)
    return [step * i for i in range(int(most / step) + 1)]


def _round_numbers():
    for zeros in itertools.count():
        yield from (n * 10**zeros for n in (1, 2, 5))


def _runs(values):
    """Stretches of places that have a value."""
    run = []
    for i, value in enumerate(values):
        if value is not None:
            run.append(i)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _name(name, y):
    short = printable(name)
    if len(short) > 34:  # more of the head than of the tail
        short = f"{short[:19]}\N{HORIZONTAL ELLIPSIS}{short[-14:]}"
    return (f'<text x="{_LABEL - 8}" y="{_n(y + 4)}" class="name end">'
            f"<title>{html.escape(printable(name))}</title>{html.escape(short)}</text>")


def _text(x, y, text, words):
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{words}">{html.escape(text)}</text>'


def _shape(element, words, **numbers):
    values = "".join(f' {name}="{_n(value)}"' for name, value in numbers.items())
    return f'<{element} class="{words}"{values}/>'


def _legend(entries):
    if len(entries) < 2:
        return ""
    return '<p class="legend">' + "".join(
        f'<span><i class="{words}"></i>{html.escape(text)}</span>'
        for words, text in entries) + "</p>"


def _n(value):
    return f"{value:.1f}".removesuffix(".0")
