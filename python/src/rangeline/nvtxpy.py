# SPDX-License-Identifier: Apache-2.0
"""The API of the package `nvtxpy`, without the CUDA libraries that it needs.

Any NVTX tool records the ranges. profile_range() and profiled() also keep statistics,
with or without a tool.

Example:
    >>> from rangeline import nvtxpy
    >>> with nvtxpy.profile_range("load", color=nvtxpy.colors.green, payload=3):
    ...     pass
    >>> nvtxpy.getstats()["load"][0]
    1
"""

import contextlib
import functools
import numbers
import os
import threading
import time

from rangeline import _native
from rangeline._native import start_profiler, stop_profiler

__all__ = [
    "colors",
    "getstats",
    "profile_mark",
    "profile_range",
    "profile_range_nvtx_only",
    "profile_range_pop",
    "profile_range_push",
    "profiled",
    "start_profiler",
    "stats_table",
    "stop_profiler",
]


class colors:
    """Colors as numbers, 0xAARRGGBB.

    Example:
        >>> hex(colors.green)
        '0xff00ff00'
    """

    red = 0xFFFF0000
    green = 0xFF00FF00
    blue = 0xFF0000FF
    yellow = 0xFFFFFF00
    magenta = 0xFFFF00FF
    cyan = 0xFF00FFFF
    white = 0xFFFFFFFF
    black = 0xFF000000


# ---- Events ----------------------------------------------------------------------------


def _number(payload):
    """The payload as int or float; None for any other type, which is not sent."""
    if payload is None or type(payload) in (int, float):
        return payload
    if isinstance(payload, numbers.Integral):
        return int(payload)
    if not isinstance(payload, numbers.Real):
        return None
    try:
        return float(payload)
    except OverflowError:  # its message does not name the argument
        raise OverflowError(
            f"payload must be in the range of float, not a {type(payload).__name__} "
            "beyond it"
        ) from None


def profile_range_push(message, color=None, payload=None, category=None):
    """Begins a range of this thread, which profile_range_pop() ends.

    color is a number or a name, payload an int or a float, category a number or a name.

    Example:
        >>> profile_range_push("load", color=colors.red, payload=3, category="io")
        >>> depth = profile_range_pop()
    """
    _native.torch_range_push(message, color=color, payload=_number(payload),
                             category=category)


def profile_range_pop():
    """Ends the newest open range of this thread, and returns its depth: 0 if none was open
    around it, -1 if none was open at all, -2 if no tool records it.

    Example:
        >>> profile_range_push("load")
        >>> depth = profile_range_pop()
    """
    return _native.torch_range_pop()


def profile_mark(message, color=None, payload=None, category=None):
    """Marks an instant.

    Example:
        >>> profile_mark("checkpoint", color=colors.yellow)
    """
    _native.torch_mark(message, color=color, payload=_number(payload), category=category)


# ---- Statistics ------------------------------------------------------------------------


class _Statistics:
    """How often each range was entered, and its total time. Any thread may add."""

    def __init__(self):
        self.clear()
        # A forked child starts from zero, with an unlocked lock.
        os.register_at_fork(after_in_child=self.clear)

    def clear(self):
        self.lock = threading.Lock()
        self.of_name = {}

    def add(self, name, seconds):
        if isinstance(name, str):  # a derived class may redefine equality
            name = str.__str__(name)
        elif isinstance(name, bytes):  # under -bb, comparing it with str raises
            name = name.decode(errors="replace")
        with self.lock:
            entry = self.of_name.setdefault(name, [0, 0.0])
            entry[0] += 1
            entry[1] += seconds

    def take(self, reset):
        with self.lock:
            copy = {name: list(entry) for name, entry in self.of_name.items()}
            if reset:
                self.of_name = {}
        return copy


_statistics = _Statistics()


def getstats(reset=False):
    """The statistics of profile_range() and profiled() in this process, as a new
    dictionary {name: [count, total seconds]}. `reset` sets them to zero afterwards.

    A range inside another one of the same name is counted, and so is its time, although
    the outer range's time includes it.

    Example:
        >>> with profile_range("load"):
        ...     pass
        >>> count, seconds = getstats(reset=True)["load"]
    """
    return _statistics.take(reset)


