# SPDX-License-Identifier: Apache-2.0
"""Reads traces in Python: `rangeline.open("run.rln")`.

>>> trace = rangeline.open("run.rln")
>>> trace.ranges(name="step*", min_duration=1_000_000).to_pandas()
>>> trace.reports["nvtx_sum"]
>>> print(trace.tree())

Tables have Arrow's interface, `__arrow_c_stream__`: pandas, polars, DuckDB and pyarrow
read them without a copy, but none of them is required. All times are nanoseconds since
the first trace began.
"""

import collections
import collections.abc
import errno
import functools
import itertools
import json
import math
import numbers
import operator
import os
import subprocess
import sys

from rangeline import _arrow, _native, _picture
from rangeline.__main__ import find as _find_command

__all__ = ["Reports", "Rows", "Table", "Trace", "Tree", "View", "open"]

_SHOWN = 10


def open(path):
    """Opens a trace, or several as one, and returns a `Trace`.

    path: a path, or an iterable of them (the ranks of a run). Raises OSError if a file
    cannot be opened, and ValueError if it is no trace.

    >>> import rangeline
    >>> trace = rangeline.open(["rank0.rln", "rank1.rln"])
    """
    return Trace(path)


def _paths(path):
    if isinstance(path, (str, bytes, os.PathLike)):
        path = [path]
    try:
        paths = [os.fsencode(each) for each in path]
    except TypeError:
        raise TypeError(
            "path must be a path or an iterable of paths, not "
            + type(path).__name__
        ) from None
    if not paths:
        raise ValueError("path must name at least one trace")
    if any(b"\0" in each for each in paths):
        raise ValueError("path must not contain a null character")
    return paths


def _found_command():
    command = _find_command()
    if command is None:
        raise FileNotFoundError("the command rangeline is neither in this package nor in "
                                "PATH")
    return command


