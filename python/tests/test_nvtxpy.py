# SPDX-License-Identifier: Apache-2.0
"""rangeline.nvtxpy has the API of the package nvtxpy, and does what that only promises."""
import re
import shutil
import subprocess
import threading

import pytest

from rangeline import nvtxpy

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def fresh_statistics():
    nvtxpy.getstats(reset=True)


def counts():
    return {name: count for name, (count, _) in nvtxpy.getstats().items()}


# ---- Events ----------------------------------------------------------------------------


def test_pushes_pops_and_marks(record):
    events = record("""
        from rangeline.nvtxpy import *
        print(profile_range_push("outer"), profile_range_push("inner"),
              profile_range_pop(), profile_range_pop(), profile_mark("mark"))
    """)
    assert events.output == "None None 1 0 None\n"
    assert events.lines() == ["push outer", "push inner", "pop inner", "pop outer",
                              "mark mark"]


def test_colors_payloads_and_categories_by_position(record):
    events = record("""
        from rangeline.nvtxpy import *
        profile_mark("a", colors.green, 7, 3)
        profile_mark("b", colors.black, 1.5, "io")
        with profile_range("c", colors.red, -1, "io"):
            pass
        with profile_range_nvtx_only("d", colors.white, 2, "io"):
            pass
        profiled("e", colors.cyan, 2 ** 63 - 1, 4)(int)()
    """)
    assert [line for line in events.lines("color", "payload", "category", "category_name")
            if not line.startswith("pop")] == [
        "mark a color=#ff00ff00 payload=7 category=3",
        "mark b color=#ff000000 payload=1.5 category=1 category_name=io",
        "push c color=#ffff0000 payload=-1 category=1 category_name=io",
        "push d color=#ffffffff payload=2 category=1 category_name=io",
        "push e color=#ff00ffff payload=9223372036854775807 category=4"]


def test_integral_payloads_are_ints_real_ones_floats_and_others_are_left_out(record):
    events = record("""
        import decimal, fractions
        from rangeline.nvtxpy import profile_mark
        class Index(int):
            pass
        for payload in (True, Index(5), fractions.Fraction(1, 4), "text", [1],
                        decimal.Decimal(1), 1j, None):
            profile_mark("m", payload=payload)
    """)
    assert [e.get("payload") for e in events.of("mark")] == [
        1, 5, 0.25, None, None, None, None, None]


def test_any_str_is_a_message(record):
    events = record("""
        from rangeline.nvtxpy import profile_range
        with profile_range("größe \\N{SNOWMAN}") as value:
            print(value)
    """)
    assert events.output == "None\n"
    assert events.lines() == ["push größe ☃", "pop größe ☃"]


def test_the_colors():
    assert {name: value for name, value in vars(nvtxpy.colors).items()
            if not name.startswith("_")} == {
        "red": 0xFFFF0000, "green": 0xFF00FF00, "blue": 0xFF0000FF, "yellow": 0xFFFFFF00,
        "magenta": 0xFFFF00FF, "cyan": 0xFF00FFFF, "white": 0xFFFFFFFF,
        "black": 0xFF000000}


def test_every_name_is_exported_and_explained():
    documented = {"profile_range", "profile_range_push", "profile_range_pop",
                  "profile_mark", "profiled", "getstats", "colors", "start_profiler",
                  "stop_profiler", "profile_range_nvtx_only"}
    assert documented | {"stats_table"} == set(nvtxpy.__all__)
    for name in nvtxpy.__all__:
        assert "Example:" in getattr(nvtxpy, name).__doc__


# ---- Blocks and functions --------------------------------------------------------------


def test_a_raising_body_is_closed_and_counted(record):
    events = record("""
        from rangeline.nvtxpy import *
        @profiled("decorated")
        def fail():
            raise ValueError
        for enter in (lambda: profile_range("counted"),
                      lambda: profile_range_nvtx_only("not counted")):
            try:
                with enter():
                    raise ValueError
            except ValueError:
                pass
        try:
            fail()
        except ValueError:
            pass
        print({name: count for name, (count, _) in getstats().items()})
        profile_range_push("next")
        print(profile_range_pop())
    """)
    assert events.output == "{'counted': 1, 'decorated': 1}\n0\n"


