# SPDX-License-Identifier: Apache-2.0
"""Decorates functions, classes and other callables for annotate().

A plain function becomes an `annotated` object, which stands in for it and calls it
within a range. A function that makes coroutines or generators becomes one, too, but a
range around its call would only measure their creation. Instead, an `Execution` drives each of them, and
an outer coroutine or generator of the same kind and name awaits the `Execution` or
yields from it. So the interpreter itself passes on send(), throw(), close() and values.
"""

import functools
import sys
import types

from rangeline._native import Execution, annotate, annotated

# The CO_... flags of inspect, which takes longer to import than all of this.
_CO_GENERATOR, _CO_COROUTINE, _CO_ITERABLE_COROUTINE, _CO_ASYNC_GENERATOR = (
    0x20, 0x80, 0x100, 0x200,
)
_CAN_PAUSE = _CO_COROUTINE | _CO_GENERATOR | _CO_ASYNC_GENERATOR

# Python wraps functions of these names when it creates a class. It does not wrap an
# `annotated` object, so decorate() does.
_IMPLICIT = {
    "__new__": staticmethod,
    "__init_subclass__": classmethod,
    "__class_getitem__": classmethod,
}


# Objects that hold functions and cannot be called.
_WITH_FUNCTIONS = (
    property, functools.partialmethod, functools.singledispatchmethod,
    functools.cached_property,
)


def decorate(annotation, function):
    """The annotated form of a function, method, class or other callable."""
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(decorate(annotation, function.__func__))
    if isinstance(function, property):
        if function.fget is None:  # only getters get a range
            return function
        return function.getter(decorate(annotation, function.fget))
    if isinstance(function, functools.partialmethod):
        return _decorate_partial(annotation, function)
    if isinstance(function, functools.singledispatchmethod):
        return _SingleDispatchMethod(annotation, function)
    if isinstance(function, functools.cached_property):
        function.func = decorate(annotation, function.func)
        return function
    check(function)
    annotation = _named(annotation, function)
    if isinstance(function, type):
        return _decorate_class(annotation, function)
    if isinstance(function, functools.partial):
        return _decorate_partial(annotation, function)
    wrapper = _decorate_callable(annotation, function)
    kind = _IMPLICIT.get(getattr(function, "__name__", None))
    return kind(wrapper) if kind and isinstance(function, types.FunctionType) else wrapper


def check(function):
    """Returns the function, method or other callable, or raises what decorate() would:
    for annotations that are not recorded, which change nothing."""
    inner = function
    while isinstance(inner, (classmethod, staticmethod)):
        inner = inner.__func__
    if not callable(inner) and not isinstance(inner, _WITH_FUNCTIONS):
        raise TypeError(f"annotate() decorates functions, not {type(inner).__name__}")
    return function


def _named(annotation, function):
    """The annotation; if it has no message, one with the function's name."""
    message, *others = annotation.init_args
    if message is not None:
        return annotation
    while isinstance(function, functools.partial):
        function = function.func
    return annotate(getattr(function, "__name__", type(function).__name__), *others)


def _decorate_class(annotation, cls):
    """The class itself, changed to construct its instances within a range."""
    name = "__init__"
    if cls.__init__ is object.__init__:  # does nothing; derived classes may differ
        name = "__new__"
    construct = vars(cls).get(name) or _inherited(cls, name)
    construct = _decorate_callable(annotation, getattr(construct, "__func__", construct))
    try:
        setattr(cls, name, staticmethod(construct) if name == "__new__" else construct)
    except TypeError:  # a class written in C: annotate calls of it instead
        return _decorate_callable(annotation, cls)
    return cls


def _inherited(cls, name):
    """A method that calls the inherited one. It looks that up at each call, because in a
    derived class the next method in the order of its bases may be another."""

    def construct(self, *args, **kwargs):  # for __new__, self is the class
        inherited = getattr(super(cls, self), name)
        if name == "__init__":
            return inherited(*args, **kwargs)
        if inherited is not object.__new__:
            return inherited(self, *args, **kwargs)
        if (args or kwargs) and self.__init__ is object.__init__:
            raise TypeError(f"{self.__name__}() takes no arguments")
        return inherited(self)

    if getattr(cls, name) is object.__new__:
        from inspect import signature

        construct.__signature__ = signature(lambda cls: None)
        return construct
    return functools.update_wrapper(construct, getattr(cls, name))


