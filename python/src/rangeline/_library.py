# SPDX-License-Identifier: Apache-2.0
"""Finds the libraries of the command, which is in this package or in PATH."""

import glob
import os

from rangeline.__main__ import find as find_command


def find(name):
    """The path of a library; FileNotFoundError if it is not there."""
    command = find_command()
    if command is not None:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(command)))
        # An installation has those that are loaded by their paths in "rangeline", a
        # build tree has all in lib. On Debian, lib has a folder for each processor.
        for pattern in ("lib*/rangeline", "lib/*/rangeline", "lib*", "lib/*"):
            for path in glob.glob(os.path.join(glob.escape(prefix), pattern, name)):
                return path
    raise FileNotFoundError(
        f"cannot find {name}: it is beside neither this package nor the command "
        "rangeline in PATH"
    )
