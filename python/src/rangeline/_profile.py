# SPDX-License-Identifier: Apache-2.0
"""Profile annotates function calls automatically.

This file asks the interpreter to report calls; _function_names.py chooses and names the
functions. C code handles the calls: native/profiling/py_profiler.h.
"""

from __future__ import annotations

import _thread
import sys

from rangeline._native import DummyDomain, Profiler, get_domain
from rangeline._function_names import FileNames

TYPE_CHECKING = False  # each Python of a run imports this file: no more than it needs
if TYPE_CHECKING:
    from collections.abc import Iterable

_TOOL = "rangeline.nvtx.Profile"
_lock = _thread.RLock()
_active = None  # the enabled Profile; at most one


class _Hook:
    """Until 3.11: a profile function, set in each thread."""

    def __init__(self, profile):
        self.profiler = profile._made_of(profile._on_displaced)
        self.registered = self.profiler

    def start(self):
        import threading

        threading.setprofile(self.profiler.watch_this_thread)
        self.profiler.start()
        self.profiler.watch_threads()

    def stop(self):
        import threading

        self.profiler.stop()
        if threading._profile_hook == self.profiler.watch_this_thread:
            threading.setprofile(None)
        return self.profiler.was_displaced()


class _Monitoring:
    """From 3.12 on: sys.monitoring, for all threads at once."""

    registered = None

    def __init__(self, profile):
        self.tool = None
        self.profiler = profile._made_of(self.finish)
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
        is_watching = self.profiler.stop()
        has_tool = self.tool is None or sys.monitoring.get_tool(self.tool) == _TOOL
        if not is_watching:
            self.finish()
        return not has_tool

    def finish(self):
        """Called when no thread has an open range any more."""
        tool, self.tool = self.tool, None
        if tool is not None and sys.monitoring.get_tool(tool) == _TOOL:
            sys.monitoring.set_events(tool, 0)
            for event in self.callbacks:
                sys.monitoring.register_callback(tool, event, None)
            sys.monitoring.free_tool_id(tool)

    @staticmethod
    def _take_tool():
        # First those that Python reserves for no kind of tool: the program's own debugger
        # (0), coverage (1) and profiler (2) need theirs, and some fail without.
        for tool in (3, 4, sys.monitoring.OPTIMIZER_ID, 2, 1, 0):
            if sys.monitoring.get_tool(tool) is None:
                sys.monitoring.use_tool_id(tool, _TOOL)
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
    in it, `*.load`, or, with a slash or a final `.py`, a file or folder:
    `*/site-packages/*`. Without `include`, all functions are included but those of
    Python's import system, which would outnumber a small program's own, and of what
    runs before the program. For patterns, a C function is in the module that defines it.

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
        self._annotate_cfuncs = bool(annotate_cfuncs)
        self._names = FileNames(include, exclude, linenos)
        self._source = None
        self._has_missed = False

    @classmethod
    def _of_functions(cls, names, on_displaced=lambda: None, on_missed=lambda: None):
        """Annotates functions in Python, and names them by an object like FileNames. Until
        3.11, calls on_displaced() when the program sets another profile function, and
        on_missed() when greenlets have switched unnoticed."""
        profile = cls(annotate_cfuncs=False)
        profile._names, profile._on_displaced = names, on_displaced
        profile._on_missed = on_missed
        return profile

    def _on_displaced(self):
        """disable() warns."""

    def _on_missed(self):
        self._has_missed = True  # disable() warns

    def _follow_greenlets(self):
        """Called before greenlet is imported, or later. greenlet imports the same module,
        and if that fails, fails itself."""
        if _active is not self or not hasattr(sys.modules.get("greenlet"), "__path__"):
            return
        try:
            from importlib import import_module

            p = self._source.profiler
            p.follow_greenlets(import_module("greenlet._greenlet"), self._on_missed)
            self._names.check_greenlet = p.check_greenlet
        # An old version, or a module of the program. A handler of a signal may raise others.
        except (ImportError, AttributeError, TypeError):
            pass

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
                _active._end()
            if self._source is None:
                self._source = (_Hook if sys.version_info < (3, 12) else _Monitoring)(self)
            _active = self
        self._names.before_greenlet = self._follow_greenlets
        self._follow_greenlets()
        self._source.start()  # outside the lock: from here on all calls are annotated

    def disable(self) -> None:
        """Stops annotating calls. Does nothing if not enabled.

        This thread's open ranges end now, those of other threads when their calls
        return.

        Example:
            >>> profile.disable()
        """
        if self._end():
            import warnings

            warnings.warn("the program has set another profile function (cProfile, "
                          "sys.setprofile): calls meanwhile are not annotated",
                          RuntimeWarning, stacklevel=2)
        if self._has_missed:
            import warnings

            self._has_missed = False
            warnings.warn("the program has set another function for switches of greenlets "
                          "(greenlet.settrace): ranges of those that switched meanwhile "
                          "are wrong", RuntimeWarning, stacklevel=2)

    def _end(self):
        """Disables it. Whether the program has displaced it, or taken its tool id."""
        global _active
        with _lock:
            if _active is not self:
                return False
            _active = None
            return self._source.stop()

    def _made_of(self, finish):
        """The profiler in C."""
        return Profiler(get_domain("nvtx.py"), self._names.of_code, self._names.of_builtin,
                        finish, self._annotate_cfuncs)

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