def _decorate_partial(annotation, partial):
    """A partial or partialmethod of the annotated function: isinstance() of the result
    holds as before."""
    result = type(partial)(
        decorate(annotation, partial.func), *partial.args, **partial.keywords
    )
    # Keep attributes that others have set, but not the parts that a partialmethod has
    # there, too.
    result.__dict__.update({**partial.__dict__, **result.__dict__})
    return result


class _SingleDispatchMethod(functools.singledispatchmethod):
    """Annotates each implementation, also those registered later."""

    def __init__(self, annotation, plain):
        annotation = _named(annotation, getattr(plain.func, "__func__", plain.func))
        super().__init__(decorate(annotation, plain.func))
        self._annotation = annotation
        for cls, method in plain.dispatcher.registry.items():
            self.register(cls, method)

    def register(self, cls, method=None):
        if method is not None:
            super().register(cls, decorate(self._annotation, method))
        elif isinstance(cls, type) or not hasattr(cls, "__annotations__"):
            super().register(cls)  # raises if cls is no type
            return functools.partial(self.register, cls)
        else:
            super().register(decorate(self._annotation, cls))
        return method or cls  # not annotated: it may be registered for other types, too


def _decorate_callable(annotation, function):
    if not _code_flags(function) & _CAN_PAUSE:
        return annotated(annotation, function)
    message, color, domain, category, _ = annotation.init_args
    resumed = annotate(f"{_text(message)} [resumed]", color, domain, category)
    return annotated(annotation, function, _drive, resumed)


def _text(message):
    message = getattr(message, "string", message)  # of a RegisteredString
    return message.decode(errors="replace") if isinstance(message, bytes) else message


def _code_flags(function):
    """The flags of the code that calling it runs; 0 if that is not Python code."""
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        function = getattr(type(function), "__call__", None)
    return getattr(getattr(function, "__code__", None), "co_flags", 0)


# ---- Driving ---------------------------------------------------------------------------


def _drive(made, annotation, resumed):
    """Wraps the coroutine or generator that a decorated function has made."""
    if isinstance(made, types.CoroutineType):
        outer = _coroutine(Execution(annotation, resumed, made))
    elif isinstance(made, types.AsyncGeneratorType):
        outer = _async_generator(Execution(annotation, resumed), made)
    elif not isinstance(made, types.GeneratorType):
        return made
    elif made.gi_code.co_flags & _CO_ITERABLE_COROUTINE:
        outer = _iterable_coroutine(Execution(annotation, resumed, made))
    else:
        outer = _generator(Execution(annotation, resumed, made))
    outer.__name__ = made.__name__
    outer.__qualname__ = made.__qualname__
    return outer


async def _coroutine(execution):
    while True:
        try:
            return await execution
        except GeneratorExit:
            if hasattr(execution, "closed_with"):
                return execution.closed_with
            if not hasattr(execution, "ignored_with"):
                raise


def _generator(execution):
    while True:
        try:
            return (yield from execution)
        except GeneratorExit:
            if hasattr(execution, "closed_with"):
                return execution.closed_with
            if not hasattr(execution, "ignored_with"):
                raise


_iterable_coroutine = types.coroutine(
    types.FunctionType(_generator.__code__, globals(), "_iterable_coroutine")
)


async def _async_generator(execution, inner):
    try:
        item = await execution.steps(first_step(inner))
        while True:
            try:
                sent = yield item
            except GeneratorExit:
                await execution.steps(inner.aclose())
                raise
            except BaseException as thrown:
                item = await execution.steps(inner.athrow(thrown))
            else:
                item = await execution.steps(inner.asend(sent))
    except StopAsyncIteration:
        return
    finally:
        execution.end()


def first_step(inner):
    """The first step of an inner async generator, hidden from the event loop: the loop
    closes the outer one, and that closes this one."""
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        return inner.__anext__()
    finally:
        sys.set_asyncgen_hooks(*hooks)
