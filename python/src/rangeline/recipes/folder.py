# SPDX-License-Identifier: Apache-2.0
"""The folder of an answer: it appears only when complete, and replaces only one of its kind."""

import contextlib
import errno
import importlib
import os
import shutil

from .commands import shell_word
from .page import MADE_BY
from .sums import Failed


def check(path, may_replace):
    """Fails if the name is not ours to take, or nothing can be written there."""
    if os.path.basename(path.rstrip("/")) in ("", ".", ".."):  # it cannot be renamed
        raise Failed(f'rangeline: cannot write output: path="{path}": not the name of a new '
                     "folder\nhint: name one with -o, such as -o out\n")
    parent = os.path.dirname(path.rstrip("/")) or "."
    if not os.path.isdir(parent):
        hint = "" if os.path.lexists(parent) else f"hint: `mkdir -p {shell_word(parent)}`\n"
        raise Failed(f'rangeline: cannot write output: path="{path}": '
                     f"{os.strerror(errno.ENOTDIR if not hint else errno.ENOENT)}\n{hint}")
    if not os.access(parent, os.W_OK | os.X_OK):
        is_read_only = os.statvfs(parent).f_flag & os.ST_RDONLY
        why = os.strerror(errno.EROFS if is_read_only else errno.EACCES)
        raise Failed(f'rangeline: cannot write output: path="{path}": {why}\n')
    if not os.path.lexists(path):
        return
    if not may_replace:
        raise Failed(f'rangeline: cannot write output: path="{path}": File exists\n'
                     "hint: choose another name with -o, or replace it with -f\n")
    if os.path.islink(path) or not os.path.isdir(path):
        raise Failed(f'rangeline: cannot write output: path="{path}": not a folder\n')
    foreign = [name for name in sorted(os.listdir(path)) if not _is_ours(path, name)]
    if foreign:
        raise Failed(f'rangeline: cannot replace folder: path="{path}": no recipe made '
                     f'"{foreign[0]}" in it\nhint: choose another name with -o\n')


def _is_ours(path, name):
    at = os.path.join(path, name)
    if os.path.islink(at) or not os.path.isfile(at):
        return False
    if name == "index.html":
        with open(at, encoding="utf-8", errors="replace") as file:
            return MADE_BY in file.read(400)
    stem, extension = os.path.splitext(name)
    return extension in (".parquet", ".ipynb") and _is_recipe(stem)


def _is_recipe(name):
    """Of the modules here, recipes have answer()."""
    name = name.replace("-", "_")
    here = os.path.dirname(os.path.abspath(__file__))
    return not name.startswith("_") and os.path.isfile(os.path.join(here, f"{name}.py")) and \
        hasattr(importlib.import_module(f".{name}", __package__), "answer")


@contextlib.contextmanager
def made(path, may_replace):
    """A folder to write to, which gets its name in the end."""
    part = f"{path.rstrip('/')}.part"
    with contextlib.suppress(FileNotFoundError):  # left by one that was killed
        shutil.rmtree(part) if _is_part(part) else None
    os.mkdir(part)
    try:
        yield part
        if os.path.lexists(path):
            check(path, may_replace)
            for name in os.listdir(path):
                os.unlink(os.path.join(path, name))
            os.rmdir(path)
        os.rename(part, path)
    except BaseException as error:
        if isinstance(error, OSError) and not error.filename:  # of a write
            error.filename = path
        shutil.rmtree(part, ignore_errors=True)
        raise


def _is_part(path):
    return os.path.isdir(path) and all(_is_ours(path, name) for name in os.listdir(path))
