# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments raise the same exceptions whether a tool records or not, so that a
mistake is not first noticed when a program is recorded."""
import pytest

# Each line of the loop's tuple is a call with a mistake.
PROGRAM = '''
import sys
sys.modules["matplotlib"] = None
from rangeline import nvtx
domain = nvtx.get_domain("d")
counter = domain.get_counter("c", int)
attributes = domain.get_event_attributes("m")

def class_method():
    class C:
        @nvtx.annotate
        @classmethod
        def f(cls):
            pass

for call in (
    lambda: nvtx.mark(3),
    lambda: nvtx.mark("m", "no such color"),
    lambda: nvtx.mark("m", color=1.5),
    lambda: nvtx.mark("m", color=-1),
    lambda: nvtx.mark("m", category=1.5),
    lambda: nvtx.mark("m", domain=3),
    lambda: nvtx.mark("m", payload=1 << 64),
    lambda: nvtx.mark("m", "red", "d", "c", 1, 2),
    lambda: nvtx.mark("nul\\0inside"),
    lambda: nvtx.mark(b"nul\\0inside"),
    lambda: nvtx.mark("m", category="nul\\0inside"),
    lambda: nvtx.mark("m", domain="nul\\0inside"),
    lambda: nvtx.mark("lone \\ud800 surrogate"),
    lambda: nvtx.push_range(b"m", nothing=1),
    lambda: nvtx.push_range(None, "no such color", "d"),
    lambda: nvtx.start_range(3),
    lambda: nvtx.start_range("m", domain="d", category=[]),
    lambda: nvtx.pop_range(3),
    lambda: nvtx.pop_range("d", "e"),
    lambda: nvtx.end_range(),
    lambda: nvtx.end_range("abc"),
    lambda: nvtx.get_domain(3),
    lambda: nvtx.annotate(3),
    lambda: nvtx.annotate("m", "no such color"),
    lambda: nvtx.annotate("m", category=1.5),
    lambda: nvtx.annotate("nul\\0inside"),
    lambda: nvtx.annotate(domain=1.5),
    lambda: nvtx.annotate(lambda: 1),
    lambda: nvtx.annotate(dict),
    class_method,
    lambda: nvtx.annotate("m")(3),
    lambda: nvtx.annotate("m")(staticmethod(3)),
    lambda: domain.mark("m"),
    lambda: domain.mark(message=3),
    lambda: domain.mark(attributes, color="no such color"),
    lambda: domain.push_range(message="nul\\0inside"),
    lambda: domain.push_range(text="m"),
    lambda: domain.pop_range("m"),
    lambda: domain.start_range(category=1.5),
    lambda: domain.end_range(),
    lambda: domain.end_range("abc"),
    lambda: domain.get_registered_string(),
    lambda: domain.get_registered_string(3),
    lambda: domain.get_category_id(3),
    lambda: domain.get_event_attributes(3),
    lambda: domain.get_event_attributes("m", "red", "c", 1, 2),
    lambda: domain.set_event_attributes(),
    lambda: domain.set_event_attributes(attributes, category=-1),
    lambda: domain.get_timestamp(1),
    lambda: domain.get_counter("nul\\0inside", int),
    lambda: domain.get_counter("c", int, description=3),
    lambda: counter.sample(),
    lambda: counter.sample(1, 2),
    lambda: counter.batch_submit(),
    lambda: counter.batch_submit([1], [2], [3]),
    lambda: counter.sample_no_value(1),
    lambda: nvtx.CounterSemantics(unit="nul\\0inside"),
):
    try:
        print("nothing raised", call())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
'''


@pytest.fixture
def raised_recorded(record):
    return record(PROGRAM).output.splitlines()


def test_each_of_them_raises(raised_recorded):
    assert [line for line in raised_recorded if "nothing raised" in line] == []


@pytest.mark.parametrize("env", [{}, {"NVTX_DISABLE": "1"}], ids=["no tool", "disabled"])
def test_they_raise_the_same_without_a_tool(raised_recorded, run_python, env):
    done = run_python(PROGRAM, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.replace("DummyDomain.", "Domain.").splitlines() == raised_recorded


def test_they_raise_the_same_while_switched_off(raised_recorded, record):
    switched = record(PROGRAM.replace("\ndef class", "\nnvtx.set_enabled(False)\ndef class"))
    assert switched.output.splitlines() == raised_recorded


def test_a_decorator_without_parentheses_says_so(raised_recorded):
    assert [line for line in raised_recorded if "()" in line and "add" in line] == [
        f"TypeError: message must be str, not {what}: to decorate without arguments, add "
        "(), as in @annotate()" for what in ("function", "type", "classmethod")]


def test_a_nul_is_not_cut_silently(raised_recorded):
    assert [line for line in raised_recorded if "NUL" in line] == [
        f"ValueError: {what} must not contain a NUL character: tools would cut it there"
        for what in ("message", "message", "category", "domain", "message", "message",
                     "name", "unit")]


def test_a_color_that_matplotlib_may_know_is_not_checked(run_python, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise AssertionError('imported')")
    done = run_python("""
        import sys
        sys.path.insert(0, "")
        from rangeline import nvtx
        for _ in range(2):
            nvtx.mark("m", color="mauve")
            nvtx.mark("m", color=(0.1, 0.2, 0.3))
        assert "matplotlib" not in sys.modules
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_known_colors_are_told_from_others_at_their_address(run_python):
    done = run_python("""
        import rangeline.nvtx as nvtx
        known = ["red", "green", "blue", "cyan", "white", "purple", "orange", "yellow"]
        for _ in range(3):
            for color in known:
                nvtx.mark("m", color)                 # the same object each time
                nvtx.mark("m", "".join(color))
                nvtx.mark("m", color=str(color.encode(), "ascii"))  # another each time
        wrong = 0
        for i in range(1000):
            made = "".join(["re", chr(100 + i % 2)])  # red, ree: at the same addresses
            try:
                nvtx.start_range("m", made)
            except (TypeError, ValueError):
                wrong += made == "ree"
            else:
                assert made == "red"
            del made
        print(wrong)
    """)
    assert (done.stdout, done.stderr) == ("500\n", "")
