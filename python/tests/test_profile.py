# SPDX-License-Identifier: Apache-2.0
"""Profile and `python -m rangeline.nvtx` record a range per call, which its return ends."""
import json
import subprocess
import sys

import pytest

from conftest import RANGELINE

WORK = """
    import rangeline.nvtx as nvtx

    def inner(x):
        return x

    def outer(n):
        for i in range(n):
            inner(i)
        return len([n])

    def raises():
        raise KeyError("x")

    def generator():
        yield 1
        yield 2
"""


def tree(events):
    """Messages of the domain nvtx.py, indented by depth, in the order of their begin."""
    return ["  " * e["depth"] + e["message"] for e in events
            if e["type"] == "push" and e["domain"] == "nvtx.py"]


def stretches(events):
    """The same without indentation, with `*` after those in the category "resumed"."""
    return [e["message"] + "*" * (e.get("category_name") == "resumed") for e in events
            if e["type"] == "push" and e["domain"] == "nvtx.py"]


def tasks(events):
    """The start/end ranges of the category "task", in the order of their begin, each with
    how many of the functions' ranges they enclose."""
    found = [r for r in events.ranges() if r["style"] == "start_end"]
    assert all(r["domain"] == "nvtx.py" and r["category_name"] == "task" for r in found)
    stack = [r for r in events.ranges() if r["style"] == "push_pop"]
    return [(r["message"], sum(r["message"] == s["message"] and r["start"] <= s["start"]
                               and s["end"] <= r["end"] for s in stack))
            for r in sorted(found, key=lambda r: r["start"])]


def is_balanced(events):
    """All ranges close, and nothing else does."""
    pushes, pops = events.of("push"), events.of("pop")
    return len(pushes) == len(pops) and not any(e.get("unmatched") for e in pops)


def test_calls_nest_as_they_do(record):
    events = record(WORK + """
    with nvtx.Profile(linenos=False):
        outer(2)
    """)
    assert tree(events) == ["outer", "  inner", "  inner", "  len"]
    assert is_balanced(events)


def test_a_range_is_named_as_nvidia_names_it(record):
    events = record("""
        import rangeline.nvtx as nvtx
        def first():
            return 1
        with nvtx.Profile():
            first()
    """)
    assert tree(events) == ["program1.py:3(first)"]


def test_builtins_are_left_out_on_request(record):
    events = record(WORK + """
    with nvtx.Profile(False, False):
        outer(1)
    """)
    assert tree(events) == ["outer", "  inner"]


def test_an_exception_closes_what_it_leaves(record):
    events = record(WORK + """
    def catches():
        try:
            raises()
        except KeyError:
            int("3")
        try:
            {}.pop("x")
        except KeyError:
            pass
    with nvtx.Profile(linenos=False):
        catches()
        inner(1)
    """)
    assert tree(events) == ["catches", "  raises", "  pop", "inner"]
    assert is_balanced(events)


def test_a_generator_is_timed_while_it_runs(record):
    events = record(WORK + """
    def thrown():
        try:
            yield 1
        except ValueError:
            yield 2
    with nvtx.Profile(linenos=False, annotate_cfuncs=False):
        for _ in generator():
            inner(0)
        g = thrown()
        next(g)
        g.throw(ValueError)
        half = generator()
        next(half)
        half.close()
    """)
    assert stretches(events)[:5] == ["generator", "inner", "generator*", "inner",
                                     "generator*"]
    assert stretches(events)[5:8] == ["thrown", "thrown*", "generator"]
    assert tasks(events) == []
    assert is_balanced(events)


def test_coroutines_take_turns(record):
    events = record("""
        import asyncio
        import rangeline.nvtx as nvtx
        async def worker(n):
            for _ in range(n):
                await asyncio.sleep(0)
        async def main():
            await asyncio.gather(*(worker(3) for _ in range(10)))
        with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__"):
            asyncio.run(main())
    """)
    assert stretches(events).count("worker") == 10
    assert stretches(events).count("worker*") == 30
    assert [name for name, _ in tasks(events)] == ["main", *10 * ["worker"]]
    assert is_balanced(events)


def test_a_task_is_a_range_and_what_it_awaits_is_not(record):
    events = record("""
        import asyncio
        import rangeline.nvtx as nvtx
        async def part():
            await asyncio.sleep(0)
        async def agenerator():
            await part()
            yield 1
        async def ends(how):
            try:
                await part()
                async for _ in agenerator():
                    pass
                if how == "raises":
                    raise KeyError
                if how == "is cancelled":
                    await asyncio.sleep(60)
            finally:
                await part()
        async def main():
            made = [asyncio.ensure_future(ends(how))
                    for how in ("returns", "raises", "is cancelled")]
            while not made[0].done():
                await asyncio.sleep(0)
            made[2].cancel()
            await asyncio.gather(*made, return_exceptions=True)
        with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__"):
            asyncio.run(main())
    """)
    assert [name for name, _ in tasks(events)] == ["main", *3 * ["ends"]]
    assert all(n > 2 for _, n in tasks(events))
    assert len(events.of("start")) == len(events.of("end")) == 4
    assert is_balanced(events)


