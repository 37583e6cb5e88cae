# SPDX-License-Identifier: Apache-2.0
"""Chooses the functions that a profile annotates, and names them: each once.

They are those of any program, in the middle of a call: nothing here may run code of it.
Python itself may: its handler of a signal. What that raises reaches the program through
each function here, so none may catch it.
"""

from __future__ import annotations

import os
import sys

from rangeline._native import Profiler

OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep,  # and where the hook is
_STANDARD = os.path.dirname(os.__file__) + os.sep
# What imports modules, and what runs before a program's own code.
_IMPORTERS = {
    "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>",
    "<frozen importlib.util>", "<frozen runpy>", "<frozen site>", "<frozen zipimport>",
    *(_STANDARD + name for name in ("importlib/util.py", "runpy.py", "site.py")),
}
_MAIN = "__main__", "__mp_main__"  # the latter in multiprocessing's workers
_Spec = type(sys.__spec__)
# Commands with which multiprocessing, loky and execnet start workers.
_BOOTSTRAPS = ("from multiprocessing.", "from joblib.externals.loky.", "from loky.",
               "import sys;exec(eval(sys.stdin.readline()))")


def _command():
    """The words that started this Python."""
    try:
        return sys.orig_argv  # from 3.10 on
    except AttributeError:
        pass
    try:
        with open("/proc/self/cmdline", "rb") as words:
            return os.fsdecode(words.read()).split("\0")
    except OSError:
        return []


COMMAND = _command()
_fnmatch = None  # fnmatch.fnmatchcase, if there are patterns


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
    if given:  # not earlier: it imports re; not later: naming imports nothing
        global _fnmatch
        from fnmatch import fnmatchcase as _fnmatch
    return given


def matches(pattern, name, path=""):
    """Whether a pattern matches the function or module `name`, or an enclosing module.

    A pattern with a slash is compared with the file's path, or an enclosing folder's; one
    that ends in `.py` also with the file's name.
    """
    if "/" in pattern or pattern.endswith(".py"):
        file = pattern.rstrip("/") if "/" in pattern else "*/" + pattern
        if _fnmatch(path, file) or _fnmatch(path, file + "/*"):
            return True
    return _fnmatch(name, pattern) or _fnmatch(name, pattern + ".*")


def _is_any(chosen, name, path):
    return any(matches(pattern, name, path) for pattern in chosen)


class FileNames:
    """`file:line(function)`, or `function`: as NVIDIA's package names them."""

    def __init__(self, include=None, exclude=None, linenos=True):
        self.include = patterns(include, "include")
        self.exclude = patterns(exclude, "exclude")
        self.linenos = linenos

    def includes(self, name, path, _module_names):
        """Whether a function of this qualified name and file is included."""
        return (_is_any(self.include, name, path) if self.include
                else path not in _IMPORTERS)

    def before_greenlet(self):
        """Called before the module greenlet runs: _profile.py replaces this."""

    check_greenlet = None  # once it has run, called for each new function

    def chooses(self, name, path="", module_names=None):
        """Whether a function is annotated."""
        if name == "greenlet.<module>":
            self.before_greenlet()
        if self.check_greenlet:
            self.check_greenlet()
        return (not path.startswith(OURS) and self.includes(name, path, module_names)
                and not _is_any(self.exclude, name, path))

    def of_code(self, code, module_names, qualified):
        """The name of a function in Python, or None: not annotated."""
        module = dict.get(module_names, "__name__", "") if module_names else ""
        if not self.chooses(f"{module}.{qualified}", code.co_filename):
            return None
        if not self.linenos:
            return code.co_name
        return (f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
                f"({code.co_name})")

    def of_builtin(self, function):
        """The bare name of a function in C, or None: not annotated."""
        owner = getattr(function, "__objclass__", None)
        if owner is None and not isinstance(function.__self__, type(sys)):
            owner = type(function.__self__) if function.__self__ is not None else None
        if owner is Profiler:
            return None
        module = getattr(function, "__module__", None) or getattr(
            owner, "__module__", "builtins")
        name = f"{module}.{getattr(function, '__qualname__', function.__name__)}"
        return function.__name__ if self.chooses(name) else None


def _module(module_names):
    """The module that has these names. The program's own is called as another module would
    import it, so that its functions have one name in all processes."""
    module = dict.get(module_names, "__name__")
    if module not in _MAIN:
        return module if isinstance(module, str) else ""
    spec = dict.get(module_names, "__spec__")
    if isinstance(spec, _Spec) and spec.name not in _MAIN:
        return spec.name
    file = dict.get(module_names, "__file__")
    return os.path.splitext(os.path.basename(file))[0] if isinstance(file, str) else module


def _is_mine(path, module_names):
    """Whether code belongs neither to Python nor to an installed package."""
    if path.startswith("<"):  # made while the program runs, by a module
        path = dict.get(module_names, "__file__", "")
        if not isinstance(path, str) or not path:
            return dict.get(module_names, "__name__") in _MAIN and not any(
                word.startswith(_BOOTSTRAPS) for word in COMMAND)
    return not (path.startswith(_STANDARD) or "/site-packages/" in path
                or "/dist-packages/" in path)


class QualifiedNames(FileNames):
    """`package.module.Class.method`, with the location of each function: `file:line`."""

    def __init__(self, include=None, exclude=None, only_mine=False):
        super().__init__(include, exclude)
        self.only_mine = only_mine

    def includes(self, name, path, module_names):
        if not self.only_mine:
            return super().includes(name, path, module_names)
        return _is_mine(path, module_names) or _is_any(self.include, name, path)

    def of_code(self, code, module_names, qualified):
        """The name of a function and its location, or None: not annotated."""
        module_names = module_names or {}
        path, line = code.co_filename, code.co_firstlineno
        module = _module(module_names)
        name = f"{module}.{qualified}" if module else qualified
        if not self.chooses(name, path, module_names):
            return None
        if qualified.endswith("<lambda>"):  # a module may have many of this name
            name += f":{line}"
        return name, f"{path}:{line}"