def stats_table():
    """getstats() as printable text, the largest total first.

    Example:
        >>> print(stats_table())  # doctest: +SKIP
         total s      mean s     count  name
        1.204000    0.120400        10  load
    """
    lines = [f"{'total s':>12} {'mean s':>12} {'count':>9}  name"]
    statistics = sorted(getstats().items(), key=lambda item: -item[1][1])
    for name, (count, seconds) in statistics:
        lines.append(f"{seconds:12.6f} {seconds / count:12.6f} {count:9}  {name}")
    return "\n".join(lines)


# ---- Blocks and functions --------------------------------------------------------------


@contextlib.contextmanager
def profile_range_nvtx_only(name, color=None, payload=None, category=None):
    """A range around a block, or as a decorator around each call of a function. It ends
    on exceptions, too.

    Example:
        >>> with profile_range_nvtx_only("load", color=colors.green):
        ...     pass
    """
    profile_range_push(name, color, payload, category)
    try:
        yield
    finally:
        profile_range_pop()


@contextlib.contextmanager
def profile_range(name, color=None, payload=None, category=None):
    """Like profile_range_nvtx_only(), and getstats() includes its count and time.

    Example:
        >>> with profile_range("load", color=colors.green):
        ...     pass
    """
    profile_range_push(name, color, payload, category)
    begun = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - begun
        profile_range_pop()
        _statistics.add(name, seconds)


def _profiled_generator(function, recorded, name):
    @functools.wraps(function)
    def call(*args, **kwargs):
        begun = time.perf_counter()
        try:
            return (yield from recorded(*args, **kwargs))
        finally:
            _statistics.add(name, time.perf_counter() - begun)

    return call


def _profiled_coroutine(function, recorded, name):
    @functools.wraps(function)
    async def call(*args, **kwargs):
        begun = time.perf_counter()
        try:
            return await recorded(*args, **kwargs)
        finally:
            _statistics.add(name, time.perf_counter() - begun)

    return call


def _profiled_async_generator(function, recorded, name):
    from rangeline.nvtx._decorate import first_step

    @functools.wraps(function)
    async def call(*args, **kwargs):
        inner = recorded(*args, **kwargs)
        begun = time.perf_counter()
        try:
            item = await first_step(inner)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    await inner.aclose()
                    raise
                except BaseException as thrown:
                    item = await inner.athrow(thrown)
                else:
                    item = await inner.asend(sent)
        except StopAsyncIteration:
            return
        finally:
            _statistics.add(name, time.perf_counter() - begun)

    return call


def profiled(name, color=None, payload=None, category=None):
    """Decorates a function, classmethod or staticmethod: each call becomes a
    profile_range(). A coroutine or generator becomes one start/end range from its first
    step to its last, pauses included, and is counted with all of that time.

    Example:
        >>> @profiled("step", colors.blue)
        ... def step(n):
        ...     return n + 1
        >>> step(1)
        2
    """
    _native.torch_check(name, color=color, payload=_number(payload), category=category)

    def decorate(function):
        import inspect  # takes longer to import than all of this

        if isinstance(function, (classmethod, staticmethod)):
            return type(function)(decorate(function.__func__))
        if not callable(function):
            raise TypeError(
                f"profiled() decorates functions, not {type(function).__name__}"
            )
        for can_pause, make in (
            (inspect.iscoroutinefunction, _profiled_coroutine),
            (inspect.isgeneratorfunction, _profiled_generator),
            (inspect.isasyncgenfunction, _profiled_async_generator),
        ):
            # A pop would end whatever range the thread pushed during a pause.
            if can_pause(function):
                recorded = _native.annotate(name, color=color, payload=_number(payload),
                                            category=category)(function)
                return make(function, recorded, name)

        @functools.wraps(function)
        def call(*args, **kwargs):
            with profile_range(name, color, payload, category):
                return function(*args, **kwargs)

        return call

    return decorate