def test_a_loop_may_be_any(record):
    events = record("""
        import types
        import rangeline.nvtx as nvtx
        @types.coroutine
        def turn():
            yield
        async def a():
            await turn()
        async def b():
            await turn()
            await turn()
        def loop(coroutines):
            while coroutines:
                coroutine = coroutines.pop(0)
                try:
                    coroutine.send(None)
                    coroutines.append(coroutine)
                except StopIteration:
                    pass
        for cfuncs in (False, True):
            with nvtx.Profile(linenos=False, annotate_cfuncs=cfuncs, include=["__main__",
                                                                             "builtins"]):
                loop([a(), b()])
    """)
    assert tasks(events) == 2 * [("a", 2), ("b", 3)]


def test_a_task_whose_first_step_ran_elsewhere_begins_later(record):
    events = record("""
        import rangeline.nvtx as nvtx
        class Turn:
            def __await__(self):
                yield
        async def eager():
            await Turn()
            await Turn()
        async def maker():
            coroutine = eager()
            coroutine.send(None)
            return coroutine
        def run(coroutine, result=None):
            try:
                while True:
                    coroutine.send(None)
            except StopIteration as stop:
                return stop.value
        with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__"):
            run(run(maker()))
    """)
    assert stretches(events) == ["run", "maker", "eager", "__await__", "run", "eager*",
                                 "__await__*", "__await__", "eager*", "__await__*"]
    assert tasks(events) == [("maker", 1), ("eager", 2)]


def test_a_task_that_is_dropped_or_outlives_the_profile_ends(record):
    events = record("""
        import gc
        import rangeline.nvtx as nvtx
        class Turn:
            def __await__(self):
                yield
        async def task():
            await Turn()
        profile = nvtx.Profile(linenos=False, annotate_cfuncs=False,
                               include="__main__.task")
        with profile:
            for _ in range(5):           # at the same address, perhaps
                dropped = task()
                dropped.send(None)
                del dropped
                gc.collect()
            lives = task()
            lives.send(None)
        nvtx.mark("after")
        try:
            lives.send(None)
        except StopIteration:
            pass
    """)
    lines = [line for line in events.lines() if not line.startswith(("push", "pop"))]
    assert sorted(lines[:-1]) == [*6 * ["end task"], *6 * ["start task"]]
    assert lines[-1] == "mark after"


def test_a_task_that_moves_to_another_thread_has_one_range(record):
    events = record("""
        import threading
        import rangeline.nvtx as nvtx
        class Turn:
            def __await__(self):
                yield
        async def task():
            await Turn()
        coroutine = task()
        def step():
            try:
                coroutine.send(None)
            except StopIteration:
                pass
        with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__.task"):
            step()
            thread = threading.Thread(target=step)
            thread.start()
            thread.join()
    """)
    (task,) = [r for r in events.ranges() if r["style"] == "start_end"]
    assert (task["message"], task["tid"] != task["end_tid"]) == ("task", True)
    assert stretches(events) == ["task", "task*"]


def test_eager_tasks_of_asyncio_have_ranges(record):
    if sys.version_info < (3, 12):
        pytest.skip("from 3.12 on")
    program = """
        import asyncio, sys
        import rangeline.nvtx as nvtx
        async def one():
            await asyncio.sleep(0)
        async def two():
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        async def main():
            asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
            await asyncio.gather(one(), two())
        with nvtx.Profile(linenos=False, annotate_cfuncs=False,
                          include=sys.argv[1:] or None):
            asyncio.run(main())
    """
    own = ("main", "one", "two")
    assert [task for task in tasks(record(program)) if task[0] in own] == [
        ("main", 2), ("one", 2), ("two", 3)]
    # Where its first step is in main(), a task's range begins with the second.
    assert tasks(record(program, "__main__")) == [("main", 2), ("one", 1), ("two", 2)]


def test_reports_have_one_line_per_function(record, tmp_path):
    events = record("""
        import asyncio
        import rangeline.nvtx as nvtx
        async def part():
            await asyncio.sleep(0)
        async def main():
            await part()
            await part()
        with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__"):
            asyncio.run(main())
    """)

    def rows(report, *columns):
        done = subprocess.run([RANGELINE, "stats", "-r", report, "-f", "json",
                               events.trace], stdout=subprocess.PIPE, text=True, check=True)
        return sorted(tuple(row[c] for c in columns) for row in json.loads(done.stdout))

    assert rows("tree", "Name", "Calls") == [("nvtx.py:main", 3), ("nvtx.py:part", 4)]
    assert rows("nvtx_sum", "Range", "Style", "Instances") == [
        ("nvtx.py:main", "PushPop", 3), ("nvtx.py:main", "StartEnd", 1),
        ("nvtx.py:part", "PushPop", 4)]


