# SPDX-License-Identifier: Apache-2.0
"""A picture of few colors as PNG, for maps with too many cells for shapes."""

import struct
import zlib


def indexed(rows, palette):
    """`rows` of indexes of `palette`, (red, green, blue) each; index 0 is transparent."""
    lines = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" +
            _chunk(b"IHDR", struct.pack(">2I5B", len(rows[0]), len(rows), 8, 3, 0, 0, 0)) +
            _chunk(b"PLTE", bytes(part for color in palette for part in color)) +
            _chunk(b"tRNS", b"\0") +
            _chunk(b"IDAT", zlib.compress(lines, 9)) +
            _chunk(b"IEND", b""))


def _chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
