# SPDX-License-Identifier: Apache-2.0
"""Run by `rangeline profile --python=functions` with the program as arguments: runs
rangeline.nvtx of the package that contains this file, even if another is installed."""

import importlib
import os
import sys


def _way_out(home):
    """The interpreter of the environment that `home` is the site-packages of, which
    need not be active; and how to install the package for this one."""
    install = f"`{sys.executable} -m pip install rangeline` (in a clone, `.`)"
    library = os.path.dirname(home)  # .../lib/python3.12
    python = os.path.join(os.path.dirname(os.path.dirname(library)), "bin",
                          os.path.basename(library))
    if os.path.basename(home) != "site-packages" or python == sys.executable or \
            not os.access(python, os.X_OK):
        return install
    return f"`rangeline profile --python=functions {python} SCRIPT.py`, or {install}"


def _main():
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path = [home] + [p for p in sys.path if os.path.abspath(p or ".") != own]
    try:
        main = importlib.import_module("rangeline.nvtx.__main__").main
    except ImportError as error:
        sys.exit(f"rangeline: cannot annotate functions: rangeline.nvtx is not built for "
                 f"{sys.executable}: {error}\nhint: {_way_out(home)}")
    sys.path.remove(home)
    # Python puts the program's folder first, unless its options forbid that. This is a
    # placeholder, which main() replaces.
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path.insert(0, "")
    main()


_main()
