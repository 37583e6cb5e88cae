# SPDX-License-Identifier: Apache-2.0
"""Runs cases one after the other and prints the table of their figures.

A case is a function that takes a Run, whose methods run programs within the case's time
and note figures. It ends early by raising Failed or Skipped. A figure beyond its limit
fails the case, which still goes on to the next figure.
"""
import contextlib
import datetime
import os
import pathlib
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
import traceback
from collections import namedtuple

# Ten minutes are promised, and what a case leaves has to be packed.
ALL_SECONDS = 560
MOST_KEPT = 8 << 20  # bytes of a file; traces of 10^5 launches are larger

Case = namedtuple("Case", "name about needs seconds function")
Done = namedtuple("Done", "code out err")


class Failed(Exception):
    """The case cannot go on: the message says why."""


class Hung(Failed):
    """A program took longer than the case may."""


class Skipped(Exception):
    """The case needs what is not here: the message says what."""


def case(cases, name, *needs, seconds=60):
    """Adds the function to the list; its first line of documentation is printed."""

    def add(function):
        about = function.__doc__.splitlines()[0]
        cases.append(Case(name, about, ("gpu", "rangeline", *needs), seconds, function))
        return function

    return add


class Run:
    """One run of a case, in a folder of its own."""

    def __init__(self, machine, folder, seconds):
        self.machine, self.folder = machine, folder
        self.seconds, self.deadline = seconds, time.monotonic() + seconds
        self.figures = []  # (name, measured, limit, whether it holds or None)
        self.n_commands = self.n_recordings = 0
        folder.mkdir(parents=True)

    # ---- Figures ----------------------------------------------------------------------

    def report(self, name, measured):
        self.figures.append((name, str(measured), "", None))

    def equal(self, name, measured, expected):
        self.figures.append((name, str(measured), f"= {expected}", measured == expected))

    def at_most(self, name, measured, limit, unit="", digits=3):
        self.figures.append((name, f"{measured:.{digits}f} {unit}".strip(),
                             f"<= {limit} {unit}".strip(), measured <= limit))

    def at_least(self, name, measured, limit, unit="", digits=0):
        self.figures.append((name, f"{measured:.{digits}f} {unit}".strip(),
                             f">= {limit} {unit}".strip(), measured >= limit))

    # ---- Programs ---------------------------------------------------------------------

    def execute(self, command, ok=True, **variables):
        """Runs a command to its end, or to that of the case's time. Its output goes to
        files: a grandchild that lives on could keep a pipe open forever."""
        self.n_commands += 1
        paths = [self.folder / f"{self.n_commands}.{name}" for name in ("stdout", "stderr")]
        environment = {**clean_environment(), **variables}
        with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                stderr=err, env=environment, cwd=self.folder, start_new_session=True)
            try:
                code = process.wait(max(self.deadline - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                end_session(process)
                raise Hung(f"no end within {self.seconds:.0f} s: {words(command)}") from None
            except KeyboardInterrupt:
                end_session(process)
                raise
        done = Done(code, *(path.read_bytes() for path in paths))
        if ok and code:
            raise Failed(f"status {code}: {last_line(done.err)}: {words(command)}")
        return done


def clean_environment():
    return {k: v for k, v in os.environ.items()
            if not k.startswith(("RANGELINE", "NVTX_", "CUDA_INJECTION"))}


def end_session(process):
    """A process that waits within the driver may not end; it is then left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)


def words(command, most=100):
    """What is run, which is at the end."""
    text = " ".join(str(word) for word in command)
    return text if len(text) <= most else "..." + text[-most:]


def last_line(text):
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no message"


# ---- The table ------------------------------------------------------------------------

def cut(text, most=22):
    return text if len(text) <= most else text[:most - 3] + "..."


class Table:
    """Prints to standard output, and to a file so that a run that is stopped has left
    what it knew."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")  # pylint: disable=consider-using-with

    def line(self, text=""):
        for file in (self.file, None):
            print(text.rstrip(), file=file, flush=True)

    def row(self, *cells):
        self.line("{:20} {:32} {:>22}  {:22} {}".format(*cells))

    def result(self, name, result, figures, why, seconds):
        for figure, measured, limit, holds in figures:
            self.row(name, figure, cut(measured), cut(limit),
                     {None: "-", True: "pass", False: "FAIL"}[holds])
            if holds is False and (measured, limit) != (cut(measured), cut(limit)):
                self.line(f"{name:20} {figure}: {measured}, not {limit}")
        if result == "skipped":
            self.line(f"{name:20} skipped: {why}")
        else:
            self.line(f"{name:20} {result} in {seconds:.1f} s{': ' if why else ''}{why}")


def run_one(one, run):
    """Returns (result, why)."""
    try:
        one.function(run)
    except Skipped as why:
        return "skipped", str(why)
    except Failed as why:
        return "failed", str(why)
    except Exception:  # pylint: disable=broad-except
        text = traceback.format_exc()
        (run.folder / "traceback").write_text(text, encoding="utf-8")
        return "failed", text.strip().splitlines()[-1]
    beyond = [figure[0] for figure in run.figures if figure[3] is False]
    return ("failed", ", ".join(beyond)) if beyond else ("passed", "")


def lacking(one, machine, seconds):
    for need in one.needs:
        why = machine.lacks(need)
        if why:
            return why
    return "no time is left" if seconds < 1 else None


def run_cases(cases, machine, out, limit=None):
    """Returns the exit status."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="rangeline-device-"))
    end = time.monotonic() + ALL_SECONDS
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    if out:
        out.mkdir(parents=True, exist_ok=True)
    table = Table((out or work) / "results.txt")
    machine.work = work / "programs"
    table.line(f"{'date':10} {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC")
    for name, value in machine.describe({need for one in cases for need in one.needs}):
        table.line(f"{name:10} {value}")
    table.line()
    for one in cases:
        begin = time.monotonic()
        why = lacking(one, machine, end - begin)
        figures, result = [], "skipped"
        if not why:
            begin = time.monotonic()  # the machine may have built something
            run = Run(machine, work / one.name,
                      max(min(limit or one.seconds, end - begin), 0))
            result, why = run_one(one, run)
            figures = run.figures
            if result != "failed":
                shutil.rmtree(run.folder, ignore_errors=True)
        counts[result] += 1
        table.result(one.name, result, figures, why, time.monotonic() - begin)
    keep(work, out, counts["failed"] or machine.failure, table)
    if machine.failure:
        table.line(f"rangeline cannot be built: {machine.failure}")
        counts["failed"] += 1
    table.line(", ".join(f"{n} {result}" for result, n in counts.items()))
    return 1 if counts["failed"] else 0


def keep(work, out, has_failed, table):
    """One small file, because some machines give little back."""
    if has_failed and out:
        with tarfile.open(out / "failures.tar.gz", "w:gz") as tar:
            tar.add(work, arcname="failures",
                    filter=lambda info: info if info.size <= MOST_KEPT else None)
        table.line(f"what failed: {out}/failures.tar.gz")
    if has_failed and not out:
        table.line(f"what failed: {work}")
    else:
        shutil.rmtree(work, ignore_errors=True)
