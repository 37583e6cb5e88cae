# SPDX-License-Identifier: Apache-2.0
"""Code for builds of Python without a global lock compiles, even if no such build is
installed."""
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

NATIVE = pathlib.Path(__file__).resolve().parents[1] / "native"


@pytest.mark.skipif(sys.version_info < (3, 13), reason="there was a global lock until 3.12")
@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_the_extension_compiles_without_a_global_lock():
    words = ["cc", "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
             "-Wno-unused-parameter", "-D_GNU_SOURCE", "-DPy_GIL_DISABLED=1",
             f"-I{NATIVE}", "-isystem", f"{NATIVE.parents[1] / 'include'}",
             "-isystem", sysconfig.get_paths()["include"]]
    marks = "Py_GIL_DISABLED", "CRITICAL_SECTION", "rln_py_sending"
    files = [f for f in sorted(NATIVE.rglob("*.c"))
             if any(mark in f.read_text("utf-8") for mark in marks)]
    done = subprocess.run([*words, *files], check=False, stderr=subprocess.PIPE, text=True)
    assert len(files) > 5
    assert (done.returncode, done.stderr) == (0, "")
