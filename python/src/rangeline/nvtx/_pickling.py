# SPDX-License-Identifier: Apache-2.0
"""How a decorated function is pickled: as a function is, by its name, or by value where
the pickler does so with functions.

cloudpickle and its kin, with which Dask, Ray, Spark and joblib send work to others, write
out what a function of `__main__`, or a local one, consists of. They know functions only by
their type, and so ask a decorated one how it is to be pickled: then it is its annotation,
called with its function, for which they have their own way.
"""

import functools
import pickle
import sys
import types

_OF_THE_FORM = {*functools.WRAPPER_ASSIGNMENTS, "__wrapped__"}


def _is_found(form):
    """Whether the name of the annotated form leads to it."""
    found = sys.modules.get(form.__module__)
    for name in form.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is form


def _writes_functions_out(pickler):
    """Whether a pickler has its own way with functions."""
    if getattr(pickler, "reducer_override", None):
        return True
    way = getattr(pickler, "dispatch", {}).get(types.FunctionType)
    return isinstance(pickler, pickle._Pickler) and way is not pickle._Pickler.save_global


def reduce(form, annotation, function):
    """What `form.__reduce__()` returns for the annotated form of a function."""
    caller = sys._getframe(1)  # of pickle's C code that of the pickler's dump()
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