def test_what_was_entered_before_closes_nothing(record):
    events = record(WORK + """
    profile = nvtx.Profile(linenos=False, annotate_cfuncs=False)
    def turns_on():
        profile.enable()
        inner(1)
    def turns_off():
        inner(2)
        profile.disable()
        inner(3)
    turns_on()
    inner(4)
    turns_off()
    inner(5)
    """)
    assert tree(events) == ["inner", "inner", "turns_off", "  inner"]
    assert is_balanced(events)


def test_enabling_and_disabling_twice_is_once(record):
    events = record(WORK + """
    profile, other = (nvtx.Profile(linenos=False, annotate_cfuncs=c) for c in (0, 0))
    profile.disable()
    profile.enable()
    profile.enable()
    inner(1)
    other.disable()   # not enabled: nothing
    inner(2)
    other.enable()    # takes over
    profile.disable()
    inner(3)
    other.disable()
    other.disable()
    inner(4)
    with profile as same:
        assert same is profile
        inner(5)
    """)
    assert tree(events) == ["inner"] * 4


def test_all_threads_are_annotated(record):
    events = record(WORK + """
    import threading
    go, running = threading.Event(), threading.Event()
    def before():
        running.set()
        go.wait(30)
        outer(1)
    early = threading.Thread(target=before)
    early.start()
    running.wait(30)
    with nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__"):
        late = threading.Thread(target=outer, args=(1,))
        late.start()
        go.set()
        late.join()
        early.join()
    """)
    assert [m.strip() for m in tree(events)] == ["outer", "inner"] * 2
    assert len({e["tid"] for e in events.of("push")}) == 2
    assert is_balanced(events)


def test_ranges_of_other_threads_close_after_disable(record):
    events = record(WORK + """
    import threading
    inside, go = threading.Event(), threading.Event()
    def long():
        inside.set()
        go.wait(30)
        inner(1)          # begins when nothing is annotated any more
    profile = nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__")
    profile.enable()
    thread = threading.Thread(target=long)
    thread.start()
    inside.wait(30)
    profile.disable()
    go.set()
    thread.join()
    inner(2)
    profile.enable()
    inner(3)
    profile.disable()
    """)
    assert tree(events) == ["long", "inner"]
    assert is_balanced(events)


@pytest.mark.parametrize("arguments, names", [
    ("include='__main__.outer'", ["outer"]),
    ("include=['__main__']", ["outer", "inner"]),
    ("exclude='*.inner'", ["outer", "len"]),
    ("include='builtins'", ["len"]),
    ("include='*/program1.py'", ["outer", "inner"]),
    ("include='__main__', exclude='*outer*'", ["inner"]),
    ("exclude='*/program?.py'", ["len"]),
])
def test_patterns_choose(record, arguments, names):
    events = record(WORK + f"""
    with nvtx.Profile(linenos=False, {arguments}):
        outer(1)
    """)
    assert [m.strip() for m in tree(events)] == names
    assert is_balanced(events)


def test_the_import_system_is_excluded_unless_included(record, tmp_path):
    (tmp_path / "imported.py").write_text("def f(): pass\nf()\n")
    program = """
        import sys
        from rangeline import nvtx
        sys.path.insert(0, sys.argv[1])
        with nvtx.Profile(annotate_cfuncs=False, include={}):
            import imported
    """

    def names(include):
        return [m.strip() for m in tree(record(program.format(include), tmp_path))]

    # An environment may have finders of its own, which come before.
    assert names(None)[-2:] == ["imported.py:1(<module>)", "imported.py:1(f)"]
    assert not [name for name in names(None) if "frozen" in name]
    assert [name for name in names("'*importlib*'") if "frozen" in name]


def test_a_pattern_that_is_none_is_refused(run_python):
    done = run_python("""
        import rangeline.nvtx as nvtx
        for arguments in ({"include": 3}, {"exclude": ["a", b"b"]}):
            try:
                nvtx.Profile(**arguments)
            except TypeError as error:
                print(error)
    """)
    assert done.stdout == ("include must be a str, some of them or None, not int\n"
                           "exclude must be a str, some of them or None, not bytes\n")


