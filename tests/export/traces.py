# SPDX-License-Identifier: Apache-2.0
"""Makes traces to export and describes their contents, for the cases beside this file.

    case_x.py BUILD_DIR        runs the functions of its module that begin with `test_`
"""
import contextlib
import functools
import importlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback

BUILD = pathlib.Path(sys.argv[1]).resolve()
RANGELINE = BUILD / "bin" / "rangeline"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="rangeline-export-"))

NAMES = ['with "quotes", \'these\' and \\', "two\nlines\tand a tab", "caf\u00e9 \u20ac",
         "not UTF-8: \ufffd\ufffd", "<b>&amp;;</b> a;b", "x" * (1 << 20)]


def needs(module):
    """Continues in the environment of tools/setup if this Python lacks a module.
    Without that environment, skips the case."""
    try:
        importlib.import_module(module)
        return
    except ImportError as why:
        lacking = why
    python = pathlib.Path(__file__).parents[2] / "build/readers/bin/python3"
    shutil.rmtree(WORK, ignore_errors=True)
    if python.exists() and not sys.prefix.endswith("build/readers"):
        os.execv(python, [python, "-B", *sys.argv])
    print(f"skipped: {lacking}: `tools/setup test` installs it")
    sys.exit(77)


ALIAS = 1 << 24  # added to a pid that another process has, too

# Golden traces in which ranges were open before recording began, at unknown times.
RESUMED = "windows", "newest"


class Skipped(Exception):
    """The case cannot run here: the message says why."""


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("RANGELINE")}
    env.pop("NVTX_INJECTION64_PATH", None)
    return env


def run(*command, ok=True, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(), check=False,
                          **options)
    if ok and done.returncode:
        raise AssertionError(f"{command}: exit {done.returncode}: {done.stderr.decode()}")
    return done


def peak_kib(*command):
    """A command's peak memory. Skips with sanitizers, whose memory would dominate."""
    if b"__asan_init" in RANGELINE.read_bytes():
        raise Skipped("the sanitizers' own memory would be counted")
    code = ("import resource, subprocess, sys; "
            "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run(sys.executable, "-c", code, *command).stdout)


@functools.lru_cache(None)
def everything(n=0):
    """A trace of everything.c."""
    trace = WORK / f"everything{n}.rln"
    run(RANGELINE, "profile", "-o", trace, BUILD / "bin/everything", n)
    return trace


@functools.lru_cache(None)
def empty():
    """A trace of a program whose events are all excluded; `profile` would remove it."""
    trace = WORK / "empty.rln"
    collector = BUILD / "lib/librangeline-collect.so"
    run("env", f"NVTX_INJECTION64_PATH={collector}", f"RANGELINE_OUTPUT={trace}",
        "RANGELINE_DOMAIN_INCLUDE=none", BUILD / "bin/everything", 0)
    return trace


@functools.lru_cache(None)
def crossing():
    """A trace of crossing.c."""
    trace = WORK / "crossing.rln"
    run(RANGELINE, "profile", "-o", trace, BUILD / "bin/crossing")
    return trace


@functools.lru_cache(None)
def scopes():
    """A trace of scopes.c."""
    trace = WORK / "scopes.rln"
    run(RANGELINE, "profile", "-o", trace, BUILD / "bin/scopes")
    return trace


@functools.lru_cache(None)
def untimed():
    """A trace of untimed.c."""
    trace = WORK / "untimed.rln"
    run(RANGELINE, "profile", "-o", trace, BUILD / "bin/untimed")
    return trace


SCOPES = {"of the batch": "device/queue A", "of an entry": "device/queue B",
          "of a time": "device/queue C", "of none": None}


@functools.lru_cache(None)
def one_pid():
    """A trace of one_pid.c."""
    trace = WORK / "one_pid.rln"
    if run(RANGELINE, "profile", "-o", trace, BUILD / "bin/one_pid", ok=False).returncode:
        raise Skipped("a process may not choose pids here")
    return trace


def check_one_pid(processes):
    """Checks the processes, by name of range, of an export of one_pid()."""
    numbers = [processes[name] for name in ("A", "B", "first", "second")]
    assert len(set(numbers)) == 4, processes
    assert processes["first, executed"] == processes["first"], processes


@functools.lru_cache(None)
def golden(name):
    """A trace of tests/unit/make_traces.c."""
    folder = WORK / "golden"
    if not folder.exists():
        folder.mkdir()
        run(BUILD / "bin/make_traces", folder)
    return folder / f"{name}.rln"


def before_any_clock(times):
    """An export of Nsight's with ranges, each of another domain, and without a
    clock."""
    path = WORK / f"clockless{len(times)}.sqlite"
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType
                INTEGER NOT NULL, text TEXT, globalTid INTEGER, domainId INTEGER);
            CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
            CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
            INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');""")
        db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, 'r', 1 << 48 | 7, ?)",
                       [(start, end, i) for i, (start, end) in enumerate(times)])
        db.commit()
    if b"is without SQLite" in run(RANGELINE, "info", path, ok=False).stderr:
        raise Skipped("this build was made without SQLite")
    return path


def golden_names():
    golden("nested")
    return sorted(path.stem for path in (WORK / "golden").glob("*.rln"))


def export(trace, kind, *options, name=None, ok=True):
    """Exports a trace; returns the file."""
    out = WORK / (name or f"{pathlib.Path(trace).stem}.{kind}")
    done = run(RANGELINE, "export", "-t", kind, "-f", "-o", out, *options, trace, ok=ok)
    return out if ok else done


def ranges(trace):
    """The output of `rangeline print --ranges --json`."""
    text = run(RANGELINE, "print", "--ranges", "--json", trace).stdout.decode()
    return [json.loads(line) for line in text.splitlines()]


def events(trace):
    text = run(RANGELINE, "print", "--json", trace).stdout.decode()
    return [json.loads(line) for line in text.splitlines()]


def is_whole(one):
    """Whether the beginning of a range is known."""
    return one.get("open") or not (one.get("unmatched") or one.get("inherited")
                                   or one.get("lost"))


def main(module):
    """Runs the tests of a module and exits."""
    failed = n = 0
    status = 0
    try:
        for name, test in list(vars(module).items()):
            if not name.startswith("test_"):
                continue
            try:
                test()
                n += 1
            except Skipped as why:
                print(f"skipped: {name}: {why}")
                status = 77
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"{name}:")
                traceback.print_exc(file=sys.stdout)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    print(f"{n} passed, {failed} failed")
    sys.exit(1 if failed else 77 if status and not n else 0)
