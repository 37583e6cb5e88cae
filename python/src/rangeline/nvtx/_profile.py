# SPDX-License-Identifier: Apache-2.0
"""Profile annotates function calls automatically.

This file names the functions, filters them, and asks the interpreter to report calls.
C code handles the calls: native/profiling/py_profiler.h.
"""

from __future__ import annotations

import _thread
import os
import sys
from collections.abc import Iterable

from rangeline._native import DummyDomain, Profiler, get_domain

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD = os.path.dirname(os.__file__) + os.sep
# What imports modules, and what runs before a program's own code.
_IMPORTERS = {
    "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>",
    "<frozen importlib.util>", "<frozen runpy>", "<frozen site>", "<frozen zipimport>",
    *(_STANDARD + name for name in ("importlib/util.py", "runpy.py", "site.py")),
}

_lock = _thread.RLock()
_active = None  # the enabled Profile; at most one


def patterns(argument, name):
    """One pattern, several or None, as a tuple of fnmatch patterns."""
    if argument is None:
        return ()
    if isinstance(argument, str):
        argument = (argument,)
    try:
        given = tuple(argument)
    except TypeError:
        given = (argument,)
    for pattern in given:
        if not isinstance(pattern, str):
            raise TypeError(f"{name} must be a str, some of them or None, not "
                            f"{type(pattern).__name__}")
    return given


def matches(pattern, name, path=""):
    """Whether a pattern matches the function or module `name`, or an enclosing module.

    A pattern with a slash is compared with the file's path instead.
    """
    from fnmatch import fnmatchcase  # imports re, so only if there are patterns

    if "/" in pattern:
        return fnmatchcase(path, pattern)
    return fnmatchcase(name, pattern) or fnmatchcase(name, pattern + ".*")


class _Hook:
    """Until 3.11: a profile function, set in each thread."""

    def __init__(self, profile):
        self.profiler = Profiler(*profile._names(), lambda: None,
                                 profile._annotate_cfuncs)
        self.registered = self.profiler

    def start(self):
        import threading

        threading.setprofile(self.profiler.watch_this_thread)
        self.profiler.start()
        self.profiler.watch_threads()

    def stop(self):
        self.profiler.stop()
        import threading

        threading.setprofile(None)


class _Monitoring:
    """From 3.12 on: sys.monitoring, for all threads at once."""

    registered = None

    def __init__(self, profile):
        self.tool = None
        self.profiler = Profiler(*profile._names(), self.finish,
                                 profile._annotate_cfuncs)
        events = sys.monitoring.events
        p = self.profiler
        self.callbacks = {
            events.PY_START: p.on_start, events.PY_RESUME: p.on_resume,
            events.PY_THROW: p.on_throw, events.PY_RETURN: p.on_return,
            events.PY_YIELD: p.on_yield, events.PY_UNWIND: p.on_unwind,
        }
        self.events = sum(self.callbacks)
        if profile._annotate_cfuncs:
            self.callbacks.update({events.CALL: p.on_call,
                                   events.C_RETURN: p.on_call_end,
                                   events.C_RAISE: p.on_call_end})
            self.events |= events.CALL  # implies the other two

    def start(self):
        if self.tool is None:
            self.tool = self._take_tool()
            for event, callback in self.callbacks.items():
                sys.monitoring.register_callback(self.tool, event, callback)
        sys.monitoring.restart_events()  # re-enables events an earlier profile disabled
        self.profiler.start()
        sys.monitoring.set_events(self.tool, self.events)

    def stop(self):
        if not self.profiler.stop():
            self.finish()

    def finish(self):
        """Called when no thread has an open range any more."""
        tool, self.tool = self.tool, None
        if tool is not None:
            sys.monitoring.set_events(tool, 0)
            for event in self.callbacks:
                sys.monitoring.register_callback(tool, event, None)
            sys.monitoring.free_tool_id(tool)

    @staticmethod
    def _take_tool():
        preferred = sys.monitoring.PROFILER_ID
        for tool in (preferred, *(t for t in range(6) if t != preferred)):
            if sys.monitoring.get_tool(tool) is None:
                sys.monitoring.use_tool_id(tool, "rangeline.nvtx.Profile")
                return tool
        raise RuntimeError("cannot profile: all tool ids of sys.monitoring are in use")


