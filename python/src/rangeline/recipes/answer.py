# SPDX-License-Identifier: Apache-2.0
"""What a recipe answers, before it becomes a page, a table or Parquet."""

import dataclasses
import functools
import itertools
import typing

from rangeline._times import duration

# Kinds of columns: how people see a value, and its type in Parquet.
TEXT, ID, COUNT, NS, PERCENT, RATE = "text", "id", "count", "ns", "percent", "rate"
IS_NUMBER = {ID, COUNT, NS, PERCENT, RATE}


class Column(typing.NamedTuple):
    """A column of a table for people."""

    name: str
    kind: str


@dataclasses.dataclass
class Answer:
    """An answer: a sentence, and what it rests on."""

    question: str
    sentence: str
    columns: list  # of Column
    rows: list  # for people; the most important first
    pictures: list  # (caption, SVG)
    data_columns: list  # of Column: the table in Parquet, times in ns
    data: typing.Callable  # yields its columns, many rows at a time; may be called again
    go_on: list  # (what for, command)
    analysis: str  # Python for the notebook: makes `result` of `table`, a pyarrow.Table
    plot: str  # Python for the notebook: draws `table` on `axes`
    lacking: list = dataclasses.field(default_factory=list)  # sentences


def in_columns(rows_of):
    """Decorates a function that yields rows: it yields columns then, many rows at a time."""
    @functools.wraps(rows_of)
    def blocks_of(*arguments):
        rows = rows_of(*arguments)
        while block := list(itertools.islice(rows, 1 << 17)):
            yield list(zip(*block))
    return blocks_of


def count(n, what, several=None):
    """"1 rank", "2 ranks"."""
    return f"{n:,} {what if n == 1 else several or what + 's'}"


def titled(kind):
    """What is compared, as a heading: "Rank", "Trace" or "PID"."""
    return "PID" if kind == "pid" else kind.capitalize()


def percent(value, sign=False):
    """A share for people: "3.2 %", "+12.0 %"."""
    value = round(value, 1) + 0.0  # no -0.0
    return f"{value:{'+' if sign else ''},.1f} %"


def shown(value, kind):
    """A cell for people."""
    if value is None:
        return ""
    if kind == NS:
        return duration(value)
    if kind == COUNT:
        return f"{value:,}"
    if kind == PERCENT:
        return percent(value)
    if kind == RATE:
        return f"{value:,.2f}"
    return printable(str(value))


def cut(text, most=60):
    """A long name without its middle: both ends of C++ names say what they are."""
    if len(text) <= most:
        return text
    return f"{text[:(most - 1) // 2]}\N{HORIZONTAL ELLIPSIS}{text[-(most // 2):]}"


def cut_words(sentence):
    """The same of a sentence with names, which are long if it is."""
    return cut(sentence, 600)


def printable(text):
    """Names are from traces: without characters that would change a terminal or a page."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in valid(text))


def valid(text):
    """Bytes of a name that are no UTF-8, which are surrogates here, become "\\xff"."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
