# SPDX-License-Identifier: Apache-2.0
"""pages.py - makes pages for the tests of the viewer, and runs the tests."""

import atexit
import base64
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BIN = os.path.abspath(sys.argv[1])
RANGELINE = os.path.join(BIN, "rangeline")
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = re.compile(
    r'<script type="application/(\w+)" class="trace">(.*?)</script>', re.DOTALL
)


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


def view(*words):
    return subprocess.run([RANGELINE, "view", *words], capture_output=True, check=False)


def page_of(*words):
    done = view("--html", "-", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def data_of(page):
    """The data in the page: JSON, or gzipped JSON in base 64."""
    found = []
    for kind, text in DATA.findall(page):
        if kind == "gzip":
            text = gzip.decompress(base64.b64decode(text, validate=True)).decode()
        assert "<" not in text
        found.append(json.loads(text))
    return found


def page_with(page, *traces):
    """The page with other traces in it."""
    blocks = "\n".join(
        '<script type="application/json" class="trace">%s</script>'
        % json.dumps(data).replace("<", "\\u003c")
        for data in traces
    )
    return DATA.sub("", page).replace("<script>", blocks + "<script>", 1)


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
