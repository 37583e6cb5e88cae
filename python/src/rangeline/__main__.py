# SPDX-License-Identifier: Apache-2.0
"""`python -m rangeline`: the command.

It lies in the package, with the collector beside it, and takes this process's place.
The script `rangeline` that pip installs does without Python: rangeline.sh.in.
"""

import os
import shutil
import signal
import sys


def find():
    """The path of the command: in this package, else in PATH; None if there is none."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "data", "bin", "rangeline")
    return inside if os.path.exists(inside) else shutil.which("rangeline")


def main():
    """Becomes the command, with the arguments of this process."""
    command = find()
    if command is None:
        sys.exit("rangeline: cannot find the command: it is neither in this package nor "
                 "in PATH\nhint: `pip install .` in rangeline's source tree")
    # CPython ignores these for itself, and what is ignored stays so in the program that
    # is recorded. Whether our caller had ignored them, too, can no longer be told.
    for ignored in signal.SIGPIPE, signal.SIGXFSZ:
        signal.signal(ignored, signal.SIG_DFL)
    # A build tree has no script, so what PATH has is not what has called us.
    os.execv(command, ["rangeline", *sys.argv[1:]])


if __name__ == "__main__":
    main()