def test_nested_and_recursive_calls_count_each_time(record):
    events = record("""
        from rangeline.nvtxpy import *
        @profiled("f")
        def f(n):
            if n:
                f(n - 1)
        f(2)
        with profile_range("g"):
            with profile_range("g"):
                pass
        print({name: count for name, (count, _) in getstats().items()})
    """)
    assert events.output == "{'f': 3, 'g': 2}\n"
    assert events.lines("depth") == [
        *(f"push f depth={n}" for n in (0, 1, 2)), *(f"pop f depth={n}" for n in (2, 1, 0)),
        "push g depth=0", "push g depth=1", "pop g depth=1", "pop g depth=0"]


def test_a_decorated_function_is_itself_otherwise():
    @nvtxpy.profiled("name")
    def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b

    assert (add(1), add(1, b=4)) == (3, 5)
    assert (add.__name__, add.__doc__, add.__wrapped__.__defaults__) == (
        "add", "Adds.", (2,))


def test_coroutines_are_ranges_until_they_have_returned(record):
    events = record("""
        import asyncio
        from rangeline.nvtxpy import *
        @profiled("job", colors.blue, 3, "io")
        async def job(n):
            await asyncio.sleep(0.01 * n)
            if n == 2:
                raise ValueError(n)
            return n
        async def both():
            return await asyncio.gather(job(1), job(2), return_exceptions=True)
        print(asyncio.run(both()), asyncio.iscoroutinefunction(job), job.__name__)
        count, seconds = getstats()["job"]
        print(count, 0.03 <= seconds < 10)
    """)
    assert events.output == "[1, ValueError(2)] True job\n2 True\n"
    jobs = [r for r in events.ranges() if r["message"] == "job"]
    assert [r["style"] for r in jobs] == ["start_end"] * 2
    assert all(r["payload"] == 3 and r["category_name"] == "io" and "end" in r
               for r in jobs)


# ---- Statistics ------------------------------------------------------------------------


def test_statistics_need_no_tool_and_take_time_into_account():
    with nvtxpy.profile_range("sleep"):
        threading.Event().wait(0.02)
    with nvtxpy.profile_range_nvtx_only("not counted"):
        pass
    ((name, (count, seconds)),) = nvtxpy.getstats().items()
    assert (name, count) == ("sleep", 1)
    assert 0.02 <= seconds < 5


def test_getstats_returns_a_copy_and_can_reset():
    with nvtxpy.profile_range("a"):
        pass
    nvtxpy.getstats()["a"][0] = 99
    nvtxpy.getstats().clear()
    assert counts() == {"a": 1}
    assert nvtxpy.getstats(reset=True)["a"][0] == 1
    assert nvtxpy.getstats() == {}


def test_threads_lose_no_count():
    def work():
        for _ in range(500):
            with nvtxpy.profile_range("shared"):
                pass

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts() == {"shared": 4000}


def test_a_forked_child_counts_from_zero(run_python):
    done = run_python("""
        import os
        from rangeline.nvtxpy import getstats, profile_range
        with profile_range("parent"):
            pass
        if os.fork() == 0:
            with profile_range("child"):
                pass
            print(list(getstats()), flush=True)
            os._exit(0)
        os.wait()
        print(list(getstats()))
    """)
    assert (done.stdout, done.stderr) == ("['child']\n['parent']\n", "")


def test_the_table_has_the_largest_total_first(monkeypatch):
    times = iter([0.0, 0.5, 1.0, 3.0, 3.0, 3.5])
    monkeypatch.setattr(nvtxpy.time, "perf_counter", lambda: next(times))
    for name in ("load", "step", "load"):
        with nvtxpy.profile_range(name):
            pass
    assert nvtxpy.stats_table() == (
        "     total s       mean s     count  name\n"
        "    2.000000     2.000000         1  step\n"
        "    1.000000     0.500000         2  load")


# ---- The profiler ----------------------------------------------------------------------


def test_the_profiler_stops_and_starts(record):
    events = record("""
        from rangeline.nvtxpy import *
        profile_mark("recorded")
        stop_profiler()
        profile_mark("left out")
        start_profiler()
        profile_mark("recorded again")
    """)
    assert events.lines() == ["mark recorded", "mark recorded again"]


def test_the_profiler_opens_and_closes_capture_windows(record):
    events = record("""
        from rangeline.nvtxpy import *
        profile_mark("before")
        start_profiler()
        profile_mark("captured")
        stop_profiler()
        profile_mark("behind")
    """, options=["-c", "cudaProfilerApi"])
    assert events.lines() == ["mark captured"]


def test_without_a_tool_that_does_nothing():
    assert nvtxpy.stop_profiler() is None
    assert nvtxpy.start_profiler() is None


