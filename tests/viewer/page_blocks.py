# SPDX-License-Identifier: Apache-2.0
"""page_blocks.py - the traces in a page: gzip as digits of base 85, of which five are four bytes."""

import functools
import gzip
import re

from saved_index import index_of

BLOCK = re.compile(
    r'<script type="application/gzip" class="(trace|index)" title="([^"]*)">([^<]*)</script>\n'
)
DIGITS = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?,;_()[]{}@%$#"
)


def unpacked(digits):
    """The bytes that are packed in a page."""
    n_missing = -len(digits) % 5
    numbers = [DIGITS.index(each) for each in digits] + [84] * n_missing
    made = bytearray()
    for i in range(0, len(numbers), 5):
        word = functools.reduce(lambda word, digit: word * 85 + digit, numbers[i : i + 5])
        made += word.to_bytes(4, "big")
    return gzip.decompress(made[: len(made) - n_missing])


def packed(content):
    content = gzip.compress(content)
    n_missing = -len(content) % 4
    content += bytes(n_missing)
    digits = []
    for i in range(0, len(content), 4):
        word = int.from_bytes(content[i : i + 4], "big")
        digits += [DIGITS[word // 85**k % 85] for k in (4, 3, 2, 1, 0)]
    return "".join(digits[: len(digits) - n_missing])


def page_with(page, *traces):
    """The page with other traces in it."""
    blocks = "".join(
        f'<script type="application/gzip" class="index" title="">{packed(index_of(data))}</script>\n'
        for data in traces
    )
    head, rest = BLOCK.sub("", page).rsplit("<script>", 1)
    return f"{head}{blocks}<script>{rest}"
