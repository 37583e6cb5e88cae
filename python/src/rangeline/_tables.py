# SPDX-License-Identifier: Apache-2.0
"""The tables of `rangeline.trace`: their rows, how they are handed to other libraries,
and how they are shown."""

import collections
import collections.abc
import functools
import itertools
import operator
import sys

from rangeline import _arrow, _native, _picture
from rangeline._times import duration

_SHOWN = 10  # rows


@functools.lru_cache(maxsize=None)
def _row_type(title, columns):
    # "cuda_calls" makes CudaCalls.
    row = collections.namedtuple(title.title().replace("_", ""), columns)
    row.__reduce__ = lambda self: (_row_of, (title, columns, tuple(self)))
    return row


def _row_of(title, columns, values):
    """Rebuilds a pickled row."""
    return _row_type(title, columns)._make(values)


def _pandas_integer(arrow_type):
    """pandas' nullable integer of that type. With a plain one, a row without a value
    would make the column float64, which is exact only to 2^53."""
    import pandas
    import pyarrow

    if not pyarrow.types.is_integer(arrow_type):
        return None
    return pandas.api.types.pandas_dtype(str(arrow_type).replace("int", "Int").replace("u", "U"))


def _pandas_column(values):
    """A nullable column of Python's ints; other values are returned unchanged."""
    import pandas

    known = [value for value in values if value is not None]
    if not known or any(type(value) is not int for value in known):
        return values
    return pandas.array(values, dtype="UInt64" if max(known) >= 1 << 63 else "Int64")


class Table:
    """A table of a trace, read again at each use.

    Iterating yields a named tuple per row. `to_pandas()`, `to_polars()` and
    `to_arrow()` need that library; others read the table itself through
    `__arrow_c_stream__`.

    >>> for r in rangeline.open("run.rln").ranges(name="load"):
    ...     print(r.start, r.duration)
    """

    def __init__(self, paths, title, table, options):
        self._paths, self._title = paths, title
        self._table, self._options = table, options
        self.columns = tuple(self._stream().names())

    def __reduce__(self):
        return type(self), (self._paths, self._title, self._table, self._options)

    def _stream(self):
        return _arrow.Stream(self._paths, self._table, **self._options)

    def __arrow_c_stream__(self, requested_schema=None):
        """Arrow's interface: a capsule with a new stream of all rows.

        requested_schema: a capsule with a schema of the table's columns. It may request
        texts as utf8 or large_utf8, uint32 as int64, uint64 or float64, and int64 as
        duration in ns. A request with any other type is ignored as a whole; other
        columns raise ValueError.
        """
        return self._stream().capsule(requested_schema)

    def __iter__(self):
        make = _row_type(self._title, self.columns)._make
        return map(make, self._stream().rows())

    def __len__(self):
        return self._stream().count()

    def head(self, n=_SHOWN):
        """The first rows, as a list."""
        if not hasattr(n, "__index__"):
            raise TypeError(f"n must be int, not {type(n).__name__}")
        n = operator.index(n)
        if n < 0:
            raise ValueError(f"n must be 0 or more, not {n}")
        return list(itertools.islice(self, min(n, sys.maxsize)))

    def to_arrow(self):
        """The table as a pyarrow.Table."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def to_pandas(self):
        """The table as a pandas.DataFrame; texts are categories, integers nullable ones
        (Int64, UInt64, ...). Needs pyarrow, too."""
        return self.to_arrow().to_pandas(types_mapper=_pandas_integer)

    def to_polars(self):
        """The table as a polars.DataFrame."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self):
        return _text_of(self._title, self.columns, self.head(_SHOWN + 1))

    def _repr_html_(self):
        rows = self.head(_SHOWN + 1)
        picture = _picture.timeline(self) if self._table == _arrow.RANGES else ""
        return picture + _html_of(self._title, self.columns, rows)


class Tree(Table):
    """The call tree. `str()` indents it; a row's `parent` is the enclosing row."""

    def __str__(self):
        lines = []
        for node in self:
            name = _picture.shown(node.name or "")
            if node.domain:
                name = f"{_picture.shown(node.domain)}:{name}"
            lines.append(
                f"{duration(node.total):>10}  {duration(node.self):>10}  "
                f"{node.count:>9,}  {'  ' * node.level}{name}"
            )
        head = f"{'total':>10}  {'self':>10}  {'calls':>9}  name"
        return "\n".join([head, *lines])

    __repr__ = __str__

    def _repr_html_(self):
        return f"<pre>{_picture.escaped(str(self))}</pre>"


class Rows(collections.abc.Sequence):
    """The rows of a report, each a dict, kept in memory.

    >>> rangeline.open("run.rln").reports["nvtx_sum"][0]["Range"]
    ':step'
    """

    def __init__(self, title, rows):
        self._title, self._rows = title, rows
        self.columns = tuple(rows[0]) if rows else ()

    def __getitem__(self, index):
        return self._rows[index]

    def __len__(self):
        return len(self._rows)

    def __arrow_c_stream__(self, requested_schema=None):
        """Arrow's interface: a capsule with a stream of all rows, as for a `Table`."""
        return _native.arrow_rows(
            {name: [row[name] for row in self._rows] for name in self.columns},
            requested_schema,
        )

    def to_arrow(self):
        """The report as a pyarrow.Table."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def to_pandas(self):
        """The report as a pandas.DataFrame."""
        import pandas

        columns = {
            name: _pandas_column([row[name] for row in self._rows]) for name in self.columns
        }
        return pandas.DataFrame(columns, columns=self.columns)

    def to_polars(self):
        """The report as a polars.DataFrame."""
        import polars

        return polars.DataFrame(self)

    def _shown(self):
        return [tuple(row.values()) for row in self._rows[: _SHOWN + 1]]

    def __repr__(self):
        return _text_of(self._title, self.columns, self._shown())

    def _repr_html_(self):
        return _html_of(self._title, self.columns, self._shown())


# Numbers that are identifiers, shown without thousands separators.
_IDS = {"pid", "tid", "end_pid", "end_tid", "id", "counter_id", "category", "color",
        "correlation", "device", "context", "stream", "result", "graph_node"}


def _cell(column, value):
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int) or column.lower() in _IDS:
        return _picture.shown(str(value))
    return f"{value:,}"


def _text_of(title, columns, rows):
    """The first rows as text, without columns that have no value in them."""
    shown = rows[:_SHOWN]
    kept = [i for i in range(len(columns)) if any(row[i] is not None for row in shown)]
    lines = [[columns[i] for i in kept]] + [[_cell(columns[i], row[i]) for i in kept]
                                           for row in shown]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines
    )
    more = "\n..." if len(rows) > _SHOWN else ""
    return f"{title}\n{text}{more}" if shown else f"{title}: no rows"


def _html_of(title, columns, rows):
    head = "".join(f"<th>{_picture.escaped(name)}</th>" for name in columns)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{_picture.escaped(_cell(column, value))}</td>"
            for column, value in zip(columns, row)
        )
        + "</tr>"
        for row in rows[:_SHOWN]
    )
    more = "<p>...</p>" if len(rows) > _SHOWN else ""
    return (
        f"<table><caption>{_picture.escaped(title)}</caption><thead><tr>{head}</tr>"
        f"</thead><tbody>{body}</tbody></table>{more}"
    )
