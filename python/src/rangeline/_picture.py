# SPDX-License-Identifier: Apache-2.0
"""Draws a small picture of ranges for notebooks, in SVG without a script.

    thread |  [ step          ][ step         ]
           |    [load] [solve ]  [load][solve]
"""

import html
import itertools

_WIDTH, _ROW, _MOST_RANGES, _MOST_ROWS = 900, 16, 2000, 24
_PALETTE = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#edc948", "#e15759")


_LONGEST = 100


def shown(text):
    """A trace's text on one line: shortened, without control characters."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def escaped(text):
    return html.escape(str(text))


def _color(row):
    if row.color is not None:
        return f"#{row.color & 0xFFFFFF:06x}"
    return _PALETTE[sum((row.name or "").encode()) % len(_PALETTE)]


def timeline(ranges):
    """Draws a table's first ranges, one row per thread and depth; "" if it has none."""
    rows = [
        row
        for row in itertools.islice(ranges, _MOST_RANGES)
        if row.style in ("push_pop", "start_end")
    ]
    if not rows:
        return ""
    first = min(row.start for row in rows)
    last = max(row.start if row.end is None else row.end for row in rows)
    scale = _WIDTH / max(1, last - first)
    lanes, boxes = {}, []
    keys = sorted({(row.pid, row.tid or 0, row.style, row.depth or 0) for row in rows})
    for key in keys[:_MOST_ROWS]:
        lanes[key] = len(lanes)
    for row in rows:
        lane = lanes.get((row.pid, row.tid or 0, row.style, row.depth or 0))
        if lane is None:
            continue
        end = last if row.end is None else row.end
        width = max(0.5, (end - row.start) * scale)
        x, y = (row.start - first) * scale, lane * _ROW
        text = shown(row.name or "")
        name = escaped(text)
        took = "open" if row.end is None else f"{row.duration:,} ns"
        label = (
            f'<text x="{x + 3:.1f}" y="{y + 11}" font-size="10" fill="#fff">{name}</text>'
            if width > 7 * len(text) + 6
            else ""
        )
        boxes.append(
            f'<g><title>{name}: {took}</title><rect x="{x:.1f}" y="{y}" '
            f'width="{width:.1f}" height="{_ROW - 2}" fill="{_color(row)}"/>{label}</g>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {len(lanes) * _ROW}" width="100%" role="img" '
        f'aria-label="timeline" font-family="sans-serif">{"".join(boxes)}</svg>'
    )
