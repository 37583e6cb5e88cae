# SPDX-License-Identifier: Apache-2.0
"""Ranges of functions are right when greenlets switch between them: those of a greenlet
that waits are closed, and go on in the category "resumed"."""
import importlib.util
import pathlib
import subprocess
import sys
import textwrap

import pytest
import rangeline
from conftest import RANGELINE, Recording, decode
from test_profile import is_balanced, stretches, tree

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    importlib.util.find_spec("greenlet") is None, reason="greenlet is not installed")]

PACKAGE = pathlib.Path(rangeline.__file__).parent

START = """
    import sys, threading, time
    from greenlet import getcurrent, gettrace, greenlet, settrace
    import rangeline.nvtx as nvtx
    profile = nvtx.Profile(linenos=False, annotate_cfuncs=False, include="__main__")
    main = getcurrent()
"""




def seconds_in(events, name):
    return sum(r["end"] - r["start"] for r in events.ranges() if r["message"] == name) / 1e9


def test_greenlets_do_not_nest_in_each_other(record):
    events = record(START + """
    def spin(seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
    def inner(other):
        other.switch()
        spin(.01)
    def a():
        inner(second)
        spin(.02)
    def b():
        for _ in range(2):
            spin(.03)
            first.switch()
    def outer():
        first.switch()
    first, second = greenlet(a), greenlet(b)
    with profile:
        outer()
        spin(.05)
        outer()
    """)
    assert tree(events) == ["outer", "  a", "    inner", "  b", "    spin", "  a",
                            "    inner", "      spin", "    spin", "spin", "outer"]
    assert stretches(events) == ["outer", "a", "inner", "b", "spin", "a*", "inner*",
                                 "spin", "spin", "spin", "outer"]
    assert is_balanced(events)
    took = {name: seconds_in(events, name) for name in ("a", "b", "inner", "outer")}
    # None has the time of another, however long a busy machine lets one wait.
    assert took["a"] >= .03 and took["b"] >= .03 and took["inner"] >= .01, took
    assert took["inner"] + .02 <= took["a"], took
    assert took["a"] + took["b"] <= took["outer"], took


def test_ten_thousand_switches_keep_order(record):
    events = record(START + """
    def leaf():
        pass
    def below(n):
        leaf()
        main.switch(n)
        leaf()
    def work(n):
        for i in range(n):
            below(i)
    def drive():
        made = list(map(greenlet, 10 * [work]))
        for _ in range(501):
            for one in made:
                one.switch(500)
    with profile:
        drive()
    """)
    names = stretches(events)
    assert {n: names.count(n) for n in set(names)} == {
        "drive": 1, "work": 10, "work*": 5000, "below": 5000, "below*": 5000,
        "leaf": 10000}
    assert set(tree(events)) == {"drive", "  work", "    below", "      leaf"}
    assert is_balanced(events)


def test_parents_are_what_their_children_lie_in(record):
    events = record(START + """
    def child():
        getcurrent().parent.switch()
        main.switch()
    def parent():
        one = greenlet(child)
        one.switch()
        main.switch()
        one.switch()
    def top():
        one = greenlet(parent)
        one.switch()
        one.switch()
        one.switch()  # parent() returns, and the child, which no one needs, is ended
    with profile:
        top()
    """)
    assert tree(events) == ["top", "  parent", "    child", "  parent", "    child",
                            "  parent", "  child"]
    assert stretches(events) == ["top", "parent", "child", "parent*", "child*", "parent*",
                                 "child*"]
    assert is_balanced(events)


def test_a_greenlet_may_have_many_ancestors(record):
    events = record(START + """
    def waits():
        main.switch()
    with profile:
        last = main
        for _ in range(300):
            last = greenlet(waits, last)
            last.switch()
        last.switch()     # all ranges open again
    """)
    assert is_balanced(events)
    assert max(e["depth"] for e in events.of("push")) == 299


def test_generators_and_coroutines_in_greenlets_pause_as_elsewhere(record):
    events = record(START + """
    import asyncio
    def numbers():
        yield 1
        main.switch()
        yield 2
    def consume():
        for _ in numbers():
            pass
    async def part():
        main.switch()
        await asyncio.sleep(0)
    async def whole():
        await part()
    def run():
        asyncio.run(whole())
    with profile:
        made = greenlet(consume), greenlet(run)
        for one in 2 * made:
            one.switch()
    """)
    assert tree(events) == ["consume", "  numbers", "  numbers", "run", "  whole",
                            "    part", "consume", "  numbers", "  numbers", "run",
                            "  whole", "    part", "  whole", "    part"]
    assert is_balanced(events)
    started = [r["message"] for r in events.ranges() if r["style"] == "start_end"]
    assert started == ["whole"]


