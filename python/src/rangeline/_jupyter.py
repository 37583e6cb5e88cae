# SPDX-License-Identifier: Apache-2.0
"""`%load_ext rangeline` and `%%rangeline` record a cell of a notebook.

    kernel --first NVTX call--> collector --windows--> a trace in a temporary folder
    cell n = window n

The cell runs in the kernel itself, between a start and a stop of recording.
"""

import atexit
import contextlib
import ctypes
import functools
import os
import shutil
import sys
import tempfile

from rangeline import _library, trace

_START, _STOP = 1, 2  # src/collect/capture/run_control.c
_FUNCTIONS, _MINE = "--python=functions", "--python=mine"
# What runs cells, prints what they print, and answers the front end from other threads.
_MACHINERY = ("IPython", "ipykernel", "jupyter_client", "tornado", "traitlets", "zmq",
              "asyncio.*events", "selectors")


def _remove(folder, pid):
    if os.getpid() == pid:  # not when a forked child exits: the kernel goes on
        shutil.rmtree(folder, ignore_errors=True)


class _Recorder:
    """Records this process; must be created before its first annotation."""

    def __init__(self):
        folder = tempfile.mkdtemp(prefix="rangeline-")
        atexit.register(_remove, folder, os.getpid())
        self._path = os.path.join(folder, "kernel.rln")
        collector = _library.find("librangeline-collect.so")
        os.environ["NVTX_INJECTION64_PATH"] = collector
        os.environ["RANGELINE_OUTPUT"] = self._path
        import rangeline.nvtx as nvtx

        nvtx.mark("rangeline")
        if not os.path.exists(self._path):
            raise RuntimeError(
                "cannot record: this kernel has annotated something before `%load_ext "
                "rangeline`; restart it and load the extension first"
            )
        self._control = ctypes.CDLL(collector).rln_collector_control
        self._control(_STOP)
        self._is_recording = False

    def start(self):
        if self._is_recording:
            raise RuntimeError("cannot record: a cell that is recorded is running")
        self._is_recording = True
        self._control(_START)

    def stop(self):
        """Stops recording; returns the trace and the index of the recorded window."""
        self._control(_STOP)
        self._is_recording = False
        recorded = trace.open(self._path)
        return recorded, len(recorded.info["windows"]) - 1


@functools.lru_cache(maxsize=None)
def _recorder():
    """The process's one recorder, however often the extension is loaded."""
    return _Recorder()


class Recorded:
    """What a cell did: a picture of its ranges, and its call tree."""

    def __init__(self, recorded, window):
        self.trace, self.window = recorded, window

    def is_empty(self):
        """Whether the cell has annotated nothing."""
        return next(iter(self.trace.events(window=self.window)), None) is None

    def ranges(self, **filters):
        """The cell's ranges, as `Trace.ranges`."""
        return self.trace.ranges(window=self.window, **filters)

    def tree(self):
        """The cell's call tree."""
        return self.trace.tree(window=self.window)

    def view(self, height=480, **filters):
        """The cell in the viewer, as `Trace.view`."""
        return self.trace.view(height, window=self.window, **filters)

    def __repr__(self):
        return repr(self.tree())

    def _repr_html_(self):
        return self.ranges()._repr_html_() + self.tree()._repr_html_()


@contextlib.contextmanager
def _annotated_functions(shell, only_mine):
    """Annotates the calls of a cell's statements: IPython calls run_code for each. What
    compiles them and shows their results would outnumber those calls."""
    from rangeline._function_names import QualifiedNames
    from rangeline._profile import Profile

    profile = Profile._of_functions(QualifiedNames(None, _MACHINERY, only_mine))
    run_code, display = shell.run_code, sys.displayhook

    async def annotated(*arguments, **options):
        with profile:
            return await run_code(*arguments, **options)

    def unannotated(show):
        def disable_and_show(*arguments, **options):
            profile.disable()
            return show(*arguments, **options)

        return disable_and_show

    shell.run_code = annotated
    shell.showtraceback = unannotated(shell.showtraceback)
    sys.displayhook = unannotated(display)
    try:
        yield
    finally:
        sys.displayhook = display
        del shell.run_code, shell.showtraceback


def _read(line):
    """The name on the line, or "", and the option that records functions, or None."""
    words, option = line.split(), None
    for word in words:
        if word in (_FUNCTIONS, _MINE):
            option = word
        elif word.startswith("-"):
            raise ValueError(f"cannot record: unknown option {word!r}; "
                             f"write %%rangeline [{_FUNCTIONS}|{_MINE}] [NAME]")
    name = " ".join(word for word in words if not word.startswith("-"))
    if name and not name.isidentifier():
        raise ValueError(f"cannot name what was recorded: {name!r} is no identifier")
    return name, option


def _advise(name):
    line = f"%%rangeline {_FUNCTIONS} {name}".rstrip()
    print(f"{line}\n\nas the first line of the cell records each call of a Python "
          "function. Nothing was recorded, because no annotation ran, such as\n"
          "`with rangeline.nvtx.annotate(\"load\"):`.")


def load(shell):
    """Called by `%load_ext rangeline`."""
    recorder = _recorder()

    def cell(line, cell):
        """%%rangeline [--python=functions|--python=mine] [NAME]

        Records and shows the cell, and binds the result to NAME.
        --python=functions  annotate every call of a Python function
        --python=mine       only of functions of the notebook and its own modules
        """
        name, option = _read(line)
        recorder.start()
        try:
            with (_annotated_functions(shell, option == _MINE) if option
                  else contextlib.nullcontext()):
                shell.run_cell(cell)
        finally:
            recorded = Recorded(*recorder.stop())
        if name:
            shell.push({name: recorded})
        if not option and recorded.is_empty():
            _advise(name)
            return None
        return recorded

    shell.register_magic_function(cell, "cell", "rangeline")