def test_recursion_and_many_names(record):
    events = record("""
        import rangeline.nvtx as nvtx
        def down(n):
            return n and down(n - 1)
        many = [eval(compile(f"lambda: {i}", f"file{i}.py", "eval")) for i in range(2000)]
        with nvtx.Profile():
            down(500)
            for function in many:
                function()
    """)
    assert max(e["depth"] for e in events.of("push")) == 500
    assert tree(events)[-1] == "file1999.py:1(<lambda>)"
    assert is_balanced(events)


def test_a_forked_child_goes_on(record):
    events = record(WORK + """
    import os
    def parent_and_child():
        pid = os.fork()
        inner(0)
        if pid:
            os.waitpid(pid, 0)
        return pid
    profile = nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__")
    with profile:
        if parent_and_child() == 0:
            outer(1)
            profile.disable()
            os._exit(0)
    """)
    child = {e["pid"] for e in events} - {events[0]["pid"]}
    assert len(child) == 1
    assert [e["message"] for e in events.of("push") if e["pid"] in child] == [
        "inner", "outer", "inner"]


def test_without_a_tool_nothing_happens(run_python):
    done = run_python(WORK + """
    import sys
    with nvtx.Profile():
        print(outer(2), sys.getprofile())
    """)
    assert (done.stdout, done.stderr) == ("1 None\n", "")


def test_code_that_is_gone_leaves_nothing(record):
    record("""
        import gc, sys, tracemalloc
        import rangeline.nvtx as nvtx
        def round():
            for i in range(2000):
                exec(compile(f"def f(): pass\\nf()", f"{i}.py", "exec"), {})
            gc.collect()
        with nvtx.Profile(annotate_cfuncs=False):
            tracemalloc.start()
            round()
            before = tracemalloc.get_traced_memory()[0]
            round()
            grown = tracemalloc.get_traced_memory()[0] - before
        assert grown < 100_000, grown
    """)


# --- python -m rangeline.nvtx ---------------------------------------------------------

SHOWS = """
import sys
def main():
    print(__name__, sys.argv[1:], sys.path[0], __file__)
    sys.stdout.flush()
    import __main__
    print(__main__.main is main)
    print(sorted(n for n in vars(__main__) if n.startswith("__")), __spec__ is None,
          __package__, getattr(__loader__, "path", __loader__), __cached__ is None)
main()
"""


def run_words(tmp_path, *words):
    return subprocess.run([sys.executable, *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)


@pytest.mark.parametrize("program", [
    ["shows.py", "--linenos", "-m", "x"], ["inside/shows.py"], ["-m", "shows", "a"],
    ["-m", "inside.shows"], ["-c", "import sys; print(sys.argv, sys.path[0], "
                             "sorted(globals()), __name__, __loader__)", "a"],
    ["inside"], ["absent.py"], ["-m", "absent"], ["fails.py"], ["exits.py"],
    ["syntax.py"], ["-m", "fails"], ["-mshows", "b"],
])
def test_a_program_runs_as_python_runs_it(tmp_path, program):
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "__init__.py").write_text("")
    for name, text in {
            "shows.py": SHOWS, "inside/shows.py": SHOWS, "inside/__main__.py": SHOWS,
            "fails.py": "def f():\n    raise KeyError('why')\nf()\n",
            "exits.py": "import sys\nsys.exit('bye')\n", "syntax.py": "def :\n"}.items():
        (tmp_path / name).write_text(text)
    alone = run_words(tmp_path, *program)
    ours = run_words(tmp_path, "-m", "rangeline.nvtx", *program)
    assert (ours.returncode, ours.stdout) == (alone.returncode, alone.stdout)
    if program == ["-m", "fails"]:  # Python's frames of runpy are not there
        assert ours.stderr.endswith("\n" + alone.stderr.partition("_run_code\n")[2]
                                    .partition("\n")[2])
    else:
        assert ours.stderr == alone.stderr


@pytest.mark.parametrize("options, names", [
    ([], ["p.py:1(<module>)", "  p.py:1(f)"]),
    (["--no-linenos"], ["<module>", "  f"]),
    (["--no-linenos", "--annotate-cfuncs"], ["<module>", "  f", "    len"]),
    (["--linenos", "--exclude", "*.f"], ["p.py:1(<module>)"]),
])
def test_options_choose_names(record, tmp_path, options, names):
    (tmp_path / "p.py").write_text("def f(): len('')\nf()\n")
    events = record("""
        import subprocess, sys
        subprocess.run([sys.executable, "-m", "rangeline.nvtx", *sys.argv[1:]],
                       check=True)
    """, *options, tmp_path / "p.py")
    assert tree(events) == names
    assert is_balanced(events)


def test_a_program_must_be_named(tmp_path):
    done = run_words(tmp_path, "-m", "rangeline.nvtx", "--no-linenos")
    assert done.returncode == 2
    assert "the program to run is missing" in done.stderr