def test_exceptions_are_thrown_into_greenlets(record):
    events = record(START + """
    def waits():
        try:
            main.switch()
        except KeyError:
            caught()
            raise
    def caught():
        pass
    def throw(one):
        try:
            one.throw(KeyError)
        except KeyError:
            pass
    with profile:
        one = greenlet(waits)
        one.switch()
        throw(one)
        throw(greenlet(waits))
    """)
    assert tree(events) == ["waits", "throw", "  waits", "    caught", "throw"]
    assert is_balanced(events)


def test_a_greenlet_that_is_dropped_or_never_ends_leaves_nothing(record):
    events = record(START + """
    class Kept: pass
    def inside(kept):
        main.switch()
    def waits(kept):
        try:
            inside(kept)
        finally:
            last()
    def last():
        print(kept() is None)
    import weakref
    with profile:
        value = Kept()
        kept = weakref.ref(value)
        one = greenlet(waits)
        seen = weakref.ref(one)
        one.switch(value)
        del value
        print(kept() is None, seen() is None)
        del one
        print(kept() is None, seen() is None)
        never = list(map(greenlet, 3 * [inside]))
        for one in never:
            one.switch(None)
        last()
    """)
    assert events.output.split("\n")[:4] == ["False False", "False", "True True", "True"]
    assert stretches(events) == ["waits", "inside", "waits*", "inside*", "last", "inside",
                                 "inside", "inside", "last"]
    assert is_balanced(events)


def test_addresses_are_used_again(record):
    events = record(START + """
    def inside():
        main.switch()
    def waits():
        inside()
    with profile:
        for _ in range(1000):
            one = greenlet(waits)
            one.switch()
            del one
    """)
    assert stretches(events) == 1000 * ["waits", "inside", "waits*", "inside*"]
    assert is_balanced(events)


def test_a_profile_may_end_and_begin_while_greenlets_wait(record):
    events = record(START + """
    def below():
        main.switch()
    def waits():
        below()
        below()
    def f():
        pass
    def outer():
        profile.disable()
        one.switch()      # ends the first below(), and begins another
        profile.enable()
        f()
        one.switch()
        f()
    one = greenlet(waits)
    print(gettrace())
    profile.enable()
    one.switch()
    outer()
    profile.disable()
    print(gettrace())
    """)
    assert stretches(events) == ["waits", "below", "outer", "f", "f"]
    assert events.output == "None\nNone\n"
    assert is_balanced(events)


def test_each_thread_has_greenlets(record):
    events = record(START + """
    def below():
        getcurrent().parent.switch()
    def work():
        below()
        below()
    def thread(n):
        made = list(map(greenlet, n * [work]))
        begin.wait()
        for _ in range(3):
            for one in made:
                one.switch()
    begin = threading.Event()
    before = threading.Thread(target=thread, args=[3])
    before.start()
    with profile:
        after = threading.Thread(target=thread, args=[5])
        after.start()
        begin.set()
        before.join()
        after.join()
    """)
    names = stretches(events)
    assert is_balanced(events)
    assert names.count("work") == 8 and names.count("work*") == 16
    assert names.count("below") == names.count("below*") == 16
    assert {e["depth"] for e in events.of("push") if e["message"] == "below"} <= {1, 2}


def test_a_function_for_switches_that_was_set_before_is_called(record):
    events = record(START + """
    calls = []
    def own(event, pair):
        calls.append((event, pair[0] is main))
    def waits():
        main.switch()
    settrace(own)
    with profile:
        one = greenlet(waits)
        one.switch()
        try:
            one.throw(KeyError)
        except KeyError:
            pass
    print(calls, gettrace() is own)
    def raises(event, pair):
        raise ValueError
    settrace(raises)
    with profile:
        try:
            greenlet(waits).switch()
        except ValueError:
            print("raised", gettrace())
    """)
    assert events.output == ("[('switch', True), ('switch', False), ('throw', True), "
                             "('throw', False)] True\nraised None\n")
    assert [n for n in stretches(events) if n != "own"] == ["waits", "waits*"]
    assert is_balanced(events)


def test_a_function_that_takes_the_place_of_ours_is_warned_of(record):
    program = START + """
    def own(event, pair):
        if previous and len(sys.argv) > 1:
            previous(event, pair)
    def below():
        main.switch()
    def a():
        below()
    def b():
        pass
    with profile:
        previous = None
        previous = settrace(own)
        one = greenlet(a)
        one.switch()
        b()
        one.switch()
    """
    lost, chained = record(program), record(program, "chain")
    assert "RuntimeWarning: the program has set another function for switches" in lost.errors
    assert "another function" not in chained.errors and is_balanced(chained)
    assert [n for n in stretches(chained) if n != "own"] == ["a", "below", "b", "a*",
                                                            "below*"]


