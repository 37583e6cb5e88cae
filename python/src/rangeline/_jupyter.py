# SPDX-License-Identifier: Apache-2.0
"""`%load_ext rangeline` and `%%rangeline` record a cell of a notebook.

    kernel --first NVTX call--> collector --windows--> a trace in a temporary folder
    cell n = window n

The cell runs in the kernel itself, between a start and a stop of recording.
"""

import atexit
import ctypes
import functools
import os
import shutil
import tempfile

from rangeline import _library, trace

_START, _STOP = 1, 2  # src/collect/capture/run_control.c


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


def load(shell):
    """Called by `%load_ext rangeline`."""
    recorder = _recorder()

    def cell(line, cell):
        """Records and shows the cell; binds the result to `line` if that is a name."""
        name = line.strip()
        if name and not name.isidentifier():
            raise ValueError(f"cannot name what was recorded: {name!r} is no identifier")
        recorder.start()
        try:
            shell.run_cell(cell)
        finally:
            recorded = Recorded(*recorder.stop())
        if name:
            shell.push({name: recorded})
        return recorded

    shell.register_magic_function(cell, "cell", "rangeline")
