# SPDX-License-Identifier: Apache-2.0
"""annotate_module() and annotate_class() annotate functions without editing them.

They replace a function under its name in its module or class and, with `recursive`, in
submodules that have imported it.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable

from rangeline._native import annotate
from rangeline._function_names import matches, patterns

_CONSTRUCTORS = {"__init__", "__call__"}  # the only special methods matched by default


class Annotations:
    """The functions that annotate_module() or annotate_class() has replaced.

    undo() restores them, and so does the end of a `with` block. len() is the number of
    functions.

    Example:
        >>> with nvtx.annotate_module(mypackage.model) as done:
        ...     print(len(done))
        ...     train()
    """

    def __init__(self):
        self._replaced = []  # (owner, name, old, new), in the order of replacement
        self._functions = {}  # {id of a function: (the function, its annotated form)}

    def __len__(self) -> int:
        return len(self._functions)

    def __enter__(self) -> Annotations:
        return self

    def __exit__(self, *exception: object) -> None:
        self.undo()

    def undo(self) -> None:
        """Restores the functions, except those that other code has replaced since.

        A second call does nothing.

        Example:
            >>> done = nvtx.annotate_module(mypackage.model)
            >>> done.undo()
        """
        while self._replaced:
            owner, name, old, new = self._replaced.pop()
            if vars(owner).get(name) is new:
                setattr(owner, name, old)
        self._functions.clear()

    def _replace(self, owner, name, old, new):
        setattr(owner, name, new)
        self._replaced.append((owner, name, old, new))


class _Options:
    """Which functions are annotated, and with what attributes."""

    def __init__(self, include, exclude, **attributes):
        self.include, self.exclude = patterns(include, "include"), patterns(
            exclude, "exclude")
        self.attributes = attributes

    def matches(self, name):
        if any(matches(p, name) for p in self.exclude):
            return False
        if self.include:
            return any(matches(p, name) for p in self.include)
        last = name.rpartition(".")[2]
        return last in _CONSTRUCTORS or not last.startswith("__")

    def annotated(self, done, function):
        """A function's annotated form, made once; the function itself if the filter does
        not match its name."""
        if type(function) is not types.FunctionType:  # such as an annotated one
            return function
        if id(function) not in done._functions:
            name = f"{function.__module__}.{function.__qualname__}".replace(
                ".<locals>", "")
            if not self.matches(name):
                return function
            form = annotate(name, **self.attributes)(function)
            # annotate() wraps methods such as `__new__`; the class has done so already.
            if isinstance(form, (staticmethod, classmethod)):
                form = form.__func__
            if form is function:  # no tool records
                return function
            done._functions[id(function)] = function, form
        return done._functions[id(function)][1]


def _annotate_member(done, options, cls, name, member):
    """Replaces a function of a class, or the static method, class method or property
    around it."""
    if isinstance(member, types.FunctionType):
        new = options.annotated(done, member)
    elif isinstance(member, (staticmethod, classmethod)):
        function = options.annotated(done, member.__func__)
        new = member if function is member.__func__ else type(member)(function)
    elif type(member) is property:
        parts = [member.fget, member.fset, member.fdel]
        forms = [options.annotated(done, part) for part in parts]
        if any(form is not part for form, part in zip(forms, parts)):
            new = property(*forms, member.__doc__)
        else:
            new = member
    else:
        return
    if new is not member:
        done._replace(cls, name, member, new)


def _annotate_class(done, options, cls):
    for name, member in list(vars(cls).items()):
        if isinstance(member, type):
            if (member.__module__ == cls.__module__
                    and member.__qualname__ == f"{cls.__qualname__}.{name}"):
                _annotate_class(done, options, member)
        else:
            _annotate_member(done, options, cls, name, member)


def _is_in(module_name, modules):
    return any(module.__name__ == module_name for module in modules)


def _submodules(module):
    prefix = f"{module.__name__}."
    return [m for name, m in list(sys.modules.items())
            if name.startswith(prefix) and isinstance(m, types.ModuleType)]


def annotate_module(module: types.ModuleType,
                    include: str | Iterable[str] | None = None,
                    exclude: str | Iterable[str] | None = None,
                    domain: str | None = None, recursive: bool = False, *,
                    color: str | int | None = None,
                    category: str | int | None = None) -> Annotations:
    """Annotates the functions of a module, and the methods of its classes.

    Only functions defined in the module, in Python, are annotated, not those it
    imports. Ranges are named `module.function` and `module.Class.method`. `include` and
    `exclude` are one or several patterns of these names: `*.load`, or `package.module`
    for everything in it. Special methods other than `__init__` and `__call__` are not
    annotated unless `include` matches them. `recursive` adds the submodules imported so
    far, and the names that they have imported from each other. Other modules that have
    already imported a function by name keep the original, so annotate first.

    Returns Annotations, to undo it. If no tool records, nothing is replaced.

    Example:
        >>> import mypackage.model
        >>> done = nvtx.annotate_module(mypackage, exclude="*.helper", recursive=True)
        >>> mypackage.model.train()
        >>> done.undo()
    """
    if not isinstance(module, types.ModuleType):
        raise TypeError(f"module must be a module, not {type(module).__name__}")
    options = _Options(include, exclude, domain=domain, color=color, category=category)
    modules = [module, *(_submodules(module) if recursive else ())]
    done = Annotations()
    for each in modules:
        for name, value in list(vars(each).items()):
            if not _is_in(getattr(value, "__module__", None), modules):
                continue
            if isinstance(value, type):
                if value.__module__ == each.__name__:
                    _annotate_class(done, options, value)
            elif isinstance(value, types.FunctionType):
                form = options.annotated(done, value)
                if form is not value:
                    done._replace(each, name, value, form)
    return done


def annotate_class(cls: type, include: str | Iterable[str] | None = None,
                   exclude: str | Iterable[str] | None = None,
                   domain: str | None = None, *, color: str | int | None = None,
                   category: str | int | None = None) -> Annotations:
    """Annotates the methods that a class and its nested classes define.

    These are functions, static and class methods, and properties, but not inherited
    ones. Otherwise it works like annotate_module().

    Example:
        >>> with nvtx.annotate_class(Model, include="*.forward", domain="model"):
        ...     Model().forward(batch)
    """
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a class, not {type(cls).__name__}")
    if not cls.__flags__ & 1 << 9:  # Py_TPFLAGS_HEAPTYPE
        raise TypeError(f"cls must be a class written in Python, not {cls.__name__}")
    options = _Options(include, exclude, domain=domain, color=color, category=category)
    done = Annotations()
    _annotate_class(done, options, cls)
    return done
