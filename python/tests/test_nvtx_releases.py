# SPDX-License-Identifier: Apache-2.0
"""Each release of NVIDIA's package `nvtx` that Python 3.11 can install is recorded.

It is fetched by pip: releases differ in which calls of NVTX they make first, and whether
one of them switches the package off depends on what the tool answers.
"""
import json
import os
import subprocess
import sys

import pytest

from conftest import RANGELINE

pytestmark = [pytest.mark.once, pytest.mark.by_choice]

RELEASES = ("0.2.8", "0.2.10", "0.2.11", "0.2.12", "0.2.13", "0.2.14", "0.2.15",
            "0.2.16", "0.2.17")

PROGRAM = """
import sys
import nvtx
assert nvtx.__file__.startswith(sys.argv[1]), nvtx.__file__
with nvtx.annotate("default"):
    pass
with nvtx.annotate("inside", domain="mine"):
    nvtx.mark("mark", domain="mine")
nvtx.end_range(nvtx.start_range("range"))
"""


@pytest.mark.parametrize("release", RELEASES)
def test_this_release_is_recorded(release, tmp_path):
    package = tmp_path / "package"
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary",
         ":all:", "--target", package, f"nvtx=={release}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if fetched.returncode:
        pytest.skip(f"pip cannot install nvtx {release} here: {fetched.stdout[-200:]}")
    paths = [str(package), os.environ.get("PYTHONPATH", "")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)))
    trace = tmp_path / "run.rln"
    subprocess.run([RANGELINE, "profile", "-o", trace, sys.executable, "-c", PROGRAM,
                    package], env=environment, check=True)
    info = json.loads(subprocess.run([RANGELINE, "info", "--json", trace], check=True,
                                     stdout=subprocess.PIPE).stdout)
    assert [info[n] for n in ("pushes", "pops", "marks", "starts", "ends")] == \
        [2, 2, 1, 1, 1]
