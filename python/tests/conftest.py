# SPDX-License-Identifier: Apache-2.0
"""Fixtures that record programs with our collector, and return their events.

    def test_a_range_closes(record):
        events = record('''
            import rangeline.nvtx as nvtx
            with nvtx.annotate("step"):
                pass
        ''')
        assert events.lines() == ["push step", "pop step"]

A program is text, or a function that uses no names from outside it. It runs in a child
of this interpreter, under `rangeline profile` of the build that RANGELINE_BUILD names.
"""
import inspect
import itertools
import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RANGELINE_BUILD", ROOT / "build"))
RANGELINE = BUILD / "bin" / "rangeline"


def pytest_configure(config):
    config.addinivalue_line("markers", "by_choice: `make test` leaves it out: it takes "
                            "long, or depends on the machine")
    config.addinivalue_line("markers", "once: about what is the same for every Python")
    config.addinivalue_line("markers", "slow: for the oldest and the newest Python alone: "
                            "it takes long, or knows little of Python's versions")


class Recording(list):
    """The events of a run, as `rangeline print --json` prints them (JSON.md), and how
    the program ended: `status`, `output` and `errors`; `notes` are the recorder's messages."""

    def __init__(self, events, trace, run):
        super().__init__(events)
        self.trace, self.status, self.output = trace, run.returncode, run.stdout
        self.errors = self.notes = ""
        for line in run.stderr.splitlines(keepends=True):
            if line.startswith(("rangeline: ", "hint: ")):
                self.notes += line
            else:
                self.errors += line

    def of(self, *types):
        """The events of these types."""
        return [event for event in self if event["type"] in types]

    def lines(self, *fields):
        """Each range, mark and sample as a line: type, message, and these fields as
        `name=value`. A pop and an end have the message of what they close."""
        return [" ".join([e["type"], str(e["message"]),
                          *(f"{f}={e[f]}" for f in fields if f in e)])
                for e in with_messages(self)]

    def ranges(self):
        """Ranges as `rangeline print --ranges --json` has them."""
        return decode(self.trace, "--ranges") if self.trace.exists() else []


def with_messages(events):
    """The pushes, pops, starts, ends, marks and samples, each with a message."""
    open_ranges, result = {}, []
    for e in events:
        thread = (e["pid"], e.get("tid"), e.get("domain"))
        message = e.get("message", "")
        if e["type"] == "push":
            open_ranges.setdefault(thread, []).append(message)
        elif e["type"] == "start":
            open_ranges[e["id"]] = message
        elif e["type"] == "pop":
            stack = open_ranges.get(thread)
            message = stack.pop() if stack else "?"
        elif e["type"] == "end":
            message = open_ranges.pop(e.get("id"), "?")
        elif e["type"] == "sample":
            message = e.get("name", "")
        elif e["type"] != "mark":
            continue
        result.append({**e, "message": message})
    return result


def decode(trace, *options):
    done = subprocess.run([RANGELINE, "print", "--json", *options, trace],
                          stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def source_of(program):
    """The text of a program: itself, or a function and a call of it."""
    if not callable(program):
        return textwrap.dedent(program)
    text = textwrap.dedent(inspect.getsource(program))
    return f"{text}\n{program.__name__}()\n"


def recorded(trace, command, options=(), env=(), cwd=None, check=True, timeout=60,
             events=True):
    """Runs a command under `rangeline profile` and reads the trace, if `events`."""
    inherited = {k: v for k, v in os.environ.items()
                 if not k.startswith("RANGELINE_") and k != "NVTX_INJECTION64_PATH"}
    run = subprocess.run(
        [RANGELINE, "profile", "-o", trace, *options, "--", *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
        env={**inherited, **dict(env)}, cwd=cwd, timeout=timeout)
    if check and run.returncode:
        raise AssertionError(f"the program ended with {run.returncode}:\n{run.stderr}")
    return Recording(decode(trace) if events and trace.exists() else [], trace, run)


@pytest.fixture
def record(tmp_path):
    """record(program, *arguments, env={}, options=[], interpreter=[], check=True) -> Recording.

    Without `events` nothing is decoded: for programs that say millions of them.

    `env` is added to the environment, `options` are profile's, `interpreter` are words
    for Python itself (`["-X", "dev"]`). Unless `check` is False, the program must exit 0.
    """
    number = itertools.count(1)

    def record_program(program, *arguments, env=(), options=(), interpreter=(),
                       check=True, timeout=60, events=True):
        n = next(number)
        script = tmp_path / f"program{n}.py"
        script.write_text(source_of(program), encoding="utf-8")
        return recorded(tmp_path / f"run{n}.rln",
                        [sys.executable, *interpreter, script, *arguments],
                        options, env, tmp_path, check, timeout, events)

    return record_program


@pytest.fixture
def run_python(tmp_path):
    """run_python(program, *arguments, env={}) -> CompletedProcess: without a tool."""
    def run_program(program, *arguments, env=(), interpreter=(), timeout=60):
        inherited = {k: v for k, v in os.environ.items() if k != "NVTX_INJECTION64_PATH"}
        return subprocess.run(
            [sys.executable, *interpreter, "-c", source_of(program), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
            env={**inherited, **dict(env)}, cwd=tmp_path, timeout=timeout)

    return run_program
