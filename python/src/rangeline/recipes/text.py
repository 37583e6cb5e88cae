# SPDX-License-Identifier: Apache-2.0
"""An answer on a terminal: the sentence, and the first rows."""

from .answer import IS_NUMBER, cut, cut_words, printable, shown

_MOST_ROWS = 20


def table(answer):
    """Lines, each with its end."""
    rows = [[column.name for column in answer.columns]]
    rows += [[cut(shown(value, column.kind)) for value, column in zip(row, answer.columns)]
             for row in answer.rows[:_MOST_ROWS]]
    right = [column.kind in IS_NUMBER for column in answer.columns]
    widths = [max(map(len, cells)) for cells in zip(*rows)]
    rows.insert(1, ["-" * width for width in widths])
    lines = [cut_words(printable(answer.sentence)), ""]
    if answer.rows:
        lines += ["  ".join(cell.rjust(width) if is_right else cell.ljust(width)
                            for cell, width, is_right in zip(row, widths, right)).rstrip()
                  for row in rows]
    if len(answer.rows) > _MOST_ROWS:
        lines.append(f"... and {len(answer.rows) - _MOST_ROWS:,} more")
    return "".join(f"{line}\n" for line in lines if line or answer.rows)