def test_nvidias_profilers_are_told_where_the_runtime_is_loaded(run_python, tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    (tmp_path / "runtime.c").write_text(
        "#include <unistd.h>\n"
        "int cudaProfilerStart(void) { return write(1, \"start\\n\", 6) < 0; }\n"
        "int cudaProfilerStop(void) { return write(1, \"stop\\n\", 5) < 0; }\n")
    library = tmp_path / "libcudart.so.99"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "runtime.c"],
                   check=True)
    done = run_python(f"""
        import ctypes
        from rangeline.nvtxpy import start_profiler, stop_profiler
        start_profiler()
        ctypes.CDLL({str(library)!r})
        stop_profiler()
        start_profiler()
    """)
    assert (done.stdout, done.stderr) == ("stop\nstart\n", "")


def test_the_drop_in_lends_its_name(run_python):
    dropin = re.sub("tests/.*", "dropin", __file__)
    done = run_python(f"""
        import sys
        sys.path.insert(0, {dropin!r})
        import nvtxpy, rangeline.nvtxpy
        print(nvtxpy is rangeline.nvtxpy)
    """)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_names_of_derived_classes_are_what_they_hold(run_python):
    done = run_python("""
        from rangeline import nvtxpy
        class Alike(str):
            __eq__ = lambda self, other: True
            __hash__ = lambda self: 7
        class Unhashable(str):
            __hash__ = None
        for name in Alike("a"), Alike("b"), Unhashable("a"), "b":
            with nvtxpy.profile_range(name):
                pass
        print({name: (type(name), count) for name, (count, _) in nvtxpy.getstats().items()})
    """)
    assert (done.stdout, done.stderr) == (
        "{'a': (<class 'str'>, 2), 'b': (<class 'str'>, 2)}\n", "")


def test_a_decorated_generator_is_counted_from_its_first_step_to_its_last(record):
    events = record("""
        import inspect
        from rangeline import nvtxpy
        @nvtxpy.profiled("items", nvtxpy.colors.red)
        def items(n):
            for i in range(n):
                if (yield i) == "raise":
                    raise KeyError(i)
            return "all"
        def outer():
            print((yield from items(2)))
        print(inspect.isgeneratorfunction(items), nvtxpy.getstats())
        never = items(1)
        with nvtxpy.profile_range("around"):
            half = items(2)
            next(half)
        print("items" in nvtxpy.getstats())
        half.close()
        print(list(outer()))
        failing = items(2)
        next(failing)
        try:
            failing.send("raise")
        except KeyError as error:
            print(repr(error))
        print({name: count for name, (count, _) in nvtxpy.getstats().items()})
    """)
    assert events.output == (
        "True {}\nFalse\nall\n[0, 1]\nKeyError(0)\n{'around': 1, 'items': 3}\n")
    resumed = ["push items [resumed]", "pop items [resumed]"]
    assert events.lines() == [
        "push around", "start items", *resumed, "pop around", *resumed, "end items",
        "start items", *3 * resumed, "end items", "start items", *2 * resumed, "end items"]


def test_a_decorated_async_generator_is_counted_from_its_first_step_to_its_last(record):
    events = record("""
        import asyncio, inspect
        from rangeline import nvtxpy
        @nvtxpy.profiled("items", nvtxpy.colors.red)
        async def items(n):
            try:
                for i in range(n):
                    await asyncio.sleep(0.01)
                    sent = yield i
                    if sent:
                        yield sent
            except KeyError as error:
                yield repr(error)
            finally:
                print("left", end=" ")
        async def main():
            print(inspect.isasyncgenfunction(items), items.__name__, nvtxpy.getstats())
            print([i async for i in items(3)])
            count, seconds = nvtxpy.getstats(reset=True)["items"]
            print(count, 0.03 <= seconds < 10)
            half = items(2)
            print(await half.asend(None), await half.asend("sent"), nvtxpy.getstats())
            await half.aclose()
            thrown = items(2)
            await thrown.asend(None)
            print(await thrown.athrow(KeyError(1)), [i async for i in thrown])
            forgotten = items(2)
            await forgotten.asend(None)
            del forgotten
            while nvtxpy.getstats()["items"][0] < 3:
                await asyncio.sleep(0.001)
        asyncio.run(main())
    """)
    assert events.errors == ""
    assert events.output == ("True items {}\nleft [0, 1, 2]\n1 True\n0 sent {}\n"
                             "left left KeyError(1) []\nleft ")
    ranges = [r for r in events.ranges() if r["message"] == "items"]
    assert [(r["style"], r["color"], "end" in r) for r in ranges] == 4 * [
        ("start_end", "#ffff0000", True)]


