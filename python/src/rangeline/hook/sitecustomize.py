# SPDX-License-Identifier: Apache-2.0
"""Annotates functions, and attaches the recorder to torch when a program imports it.

Under `rangeline profile --python` and `--pytorch`, every Python of the run,
workers among them, loads this file at startup, because the command puts this folder first
in PYTHONPATH. It runs the program's own sitecustomize. A failure here is reported, or a
warning: recording must not end a program.
"""

# Each Python of a run imports what is here, before anything else: as little as possible.
import os
import sys
from importlib import import_module
from importlib._bootstrap import module_from_spec
from importlib.machinery import PathFinder


def _load(name, folders):
    """Imports a module from these folders only; None if it is not there."""
    spec = PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _forget_rangeline():
    for name in [n for n in sys.modules if n.partition(".")[0] == "rangeline"]:
        del sys.modules[name]


def _module(home, name):
    """Imports a module of the package that contains this folder or, if there is none or it
    is built for another Python, of the one that this Python has installed."""
    if "rangeline" not in sys.modules:
        try:
            _load("rangeline", [home])
            import_module("rangeline._native")
        except ImportError:
            _forget_rangeline()
    return import_module(name)


def _report(write):
    """Calls write(address of the launcher's memory, ctypes): src/format/attach_report.h. Does
    nothing if it is not to be had, or another run's."""
    import ctypes

    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmdt.argtypes = [ctypes.c_void_p]
    run = bytes.fromhex(os.environ.get("RANGELINE_RUN", "").replace("-", ""))
    address = libc.shmat(int(os.environ.get("RANGELINE_REPORT", "-1")), None, 0)
    if address == ctypes.c_void_p(-1).value:
        return
    if ctypes.string_at(address, 16) == run:
        write(address, ctypes)
    libc.shmdt(address)


def _report_torch():
    def write(address, ctypes):
        ctypes.c_uint32.from_address(address + 20).value = 1  # has_torch

    _report(write)


def _report_missing(step):
    """Adds why functions or modules of this process are missing, for the launcher to print. Of two
    processes at the same time one may be lost, not more."""
    def write(address, ctypes):
        n = ctypes.c_uint32.from_address(address + 16)
        if n.value >= 32:  # RLN__MAX_REPORTS
            return
        entry = address + 64 + 512 * n.value
        n.value += 1
        path = os.fsencode(sys.executable)[:471]
        ctypes.memmove(entry + 40, path + b"\0", len(path) + 1)
        ctypes.c_uint32.from_address(entry + 8).value = os.getpid()
        ctypes.c_uint32.from_address(entry).value = step

    _report(write)


_NO_PACKAGE, _DISPLACED, _MISSED = 5, 6, 7  # enum rln__attach_step


def _patterns(variable):
    return [p for p in os.environ.get(variable, "").split(",") if p] or None


def _annotate_functions(folder, home, which):
    """Annotates every call from here on: before the program's own code."""
    try:
        profiles = _module(home, "rangeline._profile")
    except ImportError:
        _report_missing(_NO_PACKAGE)
        return
    chosen = sys.modules["rangeline._function_names"]
    # A process that multiprocessing starts beside the workers, to clean up after them.
    if any("multiprocessing.resource_tracker" in word for word in chosen.COMMAND):
        return
    chosen.OURS += folder + os.sep,
    names = chosen.QualifiedNames(
        _patterns("RANGELINE_PYTHON_INCLUDE"), _patterns("RANGELINE_PYTHON_EXCLUDE"),
        only_mine=which == "mine")
    reported = set()

    def report_once(step):
        """For each process: a forked one inherits the answer of its parent."""
        if (os.getpid(), step) not in reported:
            reported.add((os.getpid(), step))
            _report_missing(step)

    def on_displaced():
        report_once(_DISPLACED)

    profile = profiles.Profile._of_functions(names, on_displaced,
                                             lambda: report_once(_MISSED))

    def end():
        try:
            if profile._end():
                on_displaced()
        except Exception as error:
            _warn(f"profile --python={which}: {error}")

    import atexit

    atexit.register(end)
    profile.enable()


def _warn(text):
    import warnings

    try:
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    except RuntimeWarning:
        pass  # the program makes errors of warnings, but this is none of its own


class _AtTorch:
    """Finds torch as usual, and calls the recorder before and after its import. Programs
    also look for torch to know whether it is there: then nothing is imported."""

    def __init__(self, home, mode):
        self.home, self.mode = home, mode
        self.is_busy = False

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "torch" or self.is_busy:
            return None
        from importlib.util import find_spec

        self.is_busy = True
        try:
            spec = find_spec("torch")
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
        try:
            recorder = _module(self.home, "rangeline.torch._attach")
        except ImportError:
            _report_missing(_NO_PACKAGE)
            return None
        recorder.before_import(self.mode)
        return recorder

    def attempt(self, call, *arguments):
        try:
            return call(*arguments)
        except Exception as error:
            _warn(f"profile --pytorch={self.mode}: {error}")
            return None


def _main():
    folder = os.path.dirname(os.path.abspath(__file__))
    home = os.path.dirname(os.path.dirname(folder))
    mode = os.environ.get("RANGELINE_PYTORCH", "none")
    if mode != "none":
        sys.meta_path.insert(0, _AtTorch(home, mode))
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != folder]
    try:
        _load("sitecustomize", sys.path)
    finally:
        which = os.environ.get("RANGELINE_PYTHON_RANGES", "none")
        if which != "none":
            try:
                _annotate_functions(folder, home, which)
            except Exception as error:
                _warn(f"profile --python={which}: {error}")


_main()