@pytest.fixture
def profiled(tmp_path, monkeypatch):
    """profiled(program, *options) -> Recording, under `rangeline profile --python=mine`."""
    monkeypatch.setenv("RANGELINE_PYTHON", str(PACKAGE))

    def run(program):
        (tmp_path / "g.py").write_text(textwrap.dedent(program))
        done = subprocess.run(
            [RANGELINE, "profile", "-o", "run", "-f", "true", "--python=mine",
             "--python-include=g.py", "--python-exclude=gevent,greenlet,sqlalchemy,zope",
             sys.executable, "g.py"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True,
            cwd=tmp_path, timeout=60)
        recording = Recording(decode(tmp_path / "run.rln"), tmp_path / "run.rln", done)
        recording.messages = done.stderr
        return recording
    return run


SWITCHES = """
    import threading
    def below(parent):
        parent.switch()
    def a(parent):
        below(parent)
    def b():
        pass
    def work():
        from greenlet import getcurrent, greenlet
        one = greenlet(a)
        one.switch(getcurrent())
        b()
        one.switch()
    for _ in range(2):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    work()
"""


def test_greenlet_is_noticed_when_it_is_imported(profiled):
    events = profiled(SWITCHES)
    assert tree(events) == ["g.<module>", *2 * [
        "g.work", "  g.a", "    g.below", "  g.b", "  g.a", "    g.below"], *[
        "  g.work", "    g.a", "      g.below", "    g.b", "    g.a", "      g.below"]]
    assert is_balanced(events) and "greenlet" not in events.messages


def test_a_process_that_takes_the_place_of_ours_is_named(profiled):
    events = profiled(SWITCHES.replace("one = ", "import greenlet as g; "
                                       "g.settrace(None); one = "))
    assert "have wrong times: it set another function for switches" in events.messages


def test_a_program_named_greenlet_runs_once(profiled, tmp_path):
    (tmp_path / "greenlet.py").write_text("def f(): print('once')\nf()\n")
    done = subprocess.run([RANGELINE, "profile", "-o", "own", "--python=mine",
                           sys.executable, "greenlet.py"],
                          stdout=subprocess.PIPE, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "once\n"


def test_jobs_of_gevent_lie_in_its_hub(profiled):
    pytest.importorskip("gevent", reason="gevent is not installed")
    events = profiled("""
        import gevent, gevent.pool
        def inner(i):
            gevent.sleep(0.001)
            return i
        def job(i):
            for _ in range(3):
                inner(i)
            return i
        def main():
            pool = gevent.pool.Pool(5)
            print(sum(pool.imap_unordered(job, range(20))))
            stuck = gevent.spawn(gevent.sleep, 60)
            gevent.sleep(0)
            stuck.kill()
        main()
    """)
    names = stretches(events)
    assert events.output == "190\n" and is_balanced(events)
    assert "wrong times" not in events.messages
    assert (names.count("g.job"), names.count("g.inner")) == (20, 60)
    assert (names.count("g.job*"), names.count("g.inner*")) == (60, 60)
    depths = {(e["message"], e["depth"]) for e in events.of("push")}
    assert depths == {("g.<module>", 0), ("g.main", 1), ("g.job", 2), ("g.inner", 3)}


def test_sqlalchemys_functions_lie_in_the_coroutine_that_calls_them(profiled):
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    events = profiled("""
        import asyncio
        from sqlalchemy.util import await_only, greenlet_spawn
        async def fetch():
            await asyncio.sleep(0)
        def execute(n):
            for _ in range(n):
                await_only(fetch())
            return n
        async def query():
            return await greenlet_spawn(execute, 3)
        async def main():
            print(sum(await asyncio.gather(query(), query(), query(), query())))
        asyncio.run(main())
    """)
    names = stretches(events)
    assert events.output == "12\n" and is_balanced(events)
    assert "wrong times" not in events.messages
    assert (names.count("g.execute"), names.count("g.fetch")) == (4, 12)
    assert (names.count("g.execute*"), names.count("g.fetch*")) == (12, 12)
    depths = {(e["message"], e["depth"]) for e in events.of("push")
              if e["message"].startswith("g.")}
    assert depths == {("g.<module>", 0), ("g.main", 1), ("g.query", 1), ("g.execute", 2),
                      ("g.fetch", 2)}