def test_class_methods_and_static_methods_are_decorated_as_such(record, run_python):
    program = """
        import asyncio
        from rangeline import nvtxpy
        class Box:
            @nvtxpy.profiled("make")
            @classmethod
            def make(cls, n):
                return cls.__name__, n
            @nvtxpy.profiled("twice")
            @staticmethod
            def twice(n):
                return 2 * n
            @nvtxpy.profiled("wait")
            @classmethod
            async def wait(cls):
                return cls.__name__
        class Derived(Box):
            pass
        print(Derived.make(1), Box().make(2), Box.twice(3), Box().twice(4),
              asyncio.run(Derived.wait()))
        print({name: count for name, (count, _) in nvtxpy.getstats().items()})
        for no_function in 3, property(len):
            try:
                nvtxpy.profiled("never")(no_function)
            except TypeError as error:
                print(error)
    """
    events, alone = record(program), run_python(program)
    assert alone.stderr == ""
    assert events.output == alone.stdout == (
        "('Derived', 1) ('Box', 2) 6 8 Derived\n{'make': 2, 'twice': 2, 'wait': 1}\n"
        "profiled() decorates functions, not int\n"
        "profiled() decorates functions, not property\n")
    resumed = ["push wait [resumed]", "pop wait [resumed]"]
    assert events.lines() == [
        *2 * ["push make", "pop make"], *2 * ["push twice", "pop twice"], "start wait",
        *resumed, "end wait"]


def test_wrong_arguments_raise_the_same_with_a_tool_and_without(record, run_python):
    program = """
        import fractions
        import rangeline.cupy_nvtx as cupy, rangeline.torch as torch
        from rangeline import nvtxpy
        def step():
            yield
        async def job():
            pass
        def profile_range(*args, **others):
            with nvtxpy.profile_range(*args, **others):
                pass
        def profile_range_nvtx_only(*args, **others):
            with nvtxpy.profile_range_nvtx_only(*args, **others):
                pass
        def profiled(*args, **others):
            for function in int, step, job:
                nvtxpy.profiled(*args, **others)(function)
        def push(*args, **others):
            nvtxpy.profile_range_push(*args, **others)
            nvtxpy.profile_range_pop()
        def tried(function, *args, **others):
            try:
                function(*args, **others)
            except Exception as error:
                return f"{type(error).__name__}: {error}"
        wrong = [{"payload": 2**64}, {"payload": -2**63 - 1}, {"color": -1},
                 {"color": "no color"}, {"category": 2**32}, {"category": 1.5},
                 {"category": "\\ud800"}]
        for each in wrong:
            texts = {tried(function, "m", **each)
                     for function in (nvtxpy.profile_mark, push, profile_range,
                                      profile_range_nvtx_only, profiled, torch.mark)}
            assert len(texts) == 1, texts
            print(texts.pop())
        for name in 3, "\\ud800":
            print({tried(function, name) for function in (push, profiled)})
        print(tried(push, "m", payload=fractions.Fraction(10**400)))
        print(tried(cupy.MarkC, "m", 2**32))
        print(tried(cupy.Mark, "m", 1.5), tried(cupy.RangePush, "m", "x"))
        print(nvtxpy.getstats())
    """
    events, alone = record(program), run_python(program)
    assert alone.stderr == ""
    assert events.output == alone.stdout
    lines = alone.stdout.splitlines()
    assert lines[:3] == [
        "OverflowError: payload must be from -2**63 to 2**64 - 1, not 18446744073709551616",
        "OverflowError: payload must be from -2**63 to 2**64 - 1, not -9223372036854775809",
        "OverflowError: color must be from 0 to 0xffffffff, not -1"]
    assert lines[3].startswith("TypeError: unknown color 'no color': ")
    assert lines[4:] == [
        "OverflowError: category must be from 0 to 0xffffffff, not 4294967296",
        "TypeError: category must be str, int or None, not float",
        "UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud800' in position 0: "
        "surrogates not allowed in category",
        "{'TypeError: msg must be str, not int'}",
        "{\"UnicodeEncodeError: 'utf-8' codec can't encode character '\\\\ud800' in position "
        "0: surrogates not allowed in msg\"}",
        "OverflowError: payload must be in the range of float, not a Fraction beyond it",
        "OverflowError: color must be from 0 to 0xffffffff, not 4294967296",
        "TypeError: id_color must be int, not float TypeError: id_color must be int, not str",
        "{}"]
    assert events.lines() == []
