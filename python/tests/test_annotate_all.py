# SPDX-License-Identifier: Apache-2.0
"""annotate_module and annotate_class give functions ranges without editing them."""
import pytest

INIT = """
from math import sqrt
from json import loads
from lib.impl import work, Tool

def own(x):
    return work(x)
"""

IMPL = """
import functools

def work(x):
    return x + 1

def _helper():
    return 3

async def wait():
    return 5

def numbers():
    yield 1
    yield 2

@functools.lru_cache
def cached(x):
    return x

class Tool:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return "Tool"

    def run(self):
        return self.n

    @staticmethod
    def plain(x):
        return x

    @classmethod
    def made(cls):
        return cls(1)

    @property
    def size(self):
        return self.n

    class Inner:
        def go(self):
            return 7
"""

PACKAGE = """
    import lib, lib.impl
    import rangeline.nvtx as nvtx
"""


@pytest.fixture(autouse=True)
def package(tmp_path):
    """The package lib, beside the programs."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text(INIT)
    (tmp_path / "lib" / "impl.py").write_text(IMPL)


def begun(events):
    return [e["message"] for e in events.of("push", "start")
            if not e["message"].endswith("[resumed]")]


def test_functions_of_a_module_are_annotated(record):
    events = record(PACKAGE + """
    import asyncio
    before = lib.impl.work
    done = nvtx.annotate_module(lib.impl, domain="d", color="red")
    assert lib.impl.work(1) == 2 and lib.impl._helper() == 3
    assert asyncio.run(lib.impl.wait()) == 5
    assert list(lib.impl.numbers()) == [1, 2]
    assert lib.work is before   # imported by name, elsewhere
    print(len(done))
    done.undo()
    assert lib.impl.work is before
    lib.impl.work(1)
    """)
    assert begun(events) == ["lib.impl.work", "lib.impl._helper", "lib.impl.wait",
                             "lib.impl.numbers"]
    assert {(e["domain"], e["color"]) for e in events.of("push", "start")} == {
        ("d", "#00ff0000")}
    assert events.output == "10\n"


def test_methods_of_its_classes_are_annotated(record):
    events = record(PACKAGE + """
    with nvtx.annotate_module(lib.impl):
        tool = lib.impl.Tool(4)
        assert (tool.run(), tool.plain(5), tool.size) == (4, 5, 4)
        assert lib.impl.Tool.plain(6) == 6 and repr(tool) == "Tool"
        assert type(lib.impl.Tool.made()) is lib.impl.Tool
        assert lib.impl.Tool.Inner().go() == 7
        assert isinstance(vars(lib.impl.Tool)["plain"], staticmethod)
    lib.impl.Tool(4).run()
    """)
    names = ["__init__", "run", "plain", "size", "plain", "made", "__init__", "Inner.go"]
    assert begun(events) == [f"lib.impl.Tool.{name}" for name in names]


def test_submodules_and_what_they_import_from_each_other(record):
    events = record(PACKAGE + """
    alone = nvtx.annotate_module(lib)
    lib.own(1)
    alone.undo()
    with nvtx.annotate_module(lib, recursive=True):
        lib.own(1)
        assert lib.work is lib.impl.work
        assert lib.loads("3") == 3
    """)
    assert begun(events) == ["lib.own", "lib.own", "lib.impl.work"]


@pytest.mark.parametrize("arguments, names", [
    ("include='*.run'", ["run"]),
    ("exclude=['*.run', '*.__init__']", ["plain"]),
    ("include='lib.impl.Tool'", ["__init__", "run", "plain", "__repr__"]),
    ("include='*.__repr__'", ["__repr__"]),
    ("include='lib.impl', exclude='lib.impl.Tool'", []),
])
def test_patterns_choose(record, arguments, names):
    events = record(PACKAGE + f"""
    nvtx.annotate_class(lib.impl.Tool, {arguments})
    tool = lib.impl.Tool(4)
    tool.run(), tool.plain(1), repr(tool)
    """)
    assert begun(events) == [f"lib.impl.Tool.{name}" for name in names]


def test_annotating_twice_annotates_once(record):
    events = record(PACKAGE + """
    first = nvtx.annotate_module(lib.impl)
    second = nvtx.annotate_module(lib.impl)
    lib.impl.work(1)
    assert len(second) == 0, second._functions
    second.undo()
    lib.impl.work(1)
    first.undo()
    first.undo()
    lib.impl.work(1)
    """)
    assert begun(events) == ["lib.impl.work"] * 2


def test_what_was_replaced_since_stays(record):
    record(PACKAGE + """
    done = nvtx.annotate_module(lib.impl)
    lib.impl.work = len
    done.undo()
    assert lib.impl.work is len
    """)


def test_wrong_types_are_named(run_python):
    done = run_python("""
        import rangeline.nvtx as nvtx
        for call in (lambda: nvtx.annotate_module("json"), lambda: nvtx.annotate_class(3),
                     lambda: nvtx.annotate_class(int),
                     lambda: nvtx.annotate_class(type("C", (), {}), include=3)):
            try:
                call()
            except TypeError as error:
                print(error)
    """)
    assert done.stdout == (
        "module must be a module, not str\ncls must be a class, not int\n"
        "cls must be a class written in Python, not int\n"
        "include must be a str, some of them or None, not int\n")


def test_without_a_tool_nothing_is_replaced(run_python):
    done = run_python(PACKAGE + """
    before = lib.impl.work
    print(len(nvtx.annotate_module(lib, recursive=True)), lib.impl.work is before)
    """)
    assert done.stdout == "0 True\n"


def test_special_methods_that_are_named_stay_what_they_are(record):
    events = record("""
        import rangeline.nvtx as nvtx
        class C:
            def __new__(cls, n): return super().__new__(cls)
            def __class_getitem__(cls, key): return cls, key
        class D(C):
            pass
        with nvtx.annotate_class(C, include="*"):
            assert type(D(1)) is D and type(C(1).__new__(D, 2)) is D and D[5] == (D, 5)
        assert type(D(1)) is D and D[5] == (D, 5)
    """)
    assert events.lines()[::2] == ["push __main__.C.__new__"] * 3 + [
        "push __main__.C.__class_getitem__"]
