# SPDX-License-Identifier: Apache-2.0
"""COMMAND RECIPE STEP OUTPUT REPLACE FORMATS JOBS STRICT DASK READING BEFORE AFTER

Run by `rangeline recipe`.

Standard input has the paths of the side before, an empty one, and those of the side after,
each ending with a zero byte. READING are options of `rangeline reduce`, as a shell has them;
BEFORE and AFTER the inputs of the sides, as commands to copy name them.
Words that do not apply are empty.
"""

import signal

_IS_INTERRUPTIBLE = signal.getsignal(signal.SIGINT) == signal.default_int_handler
if _IS_INTERRUPTIBLE:  # until main() can clean up
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import importlib
import os
import shlex
import sys
import tempfile

if not __package__:  # run as a file: the package is two folders up
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.path.dirname(os.path.dirname(here)), *(p for p in sys.path if p != here)]

from rangeline.recipes import folder, page, parquet, sums, text
from rangeline.recipes.commands import Commands, shell_word


class Order:
    """The words, and what follows from them."""

    def __init__(self, words, before, after):
        (self.command, self.recipe, self.step, self.output, replace, formats, self.jobs,
         strict, self.dask, self.filters, *self.inputs) = words
        self.before, self.after = before, after
        self.may_replace = bool(replace)
        self.formats = formats.split(",")
        self.reading = shlex.split(self.filters)
        if self.step:
            self.reading.append(f"--steps={self.step}")
        if strict:
            self.reading.append("--strict")


class Job:
    """What a recipe arranges: sums of traces, two of them for a comparison."""

    def __init__(self, order, before, after):
        self.step, self.before, self.after = order.step, before, after
        self.commands_before, self.commands = (
            Commands(inputs, paths, side.traces if side else lambda: (), order.filters)
            for inputs, paths, side in zip(order.inputs, (order.before, order.after),
                                           (before, after)))


def main(words):
    """Returns the exit status."""
    if len(words) != 12:
        print(__doc__, file=sys.stderr)
        return 2
    paths = os.fsdecode(sys.stdin.buffer.read()).split("\0")[:-1]
    at = paths.index("")
    _handle_signals()
    _open_closed()
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        return _cook(Order(words, paths[:at], paths[at + 1:]))
    except BrokenPipeError:  # of `| head`: who reads has seen enough
        _discard_output()
        return 0
    except sums.Failed as error:
        print(error.said, end="", file=sys.stderr)
        return error.status
    except OSError as error:
        named = f': path="{error.filename}"' if error.filename else ""
        print(f"rangeline: cannot run recipe{named}: {error.strerror or error}", file=sys.stderr)
        _discard_output()
        return 1
    except OverflowError:
        print("rangeline: cannot run recipe: a time exceeds 2^63 ns\n"
              "hint: leave Parquet out: --format table,html", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _open_closed():
    """So that no other file gets the number of a closed one: what must be printed fails."""
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _discard_output():
    """What could not be written must not fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _handle_signals():
    """So that what is half done is removed."""
    if _IS_INTERRUPTIBLE:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.SIGTERM, signal.SIGHUP:
        if signal.getsignal(number) == signal.SIG_DFL:  # not under nohup
            signal.signal(number, lambda number, _: sys.exit(128 + number))


def _cook(order):
    pyarrow = _pyarrow() if "parquet" in order.formats else None
    is_written = order.output and order.formats != ["table"]
    if is_written:
        folder.check(order.output, order.may_replace)
    recipe = importlib.import_module(f".{order.recipe.replace('-', '_')}", "rangeline.recipes")
    with tempfile.TemporaryDirectory(prefix="rangeline-") as here:
        made = [sums.Sums(order.command, here, _sum_up_steps(order, paths, here, name)) if paths
                else None for name, paths in (("before", order.before), ("job", order.after))]
        answer = recipe.answer(Job(order, *made))
        for one, side in zip(made, ("before: ", "after: ")):
            answer.lacking += [(side if order.before else "") + note
                               for note in (one.notes if one else [])]
        if "table" in order.formats:
            sys.stdout.write(text.table(answer))
            sys.stdout.flush()
        if is_written:
            with folder.made(order.output, order.may_replace) as part:
                _write(order, answer, part, pyarrow)
            print(f"rangeline: wrote {order.output}", file=sys.stderr)
    for note in answer.lacking:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _sum_up(order, paths, here, name):
    """Makes a file of sums in the folder, and returns its name."""
    output = os.path.join(here, f"{name}.rlsum")
    if order.dask:
        from rangeline.recipes import dask_sums

        dask_sums.reduce(order.dask, order.command, order.reading, paths, output)
    else:
        jobs = ["-j", order.jobs] if order.jobs else []
        said = sums.reduce(order.command, [*order.reading, *jobs], paths, output, os.getcwd())
        sys.stderr.write("".join(line for line in said.splitlines(keepends=True)
                                 if not line.startswith("note: ")))  # the report says them
    return os.path.basename(output)


def _sum_up_steps(order, paths, here, name):
    """The same, with a hint if sums that were given lack the steps."""
    try:
        return _sum_up(order, paths, here, name)
    except sums.Failed as error:
        if order.step and "its steps are" in error.said:
            error.said += (f"hint: sum up with `rangeline reduce --steps={shell_word(order.step)} "
                           "-o SUMS TRACE...`\n")
        raise


def _pyarrow():
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise sums.Failed(f"rangeline: cannot write Parquet: {sys.executable} has no pyarrow\n"
                          "hint: `python3 -m pip install pyarrow`, or leave it out: "
                          "--format table,html\n") from None
    return pyarrow


def _write(order, answer, part, pyarrow):
    files = []
    if pyarrow:
        files.append(f"{order.recipe}.parquet")
        parquet.write(pyarrow, answer, os.path.join(part, files[-1]))
    if "notebook" in order.formats:
        files.append(f"{order.recipe}.ipynb")
        _write_text(part, files[-1], parquet.notebook(answer, order.recipe))
    if "html" in order.formats:
        _write_text(part, "index.html", page.page(answer, files))


def _write_text(folder_path, name, content):
    with open(os.path.join(folder_path, name), "w", encoding="utf-8", errors="replace") as file:
        file.write(content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
