# SPDX-License-Identifier: Apache-2.0
"""Imports stay cheap, because every annotated program pays for them."""
import pathlib
import textwrap

import pytest
import rangeline
from rangeline import nvtx

PACKAGE = pathlib.Path(rangeline.__file__).parent

# Modules that take long to import, and that recording does not need.
DEAR = {"numpy", "matplotlib", "inspect", "dataclasses", "typing", "re", "ast",
        "asyncio", "ctypes", "logging", "pathlib", "pickle", "random", "subprocess",
        "tempfile", "threading", "importlib.metadata", "importlib.resources"}

# Programs, and which of these they may bring nevertheless.
PROGRAMS = {
    "import rangeline.nvtx": [],
    "from rangeline.nvtx.nvtx import annotate": [],
    "import rangeline._alias as a; a.lend('nvtx', 'rangeline.nvtx'); import nvtx": [],
    """
    from rangeline import nvtx
    @nvtx.annotate(color="blue", category="c", payload=1)
    def function(): pass
    @nvtx.annotate()
    async def coroutine(): pass
    function()
    coroutine().close()
    nvtx.get_domain("d").get_counter("c", int, semantics=nvtx.CounterSemantics("V"))
    """: [],
    "import rangeline.cupy_nvtx": [],
    "import rangeline.nvtxpy": ["re", "threading"],
    "import rangeline.torch": ["re", "threading"],
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_import_brings_nothing_that_takes_long(run_python, program):
    # Isolated, and without `site`: nothing else has imported anything before.
    done = run_python(f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
                      f"{textwrap.dedent(program)}\n"
                      f"print(*{DEAR!r} & sys.modules.keys())",
                      interpreter=["-S", "-I"])
    assert done.stderr == ""
    assert set(done.stdout.split()) <= set(PROGRAMS[program])


def test_events_import_nothing(record):
    done = record("""
        import sys
        import rangeline.nvtx as nvtx
        before = set(sys.modules)
        nvtx.mark("blue")
        with nvtx.annotate("m", "rapids", "domain", "category", 1):
            nvtx.push_range("p", 0xff)
            nvtx.pop_range()
        print(set(sys.modules) - before)
    """)
    assert (done.output, done.errors) == ("set()\n", "")


def test_names_are_looked_up_by_pythons_cache():
    # A module's __getattr__ keeps Python from it.
    for module in nvtx, nvtx.nvtx:
        assert "__getattr__" not in vars(module)
