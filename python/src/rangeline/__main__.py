# SPDX-License-Identifier: Apache-2.0
"""`python -m rangeline`: replaces this process with the command.

The package contains the command and the collector, or is installed beside them, as by
Spack and conda. The script `rangeline` that pip installs does not need Python:
python/rangeline.sh.
"""

import os
import shutil
import signal
import sys


def find():
    """The path of the command: in this package, else in the prefix where it is installed,
    else in PATH; None if there is none."""
    here = os.path.dirname(os.path.abspath(__file__))
    # Beside bin, Python's packages are in PREFIX/lib/python3.9/site-packages.
    for path in (f"{here}/data/bin/rangeline", f"{here}/../../../../bin/rangeline"):
        if os.path.exists(path):
            return os.path.normpath(path)
    return shutil.which("rangeline")


def main():
    """Becomes the command, with the arguments of this process."""
    command = find()
    if command is None:
        sys.exit("rangeline: cannot find the command: it is neither in this package nor "
                 "in PATH\nhint: `pip install .` in rangeline's source tree")
    # CPython ignores these signals, and the recorded program would inherit that. Whether
    # our caller ignored them, too, is no longer known.
    for ignored in signal.SIGPIPE, signal.SIGXFSZ:
        signal.signal(ignored, signal.SIG_DFL)
    # A build tree has no script, so a command in PATH cannot be the one that called us.
    os.execv(command, ["rangeline", *sys.argv[1:]])


if __name__ == "__main__":
    main()
