# SPDX-License-Identifier: Apache-2.0
"""Makes `import nvtx` import rangeline.nvtx under `rangeline profile --nvtx=rangeline`,
which puts this folder first in PYTHONPATH.

That is rangeline.nvtx of the package that contains this folder, or the one that this
Python has installed. A Python that can use neither imports its own `nvtx`: recording
must not end a program.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import warnings


def _load(name, folders):
    """Imports a package from these folders only; None if it is not there."""
    spec = importlib.machinery.PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return sys.modules[name]


def _forget(package):
    for name in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
        del sys.modules[name]


def _stand_in():
    standin = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    home = os.path.dirname(os.path.dirname(standin))
    if "rangeline" not in sys.modules:
        try:
            _load("rangeline", [home])
            importlib.import_module("rangeline._native")
        except ImportError:  # built for another Python
            _forget("rangeline")
    try:
        importlib.import_module("rangeline._alias").lend("nvtx", "rangeline.nvtx")
    except ImportError as error:
        warnings.warn(f"profile --nvtx=rangeline: rangeline.nvtx is not built for this "
                      f"Python ({error}); install it there, with `pip install .`",
                      RuntimeWarning, stacklevel=2)
        elsewhere = [f for f in sys.path if os.path.abspath(f or ".") != standin]
        if _load("nvtx", elsewhere) is None:
            raise ModuleNotFoundError("No module named 'nvtx'", name="nvtx") from None


_stand_in()
