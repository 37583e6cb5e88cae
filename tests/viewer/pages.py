# SPDX-License-Identifier: Apache-2.0
"""pages.py - makes pages for the tests of the viewer, and runs the tests."""

import atexit
import functools
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from page_blocks import BLOCK, unpacked

BIN = os.path.abspath(sys.argv[1])
RANGELINE = os.path.join(BIN, "rangeline")
HERE = os.path.dirname(os.path.abspath(__file__))
def enter_work():
    """Enters a temporary folder with traces of all kinds, removed at exit."""
    os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="viewer-")
    atexit.register(shutil.rmtree, os.environ["HOME"], ignore_errors=True)
    os.chdir(os.environ["HOME"])
    subprocess.run(
        [os.path.join(BIN, "make_traces"), "."], check=True, stdout=subprocess.DEVNULL
    )


def page_of_files():
    """rangeline.html, or None if its reader was not built."""
    page = pathlib.Path(BIN).parent / "rangeline.html"
    if page.exists():
        return page
    print("skipped: rangeline.html was not built: its compiler is not installed", flush=True)
    return None


def export_of(trace):
    """An SQLite export, or None if rangeline.html cannot open one."""
    if not (pathlib.Path(BIN).parent / "page_reader/rangeline-sqlite.wasm").exists():
        print("skipped: rangeline.html was built without SQLite", flush=True)
        return None
    export = pathlib.Path(trace).with_suffix(".sqlite")
    subprocess.run([RANGELINE, "export", "-q", "-f", "-t", "sqlite", "-o", export, trace], check=True)
    return export


def view(*words):
    return subprocess.run([RANGELINE, "view", *words], capture_output=True, check=False)


def page_of(*words):
    done = view("--html", "-", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def ask(kind, content, *questions):
    """The answers of the page's reader, which here is a program, about what is in a page."""
    path = f"asked.{'rln' if kind == 'trace' else kind}"
    pathlib.Path(path).write_bytes(content)
    ran = subprocess.run(
        [os.path.join(BIN, "ask_natively"), path],
        input="".join(f"{each}\n" for each in questions).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    answers, rest = [], ran.stdout
    while rest:
        head, rest = rest.split(b"\n", 1)
        status, n = map(int, head.split())
        answers.append(json.loads(rest[:n]) if status == 200 and n else status)
        rest = rest[n:]
    return answers[1:]  # the first is that of opening


def steps(starts):
    return [b - a for a, b in zip([0, *starts], starts)]


def columns_of(kind, content, about, tile):
    """A row as saved_index.py has it."""
    start, end = tile["start"], tile["end"]
    is_open = tile.get("isOpen", [0] * len(start))
    made = {
        "at": steps(start),
        "ns": [-1 - (b - a) if o else b - a for a, b, o in zip(start, end, is_open)],
        "more": [n - 1 for n in tile.get("n", [1] * len(start))],
    }
    if about["rows"][tile["row"]]["kind"] == "c":
        return {**made, "value": tile["value"], "low": tile["least"], "high": tile["most"]}
    ties = [start[:i].count(at) for i, at in enumerate(start)]
    questions = [f"0/details?row={tile['row']}&start={a}&tie={t}" for a, t in zip(start, ties)]
    details = ask(kind, content, *questions)
    return {
        **made,
        "name": tile["name"],
        "color": [color + 1 for color in tile.get("color", [-1] * len(start))],
        "covered": [each["covered"] if each["n"] > 1 else 0 for each in details],
        "value": [each["value"] for each in details],
        "category": [about["categories"].index(each["category"] or "") for each in details],
        "payloads": {str(i): d["payloads"] for i, d in enumerate(details) if d["payloads"]},
        "endThread": {
            str(i): d["endThread"] for i, d in enumerate(details) if d["endThread"] is not None
        },
    }


def data_of(page):
    """What is in the page, as its reader says: about() and, by row, the items as columns;
    `ask` answers questions."""
    found = []
    for kind, title, digits in BLOCK.findall(page):
        content = unpacked(digits)
        (about,) = ask(kind, content, "0/about?names=0")
        about["title"] = html.unescape(title)
        span = {"from": about["first"] - 1, "to": about["last"] + 1, "pixels": 16384}
        words = urllib.parse.urlencode({**span, "rows": f"0-{len(about['rows']) - 1}"}, safe=",-")
        tiles = ask(kind, content, f"0/tile?{words}")[0]["rows"] if about["rows"] else []
        rows = [columns_of(kind, content, about, tile) for tile in tiles]
        found.append({"about": about, "rows": rows, "ask": functools.partial(ask, kind, content)})
    return found


def run_tests(functions):
    """Calls all functions named test_...; prints `N passed, N failed`."""
    failed = n = 0
    for name, test in list(functions.items()):
        if not name.startswith("test_"):
            continue
        n += 1
        try:
            test()
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
    print(f"{n - failed} passed, {failed} failed")
    sys.exit(failed > 0)
