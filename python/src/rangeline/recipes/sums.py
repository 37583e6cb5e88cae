# SPDX-License-Identifier: Apache-2.0
"""Sums of traces, and reports of them, by the command: `rangeline reduce`, `rangeline stats`.

The two functions that a cluster needs are partial() and merge(): each gives the bytes of
a file of sums, and merging is the same in any order.
"""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import typing


_BLOCK = 1 << 22  # bytes of CSV at a time
_KINDS = "Rank", "Trace", "PID"  # of a job, or if it has no ranks


class Failed(Exception):
    """The command failed; `said` is what it wrote to standard error."""

    def __init__(self, said, status=1):
        super().__init__(said)
        self.said, self.status = said, status

    def __reduce__(self):  # it travels from a worker
        return Failed, (self.said, self.status)


def reduce(command, options, paths, output, folder):
    """Runs `rangeline reduce` in `folder`, where the paths are. Returns its standard error,
    without the line about the output."""
    listed, words = [], []
    for path in paths:  # a list has a line per name
        (words if "\n" in path or path.endswith("\r") else listed).append(path)
    words += ["@/dev/stdin"] if listed else []
    done = subprocess.run([command, "reduce", *options, "-o", output, "--", *words], cwd=folder,
                          input=b"".join(os.fsencode(f"{path}\n") for path in listed),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        raise Failed(said, done.returncode)
    return "".join(line for line in said.splitlines(keepends=True)
                   if not line.startswith(f"rangeline: {output}: "))


class Part(typing.NamedTuple):
    """A file of sums and the traces that it is of; None if there was nothing to sum up."""

    content: typing.Optional[bytes]
    paths: list


def partial(command, options, paths, folder, scratch):
    """The sums of some traces. If there are none, a later merge reads these again, and
    fails or lists them as unreadable. Works in a folder inside scratch."""
    with tempfile.TemporaryDirectory(prefix="rangeline-", dir=scratch) as here:
        output = os.path.join(here, "partial.rlsum")
        try:
            reduce(command, [*options, "-j", "1"], paths, output, folder)
        except Failed:
            return Part(None, paths)
        with open(output, "rb") as file:
            return Part(file.read(), paths)


def merge(command, options, parts, folder, scratch):
    """Several shares as one."""
    options = [*options, "-j", "1"]
    left = [path for part in parts if part.content is None for path in part.paths]
    whole = [part for part in parts if part.content is not None]
    all_paths = [path for part in parts for path in part.paths]
    if not whole:
        return Part(None, all_paths)
    with tempfile.TemporaryDirectory(prefix="rangeline-", dir=scratch) as here:
        paths, output = [], os.path.join(here, "merged.rlsum")
        for i, part in enumerate(whole):
            paths.append(os.path.join(here, f"{i}.rlsum"))
            with open(paths[-1], "wb") as file:
                file.write(part.content)
        try:
            reduce(command, options, [*paths, *left], output, folder)
        except Failed as error:  # of files that only we know: the traces fail in their own names
            named = [name for path, part in zip(paths, whole) if path in error.said
                     for name in part.paths]
            reduce(command, options, [*(named or all_paths), *left], output, folder)
            raise
        with open(output, "rb") as file:
            return Part(file.read(), all_paths)


class Sums:
    """A file of sums, and the reports of it."""

    def __init__(self, command, folder, name):
        self._command, self._folder, self._name = command, folder, name
        self.notes = []  # what the command says about them

    @contextlib.contextmanager
    def _output(self, name):
        """A report as CSV, to be read to its end."""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            with subprocess.Popen([self._command, "stats", "-r", name, "-f", "csv", self._name],
                                  cwd=self._folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=said) as process:
                yield process.stdout
            said.seek(0)
            text = said.read()
        if process.returncode:
            raise Failed(text, process.returncode)
        for line in text.splitlines():
            note = line[len("note: "):]  # of medians by name: recipes show none
            if line.startswith("note: ") and not note.startswith("medians of"):
                self.notes += [note] if note not in self.notes else []

    def traces(self):
        """What `rangeline info` lists: a dictionary per trace."""
        done = subprocess.run([self._command, "info", "--json", self._name], cwd=self._folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise Failed(done.stderr.decode("utf-8", "replace"), done.returncode)
        return json.loads(done.stdout.decode("utf-8", "surrogateescape"))

    def report(self, name):
        """Yields the header of a report, then its rows, as texts; nothing if it is empty. One
        row at a time: a report may be larger than memory."""
        with self._output(name) as output:
            csv.field_size_limit(sys.maxsize)
            lines = io.TextIOWrapper(output, "utf-8", "surrogateescape", newline="")
            yield from (row for row in csv.reader(lines) if row)

    def numbers(self, name):
        """The same of a report that has only numbers, many rows at a time: yields the header,
        then lists of columns."""
        with self._output(name) as output:
            header = output.readline().decode().rstrip("\n").split(",")
            yield header
            while lines := output.readlines(_BLOCK):
                values = list(map(int, b",".join(lines).split(b",")))
                yield [values[i :: len(header)] for i in range(len(header))]

    def rows(self, name):
        """The same, each row as a dictionary of the header's words without units; in a report
        by rank, with what they are as "Kind"."""
        rows = self.report(name)
        header = [word.split(" (ns)")[0] for word in next(rows, [])]
        kind = next((word for word in header if word in _KINDS), "Rank")
        header = ["Rank" if word == kind else word for word in header]
        for row in rows:
            yield {**dict(zip(header, row)), "Kind": kind.lower()}

    def ranks(self, name):
        """Of a report with a column per rank: yields the ranks' kind ("rank", "trace" or
        "pid") and numbers, then for each range its name and the values of the ranks."""
        rows = self.report(name)
        header = next(rows, ["Range"])
        at = header.index("Range")
        words = [word.split(" (")[0].split(" ") for word in header[at + 1:]]
        yield words[0][0].lower() if words else "rank", [int(number) for _, number in words]
        for row in rows:
            yield row[at], [int(value or 0) for value in row[at + 1:]]
