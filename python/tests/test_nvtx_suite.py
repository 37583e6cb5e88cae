# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's own tests of its package `nvtx` pass with ours in its place, unmodified.

pip fetches them: they are part of the package's source distribution. Its conftest is
not, so nvtx_suite/fixtures.py takes its place. They run without a tool, and with
nvtx_suite/suite_tool.c, which shows what a tool receives.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml

import pytest

from conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.by_choice]

HERE = pathlib.Path(__file__).parent / "nvtx_suite"
RELEASE = "0.2.17"
N_TESTS = 4467

# {test, as FILE::NAME: why it fails}, where NVIDIA's package differs from what its
# documentation says. docs/reference/COMPATIBILITY.md describes each.
EXPECTED_FAILURES = {}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The folder with the package `tests`."""
    folder = tmp_path_factory.mktemp("suite")
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary",
         "nvtx", "--dest", folder, f"nvtx=={RELEASE}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    archive = folder / f"nvtx-{RELEASE}.tar.gz"
    if not archive.exists():
        pytest.skip(f"pip cannot fetch the source distribution of nvtx {RELEASE} here: "
                    f"{fetched.stdout[-200:]}")
    tests = folder / "tests"
    tests.mkdir()
    with tarfile.open(archive) as members:
        for member in members:
            path = pathlib.PurePosixPath(member.name)
            if path.parent.name == "tests" and path.suffix == ".py":
                (tests / path.name).write_bytes(members.extractfile(member).read())
    (tests / "__init__.py").touch()
    shutil.copy(HERE / "fixtures.py", tests / "conftest.py")
    return folder


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not installed")
    library = tmp_path_factory.mktemp("tool") / "libsuite_tool.so"
    subprocess.run([compiler, "-Wall", "-Werror", "-shared", "-fPIC", "-o", library,
                    f"-I{ROOT / 'include'}", HERE / "suite_tool.c"], check=True)
    return library


def outcomes(suite, tool):
    """{FILE::NAME: whether it passed}, and what pytest printed."""
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("NVTX_INJECTION64_PATH", "PYTEST_ADDOPTS")}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "python" / "dropin"), environment["PYTHONPATH"]])
    if tool:
        environment["NVTX_INJECTION64_PATH"] = str(tool)
    report = suite / "report.xml"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line",
         "--import-mode=importlib", f"--junit-xml={report}", "tests"],
        cwd=suite, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    assert report.exists(), done.stdout
    return {f"{case.get('classname').rpartition('.')[2]}.py::{case.get('name')}":
            not list(case) for case in xml.parse(report).getroot().iter("testcase")
            }, done.stdout


@pytest.mark.parametrize("has_tool", [False, True], ids=["no tool", "recorded"])
def test_all_pass_but_those_expected_to_fail(suite, tool, has_tool):
    passed, output = outcomes(suite, tool if has_tool else None)
    failed = {name for name, has_passed in passed.items() if not has_passed}
    assert failed == set(EXPECTED_FAILURES), output[-4000:]
    assert len(passed) == N_TESTS
