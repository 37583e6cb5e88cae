# SPDX-License-Identifier: Apache-2.0
"""A tool that shares no code with this project records our package."""
import pathlib
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.slow

SOURCE = pathlib.Path(__file__).parent / "second_tool.c"


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not installed")
    library = tmp_path_factory.mktemp("tool") / "libsecond_tool.so"
    subprocess.run([compiler, "-Wall", "-Werror", "-shared", "-fPIC", "-o", library,
                    SOURCE], check=True)
    return library


@pytest.fixture
def heard(tool, run_python, tmp_path):
    """heard(program) -> the lines that the tool prints."""
    def run(program):
        output = tmp_path / "heard"
        output.write_text("")
        done = run_python(program, env={"NVTX_INJECTION64_PATH": str(tool),
                                        "SECOND_TOOL_OUTPUT": str(output)})
        assert done.returncode == 0, done.stderr
        return output.read_text().splitlines()
    return run


def test_all_events_are_heard(heard):
    assert heard("""
        import rangeline.nvtx as nvtx
        with nvtx.annotate("with", color=0x112233, domain="d", category="c", payload=7):
            nvtx.mark("m", payload=1.5)
        nvtx.push_range("p")
        nvtx.pop_range()
        nvtx.end_range(nvtx.start_range("s", domain="d"))

        @nvtx.annotate()
        def work():
            raise KeyError
        try:
            work()
        except KeyError:
            pass
        domain = nvtx.get_domain("e")
        domain.mark(domain.get_event_attributes("own", category=9))
    """) == [
        'category d 1 "c"',
        'push d registered "with" #112233 category 1 int64 7',
        'mark - registered "m" #0000ff double 1.5',
        "pop d",
        'push - registered "p" #0000ff',
        "pop -",
        'start d registered "s" #0000ff',
        "end d 1",
        'push - registered "work" #0000ff',
        "pop -",
        'mark e registered "own" #0000ff category 9',
    ]


def test_a_coroutine_is_heard_as_a_range_and_its_stretches(heard):
    assert heard("""
        import asyncio
        import rangeline.nvtx as nvtx

        @nvtx.annotate("task")
        async def task():
            await asyncio.sleep(0)
        asyncio.run(task())
    """) == [
        'start - registered "task" #0000ff',
        'push - registered "task [resumed]" #0000ff', "pop -",
        'push - registered "task [resumed]" #0000ff', "pop -",
        "end - 1",
    ]


def test_calls_of_functions_are_heard(heard):
    assert heard("""
        import rangeline.nvtx as nvtx
        def work():
            return len("")
        with nvtx.Profile(linenos=False):
            work()
    """) == ['push nvtx.py registered "work" #0000ff', 'push nvtx.py registered "len" #0000ff',
             "pop nvtx.py", "pop nvtx.py"]
