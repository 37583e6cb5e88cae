# SPDX-License-Identifier: Apache-2.0
"""few_colors.py - makes PNG pictures of pages smaller: at most 255 colors, of which the most
frequent stay as they are and the others, at edges of letters, become the nearest of these."""

import collections
import functools
import pathlib
import struct
import sys
import zlib

sys.path.insert(
    0, str(pathlib.Path(__file__).resolve().parents[2] / "python/src/rangeline/recipes")
)
import png  # pylint: disable=wrong-import-position


def rows_of(data):
    """Rows of (red, green, blue) of a PNG as Chromium writes it: 8 bits each, no alpha."""
    at, packed = 8, b""
    width, height, *kind = struct.unpack_from(">2I5B", data, 16)
    assert kind == [8, 2, 0, 0, 0], kind
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        if name == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    raw, above = zlib.decompress(packed), bytes(3 * width)
    for y in range(height):
        begin = y * (3 * width + 1)
        above = unfiltered(raw[begin], raw[begin + 1 : begin + 1 + 3 * width], above)
        yield list(zip(above[::3], above[1::3], above[2::3]))


def unfiltered(kind, line, above):
    out = bytearray(line)
    for i, byte in enumerate(line):
        left, up, corner = (out[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0)
        if kind == 4:
            at = left + up - corner
            guess = min((abs(at - left), 0, left), (abs(at - up), 1, up),
                        (abs(at - corner), 2, corner))[2]
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        out[i] = byte + guess & 255
    return bytes(out)


def reduced(data):
    rows = list(rows_of(data))
    counts = collections.Counter(color for row in rows for color in row)
    palette = [(0, 0, 0)] + [color for color, _ in counts.most_common(255)]  # 0: transparent
    index = {color: i for i, color in enumerate(palette) if i}

    @functools.lru_cache(None)
    def nearest(color):
        return index.get(color) or min(index.values(), key=lambda i: sum(
            (a - b) ** 2 for a, b in zip(palette[i], color)))

    return png.indexed([[nearest(color) for color in row] for row in rows], palette)
