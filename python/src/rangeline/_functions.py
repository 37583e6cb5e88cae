# SPDX-License-Identifier: Apache-2.0
"""Run by `rangeline profile --python=functions` with the program as arguments: runs
rangeline.nvtx of the package that contains this file, even if another is installed."""

import importlib
import os
import sys


def _main():
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path = [home] + [p for p in sys.path if os.path.abspath(p or ".") != own]
    try:
        main = importlib.import_module("rangeline.nvtx.__main__").main
    except ImportError as error:
        sys.exit(f"rangeline: cannot annotate functions: rangeline.nvtx is not built for "
                 f"{sys.executable}: {error}\nhint: `pip install .` with that Python")
    sys.path.remove(home)
    # Python puts the program's folder first, unless its options forbid that. This is a
    # placeholder, which main() replaces.
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path.insert(0, "")
    main()


_main()
