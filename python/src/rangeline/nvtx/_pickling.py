# SPDX-License-Identifier: Apache-2.0
"""How a decorated function is pickled: by name, like a function, or by value if the
pickler writes functions out.

Picklers such as cloudpickle, with which Dask, Ray, Spark and joblib send work
elsewhere, write out the contents of functions of `__main__` and of local ones. They
recognize functions by type only, so they ask a decorated one for its `__reduce__`: that
gives the annotation, to be called with the plain function, which they write out as
usual.
"""

import functools
import pickle
import sys
import types

_OF_THE_FORM = {*functools.WRAPPER_ASSIGNMENTS, "__wrapped__"}


def _is_found(form):
    """Whether looking up the annotated form by its name finds it."""
    found = sys.modules.get(form.__module__)
    for name in form.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is form


def _writes_functions_out(pickler):
    """Whether a pickler treats functions specially."""
    if getattr(pickler, "reducer_override", None):
        return True
    way = getattr(pickler, "dispatch", {}).get(types.FunctionType)
    return isinstance(pickler, pickle._Pickler) and way is not pickle._Pickler.save_global


def reduce(form, annotation, function):
    """What `form.__reduce__()` returns for the annotated form of a function."""
    caller = sys._getframe(1)  # with pickle's C code, the frame of the pickler's dump()
    if _is_found(form) and not (
        form.__module__ == "__main__"
        and _writes_functions_out(caller.f_locals.get("self"))
    ):
        return form.__qualname__
    own = {
        name: value
        for name, value in vars(form).items()
        if name not in _OF_THE_FORM and vars(function).get(name) is not value
    }
    return annotation, (function,), own or None
