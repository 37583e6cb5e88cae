# SPDX-License-Identifier: Apache-2.0
"""Rangeline: NVTX, complete and open. `rangeline.nvtx` annotates, `rangeline.open` reads."""


def __getattr__(name):
    if name == "__version__":  # on demand: reading metadata is slow
        from importlib.metadata import version

        return version("rangeline")
    if name in ("open", "Trace"):
        from rangeline import trace

        return getattr(trace, name)
    if name == "load_ipython_extension":  # what `%load_ext rangeline` looks for
        from rangeline import _jupyter

        return _jupyter.load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