class Profile:
    """Annotates function calls automatically, in all threads, in the domain "nvtx.py".

    A range is named `file:line(function)`, with the line on which the function begins,
    or `function` without `linenos`. C functions are annotated only with
    `annotate_cfuncs`, under their bare name. A generator or coroutine gets a range for
    each stretch that it runs; those from the second on have the category "resumed". A
    task, which is a coroutine that runs inside no other, also has a start/end range of
    the category "task" from its first step to its end.

    `include` and `exclude` are one or several patterns: `package.module` for everything
    in it, `*.load`, or, with a slash, a file's path: `*/site-packages/*`. Without
    `include`, all functions are included but those of Python's import system, which
    would outnumber a small program's own, and of what runs before the program. A C function is named after the module that
    defines it.

    One profile is enabled at a time: enabling another disables it. If no tool records,
    it does nothing.

    Example:
        >>> profile = nvtx.Profile(include="mypackage", annotate_cfuncs=False)
        >>> with profile:
        ...     train()
    """

    def __init__(self, linenos: bool = True, annotate_cfuncs: bool = True, *,
                 include: str | Iterable[str] | None = None,
                 exclude: str | Iterable[str] | None = None) -> None:
        self._linenos = bool(linenos)
        self._annotate_cfuncs = bool(annotate_cfuncs)
        self._include = patterns(include, "include")
        self._exclude = patterns(exclude, "exclude")
        self._source = None

    def enable(self) -> None:
        """Starts annotating calls. Does nothing if already enabled.

        Example:
            >>> profile = nvtx.Profile()
            >>> profile.enable()
            >>> train()
            >>> profile.disable()
        """
        global _active
        with _lock:
            if _active is self or isinstance(get_domain("nvtx.py"), DummyDomain):
                return
            if _active is not None:
                _active.disable()
            if self._source is None:
                self._source = (_Hook if sys.version_info < (3, 12) else _Monitoring)(self)
            _active = self
        self._source.start()  # outside the lock: from here on all calls are annotated

    def disable(self) -> None:
        """Stops annotating calls. Does nothing if not enabled.

        This thread's open ranges end now, those of other threads when their calls
        return.

        Example:
            >>> profile.disable()
        """
        global _active
        with _lock:
            if _active is self:
                _active = None
                self._source.stop()

    def __enter__(self) -> Profile:
        self.enable()
        return self

    def __exit__(self, *exception: object) -> None:
        self.disable()

    @property
    def _profile(self):
        """What sys.getprofile() returns while this profile is enabled: from 3.12 on
        None, because sys.monitoring calls it. NVIDIA's has this name, too."""
        return self._source and self._source.registered

    # --- Called by the profiler in C, once for each function ---

    def _names(self):
        return get_domain("nvtx.py"), self._name_of_code, self._name_of_builtin

    def _is_included(self, name, path=""):
        if not self._include and path in _IMPORTERS:
            return False
        if self._include and not any(matches(p, name, path) for p in self._include):
            return False
        return not any(matches(p, name, path) for p in self._exclude)

    def _name_of_code(self, code, names):
        """The name, or None: not annotated."""
        path = code.co_filename
        module = names.get("__name__", "") if isinstance(names, dict) else ""
        qualified = getattr(code, "co_qualname", code.co_name)  # from 3.11 on
        if path.startswith(_HERE) or not self._is_included(f"{module}.{qualified}", path):
            return None
        name = code.co_name
        if self._linenos:
            name = f"{os.path.basename(path)}:{code.co_firstlineno}({name})"
        return name

    def _name_of_builtin(self, function):
        owner = getattr(function, "__objclass__", None)
        if owner is None and not isinstance(function.__self__, type(sys)):
            owner = type(function.__self__) if function.__self__ is not None else None
        if owner is Profiler:
            return None
        module = getattr(function, "__module__", None) or getattr(
            owner, "__module__", "builtins")
        name = f"{module}.{getattr(function, '__qualname__', function.__name__)}"
        return function.__name__ if self._is_included(name) else None
