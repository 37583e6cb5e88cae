# SPDX-License-Identifier: Apache-2.0
"""Attaches the recorder to torch when a program imports it.

Under `rangeline profile --pytorch`, every Python of the run loads this file at startup,
because the command puts this folder first in PYTHONPATH. It imports no more than that
needs until torch is imported, and then runs the program's own sitecustomize. A failure
here is only a warning: recording must not end a program.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import warnings


def _load(name, folders):
    """Imports a module from these folders only; None if it is not there."""
    spec = importlib.machinery.PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _forget_rangeline():
    for name in [n for n in sys.modules if n.partition(".")[0] == "rangeline"]:
        del sys.modules[name]


def _recorder(home):
    """Imports rangeline.torch._attach of the package that contains this folder or, if
    that is built for another Python, of the one that this Python has installed."""
    if "rangeline" not in sys.modules:
        try:
            _load("rangeline", [home])
            importlib.import_module("rangeline._native")
        except ImportError:
            _forget_rangeline()
    return importlib.import_module("rangeline.torch._attach")


def _report_torch():
    """Sets has_torch in the launcher's memory: src/format/attach_report.h."""
    import ctypes  # torch imports it anyway

    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmdt.argtypes = [ctypes.c_void_p]
    run = bytes.fromhex(os.environ.get("RANGELINE_RUN", "").replace("-", ""))
    address = libc.shmat(int(os.environ.get("RANGELINE_REPORT", "-1")), None, 0)
    if address == ctypes.c_void_p(-1).value:
        return
    if ctypes.string_at(address, 16) == run:
        ctypes.c_uint32.from_address(address + 20).value = 1
    libc.shmdt(address)


class _AtTorch(importlib.abc.MetaPathFinder):
    """Finds torch as usual, and calls the recorder before and after its import. Programs
    also look for torch to know whether it is there: then nothing is imported."""

    def __init__(self, home, mode):
        self.home, self.mode = home, mode
        self.is_busy = False

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "torch" or self.is_busy:
            return None
        self.is_busy = True
        try:
            spec = importlib.util.find_spec("torch")
        finally:
            self.is_busy = False
        if spec is not None and spec.loader is not None:
            self.surround(spec.loader)
        return spec

    def surround(self, loader):
        execute = loader.exec_module

        def exec_module(module):
            self.attempt(_report_torch)
            recorder = self.attempt(self.before_import)
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            if recorder:
                self.attempt(recorder.after_import, self.mode)

        loader.exec_module = exec_module

    def before_import(self):
        recorder = _recorder(self.home)
        recorder.before_import(self.mode)
        return recorder

    def attempt(self, call, *arguments):
        try:
            return call(*arguments)
        except Exception as error:
            self.warn(error)
            return None

    def warn(self, error):
        try:
            warnings.warn(f"profile --pytorch={self.mode}: {error}", RuntimeWarning,
                          stacklevel=2)
        except RuntimeWarning:
            pass  # the program makes errors of warnings, but this is none of its own


def _main():
    folder = os.path.dirname(os.path.abspath(__file__))
    mode = os.environ.get("RANGELINE_PYTORCH", "none")
    if mode != "none":
        home = os.path.dirname(os.path.dirname(folder))
        sys.meta_path.insert(0, _AtTorch(home, mode))
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != folder]
    _load("sitecustomize", sys.path)


_main()