def _run(*arguments):
    """Runs the command and returns its output; raises ValueError with its message."""
    run = subprocess.run(
        [_found_command(), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if run.returncode:
        raise ValueError(run.stderr.decode("utf-8", "replace").strip())
    return run.stdout.decode("utf-8")


def _command(*arguments):
    """Runs the command and returns its parsed JSON output."""
    text = _run(*arguments)
    return json.loads(text) if text.strip() else []


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
                f"{_duration(node.total):>10}  {_duration(node.self):>10}  "
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


@functools.lru_cache(maxsize=None)
def _report_names(command):
    text = subprocess.run(
        [command, "stats", "--help-reports"], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    return [line.split()[0] for line in text.splitlines() if line.strip()]


class Reports(collections.abc.Mapping):
    """The reports of `rangeline stats` by name, made on demand.

    >>> list(rangeline.open("run.rln").reports)
    ['nvtx_sum', 'nvtx_pushpop_sum', ...]
    """

    def __init__(self, arguments):
        self._arguments = arguments

    def __iter__(self):
        return iter(_report_names(_found_command()))

    def __len__(self):
        return len(_report_names(_found_command()))

    def __repr__(self):
        return f"<rangeline.Reports {', '.join(self)}>"

    def __contains__(self, name):
        if isinstance(name, str) and ":" not in name:
            return name in list(self)
        try:
            self[name]  # the name may have an argument that the report rejects
        except (KeyError, ValueError):
            return False
        return True

    def __getitem__(self, name):
        if not isinstance(name, str) or name.split(":")[0] not in list(self):
            raise KeyError(name)
        return Rows(
            name,
            _command("stats", "-q", "-f", "json", "-r", name, "--", *self._arguments),
        )


class View:
    """The viewer with a trace, for a notebook to display. See `Trace.view`."""

    def __init__(self, page, height, what):
        self._page, self._height, self._what = page, height, what

    def __repr__(self):
        return f"<rangeline.trace.View of {self._what}>"

    # The frame has an origin of its own: the page cannot reach the notebook.
    def _repr_html_(self):
        return (
            '<iframe title="rangeline view" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {self._height}px; border: 0" '
            f'srcdoc="{_picture.escaped(self._page)}"></iframe>'
        )


class Trace:
    """The contents of one or several traces. See `rangeline.open`."""

    def __init__(self, path):
        self._paths = _paths(path)
        self._names = [os.fsdecode(each) for each in self._paths]
        self._info = None
        for name in self._names:
            os.stat(name)  # raises the specific OSError, such as FileNotFoundError
        _arrow.Stream(self._paths, _arrow.MARKS)  # raises errors now

    # For `with`, as other files are opened. A trace keeps nothing open: each iteration
    # opens the files, so it can still be read after the block.
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    @property
    def paths(self):
        """The paths, as a list of str."""
        return list(self._names)

    @property
    def info(self):
        """`rangeline info --json` as a dict: processes, threads, domains, windows..."""
        if self._info is None:
            self._info = _command("info", "--json", "--", *self._names)
        return self._info

    def ranges(self, **filters):
        """Push/pop, start/end and synchronization ranges, sorted by end time.

        Filters, here and in the next seven methods: `name`, `domain` (None is the
        default domain), `category`, `thread`, `process` (numbers or names), each a
        pattern (`*`, `?`) or a list of them; `payload`, conditions such as "Bytes>=1M,
        Op=Sum"; and `window`, its index. `rename` changes names: "numbers" ("step 12"
        becomes "step #"), "s/PATTERN/TEXT/", or a list of these. What has a duration,
        here and in `gpu` and `cuda_calls`, has the filter `min_duration`, in ns.
        """
        return self._open("ranges", _arrow.RANGES, filters, has_duration=True)

    def marks(self, **filters):
        """Marks, by time; filters as for `ranges`."""
        return self._open("marks", _arrow.MARKS, filters)

    def counters(self, **filters):
        """Samples of counters, one row per number; `name` filters by counter."""
        return self._open("samples", _arrow.SAMPLES, filters)

    def events(self, **filters):
        """All events, by time; filters as for `ranges`."""
        return self._open("events", _arrow.EVENTS, filters)

    def gpu(self, **filters):
        """What GPUs did, a row per operation, sorted by start time; filters as for
        `ranges`, where `thread` is a stream: "GPU 0/*".

        start, end, duration: in ns. kind: kernel, copy, set, graph (a CUDA graph that
        was recorded as a whole) or sync (a wait of the program, which overlaps the
        others). correlation: that of the call in `cuda_calls()` of the same pid.
        device, context, stream: numbers in the process. bytes: of a copy or set.
        grid_x, ...: blocks of a kernel; block_x, ...: threads of a block.
        static_shared_memory, dynamic_shared_memory: bytes of a block.

        >>> kernels = [op for op in trace.gpu() if op.kind == "kernel"]
        """
        return self._open("gpu", _arrow.GPU, filters, has_duration=True)

    def cuda_calls(self, **filters):
        """Calls of CUDA, and its overhead, on threads, sorted by start time; filters as
        for `ranges`.

        start, end, duration: in ns. kind: call, overhead, or node (a node of a CUDA
        graph is created). result: CUDA's error number, 0 if there was none.
        """
        return self._open("cuda_calls", _arrow.CALLS, filters, has_duration=True)

    def summary(self, window=None, **filters):
        """One row per name: count, total, average, median, min, max, stddev of its
        ranges; filters as for `marks`."""
        return self._open("summary", _arrow.SUMMARY, {"window": window, **filters})

    def tree(self, window=None, **filters):
        """The call tree of push/pop ranges, over all threads. With filters, ranges that
        only enclose matching ones have a count of 0."""
        return self._open("tree", _arrow.TREE, {"window": window, **filters}, made=Tree)

    @property
    def reports(self):
        """The reports of `rangeline stats`, by name: `reports["nvtx_sum"]`."""
        return Reports(self._names)

    def diff(self, after, on="median", rename=()):
        """Compares this trace with a later one, range by range: `rangeline diff`.

        after: a Trace, or what `open` takes. on: median, p95 or total. rename: as in
        `ranges`, of both.
        """
        rules = _patterns("rename", rename) if rename else []
        after = after if isinstance(after, Trace) else Trace(after)
        before = itertools.chain.from_iterable(("-b", name) for name in self._names)
        return Rows("diff", _command("diff", "--all", "-f", "json", "--on", on, *before,
                                     *(f"--rename={rule}" for rule in rules), "--",
                                     *after._names))

    def check(self):
        """Problems in the annotations or the trace: `rangeline check`."""
        return Rows("check", _command("check", "-f", "json", "--", *self._names))

    def export(self, path, format=None, replace=False, **filters):
        """Writes the trace in the format of another tool: `rangeline export`.

        path: the file to write; its extension selects the format (.pftrace, .json, .csv,
        .folded, .speedscope.json, .jsonl, .sqlite, ...) unless `format` names one.
        replace: overwrite a file of that name, which otherwise raises FileExistsError.
        Filters as for `ranges`.

        >>> rangeline.open("run.rln").export("run.pftrace", domain="loader")
        """
        if format is not None and not isinstance(format, str):
            raise TypeError(f"format must be str or None, not {type(format).__name__}")
        kind = [] if format is None else [f"--type={format}"]
        self._write("export", ["--quiet", *kind], "--output", path, replace, filters)

    def to_html(self, path, replace=False, **filters):
        """Writes one HTML page that shows the trace in any browser, without a network:
        `rangeline view --html`. Arguments as for `export`.

        >>> rangeline.open("run.rln").to_html("run.html", min_duration=1_000)
        """
        self._write("to_html", [], "--html", path, replace, filters)

    def view(self, height=480, **filters):
        """The viewer, in a notebook: the page of `to_html` in a frame.

        height: of the frame, in pixels. Filters as for `ranges`. The notebook keeps the
        page, about 300 KB and what the trace adds.

        >>> rangeline.open("run.rln").view(domain="loader")
        """
        if isinstance(height, bool) or not isinstance(height, int):
            raise TypeError(f"height must be an int, not {type(height).__name__}")
        if height < 1:
            raise ValueError(f"height must be at least 1, not {height}")
        options = _as_options(_checked("view", filters, has_duration=True))
        return View(_run("view", "--html=-", *options, "--", *self._names), height, repr(self))

    def _write(self, title, options, option, path, replace, filters):
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"path must be a path, not {type(path).__name__}")
        path = os.fsdecode(_paths(path)[0])
        if not replace and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if path == "-":  # which means standard output to the command
            path = os.path.join(os.curdir, path)
        _run("export" if title == "export" else "view", *options, f"{option}={path}",
             *(["--force-overwrite"] if replace else []),
             *_as_options(_checked(title, filters, has_duration=True)), "--", *self._names)

    def _open(self, title, table, filters, has_duration=False, made=Table):
        return made(self._paths, title, table, _checked(title, filters, has_duration))

    def __repr__(self):
        return f"<rangeline.Trace {', '.join(self._names)}>"

    def _repr_html_(self):
        return self.ranges()._repr_html_() + self.tree()._repr_html_()


_KINDS = ("name", "domain", "category", "thread", "process", "payload", "rename")


def _checked(title, filters, has_duration):
    """Checks filters given as keywords; returns them as options of `_arrow.Stream`."""
    filters = dict(filters)
    options = {"window": _window(filters.pop("window", None)), "filters": []}
    if has_duration:
        options["min_duration"] = _nanoseconds(filters.pop("min_duration", 0))
    for kind, patterns in filters.items():
        if kind not in _KINDS:
            raise TypeError(f"{title}() has no filter {kind!r}: there are " + ", ".join(
                (*_KINDS, "window", *(["min_duration"] if has_duration else []))))
        options["filters"] += [f"{kind}={each}" for each in _patterns(kind, patterns)]
    return options


def _as_options(checked):
    """Yields filters that _checked() has returned as options of the command."""
    if checked["window"] is not None:
        yield f"--window={checked['window']}"
    if checked["min_duration"]:
        yield f"--min-duration={checked['min_duration']}ns"
    for each in checked["filters"]:
        if each == "rename=numbers":
            yield "--fold-numbers"
        elif each.startswith("payload="):
            yield f"--filter-{each}"
        else:
            yield f"--{each}"


def _window(index):
    if index is not None and (isinstance(index, bool) or not hasattr(index, "__index__")):
        raise TypeError(f"window must be int or None, not {type(index).__name__}")
    if index is not None and not 0 <= index < 2**32:
        raise ValueError(f"window must be from 0 to 2**32 - 1, not {index}")
    return None if index is None else operator.index(index)


def _nanoseconds(number):
    if isinstance(number, bool) or not isinstance(number, numbers.Real):
        raise TypeError(f"min_duration must be a number, not {type(number).__name__}")
    if not 0 <= number < 2**64:
        raise ValueError(f"min_duration must be from 0 to 2**64 - 1 ns, not {number}")
    return math.ceil(number)


def _patterns(kind, patterns):
    if isinstance(patterns, (str, bytes)) or not hasattr(patterns, "__iter__"):
        patterns = [patterns]
    patterns = [_pattern(kind, each) for each in patterns]
    if not patterns:
        raise ValueError(f"{kind} must have at least one value")
    return patterns


def _pattern(kind, pattern):
    if pattern is None and kind == "domain":
        return "default"
    if isinstance(pattern, str) and "\0" in pattern:
        raise ValueError(f"{kind} must not contain a null character")
    if isinstance(pattern, str):
        return pattern
    if isinstance(pattern, bool) or not hasattr(pattern, "__index__"):
        raise TypeError(f"{kind} must be str, int or a list of them")
    return operator.index(pattern)


def _duration(ns):
    for limit, unit, scale in (
        (1e3, "ns", 1), (1e6, "us", 1e3), (1e9, "ms", 1e6), (float("inf"), "s", 1e9)
    ):
        if ns < limit:
            return f"{ns / scale:.{0 if scale == 1 else 1}f} {unit}"
    return ""


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
