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

from rangeline import _arrow, _picture
from rangeline.__main__ import find as _find_command
from rangeline._tables import Rows, Table, Tree

__all__ = ["Reports", "Rows", "Table", "Trace", "Tree", "View", "open"]


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
            '<iframe title="rangeline view" sandbox="allow-scripts" '
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
        try:
            _arrow.Stream(self._paths, _arrow.MARKS)  # raises errors now
        except ValueError as error:
            sums = next((each for each in self._names if each.endswith(".rlsum")), None)
            if sums is None:
                raise
            raise ValueError(f"{error}; `rangeline stats` reads sums of traces") from None

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
        """One row per name: count, total, self (without the ranges inside; None for
        start/end ranges), average, median, min, max, stddev of its ranges, in ns; filters
        as for `marks`."""
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

        after: a Trace, or what `open` takes. on: median, p95, total or cpu. rename: as in
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
        .folded, .speedscope.json, .jsonl, .arrows, .sqlite, ...) unless `format` names one.
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
        page, about 400 KB and what the trace adds.

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
