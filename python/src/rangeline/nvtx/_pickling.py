# SPDX-License-Identifier: Apache-2.0
"""Pickles a decorated function: by name, like a function, or by value if the pickler
writes functions by value.

Picklers such as cloudpickle, with which Dask, Ray, Spark and joblib send work to other
processes, write the code of functions that are local, of `__main__`, or of registered
modules. They recognize functions as instances of the type; a decorated one tells them
that it is none (py_annotated.c), so they call its `__reduce__`. It returns the
annotation, to be called with the plain function, which they write by value as usual.
"""

import pickle
import sys
import types


def _is_found(form):
    """Whether looking up the annotated form by its name finds it."""
    found = sys.modules.get(getattr(form, "__module__", None))
    for name in getattr(form, "__qualname__", "").split("."):
        found = getattr(found, name, None)
    return found is form


def _writes_functions_by_value(pickler):
    """Whether a pickler may write functions by value: it overrides how they are saved."""
    if getattr(pickler, "reducer_override", None):
        return True
    way = getattr(pickler, "dispatch", {}).get(types.FunctionType)
    return isinstance(pickler, pickle._Pickler) and way is not pickle._Pickler.save_global


def _is_by_name(form, pickler):
    """Whether the pickler writes the annotated form by its name."""
    if not isinstance(form, types.FunctionType):  # picklers have no way of their own
        return _is_found(form)
    override = getattr(pickler, "reducer_override", None)
    # cloudpickle's own decision. It knows registered modules.
    decide = getattr(override, "__globals__", {}).get("_should_pickle_by_reference")
    if decide is not None:
        return decide(form)
    return _is_found(form) and not (
        form.__module__ == "__main__" and _writes_functions_by_value(pickler)
    )


def reduce(form, annotation, function):
    """What `form.__reduce__()` returns for the annotated form of a function."""
    caller = sys._getframe(1)  # with pickle's C code, the frame of the pickler's dump()
    if _is_by_name(form, caller.f_locals.get("self")):
        return form.__qualname__
    return annotation, (function,)
