# SPDX-License-Identifier: Apache-2.0
"""Each range of a coroutine, generator or async generator closes once, in the right task,
and has the duration that the program itself measures."""
import json
import sys

import pytest

# What programs measure: a range must be longer than `inside`, shorter than `outside`.
MEASURE = """
import json, time
import rangeline.nvtx as nvtx

MEASURED = {}

class measured:
    def __init__(self, name):
        self.name = name
    def begin(self):
        self.outer = time.perf_counter_ns()
    def inside(self):
        self.inner = time.perf_counter_ns()
    def leave(self):
        self.inner = time.perf_counter_ns() - self.inner
    def end(self):
        MEASURED[self.name] = [self.inner, time.perf_counter_ns() - self.outer]

def tell():
    print(json.dumps(MEASURED))
"""


def check_durations(events, slack_ns=20_000):
    """Every measured range is there once, and has the duration that the program says. The
    clocks are tied to each other in pieces: they may disagree by the slack."""
    ranges = {}
    for r in events.ranges():
        if not r.get("message", "").endswith("[resumed]"):
            ranges.setdefault(r["message"], []).append(r)
    measured = json.loads(events.output)
    assert set(ranges) == set(measured)
    for name, (inner, outer) in measured.items():
        (r,) = ranges[name]
        assert inner - slack_ns <= r["duration"] <= outer + slack_ns, name
    return ranges


def test_a_thousand_interleaved_tasks(record):
    events = record(MEASURE + """
import asyncio, random

async def task(n, prepared):
    m = measured(f"task {n}")
    m.begin()
    with nvtx.annotate(m.name):
        m.inside()
        for _ in range(3):
            with prepared:
                await asyncio.sleep(random.random() / 100)
        m.leave()
    m.end()

async def main():
    random.seed(1)
    await asyncio.gather(*(task(n, prepared) for n in range(1000)))

prepared = nvtx.annotate("prepared")
asyncio.run(main())
tell()
""")
    ranges = events.ranges()
    prepared = [r for r in ranges if r["message"] == "prepared"]
    assert len(prepared) == 3000 and all(r["style"] == "start_end" for r in ranges)
    assert all(r.get("end") is not None for r in ranges)
    # What one object began for 1,000 tasks ended within their time.
    tasks = {r["message"]: r for r in ranges if r["message"] != "prepared"}
    assert len(tasks) == 1000
    starts = sorted(t["start"] for t in tasks.values())
    assert all(starts[0] <= p["start"] < p["end"] for p in prepared)
    for name, (inner, outer) in json.loads(events.output).items():
        assert inner - 20_000 <= tasks[name]["duration"] <= outer + 20_000, name


def test_one_prepared_object_ends_the_range_of_the_right_task(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        shared = nvtx.annotate("shared")

        async def task(n):
            with shared:                            # started in order 0..99
                await asyncio.sleep((n * 37 % 100) / 200)
                nvtx.mark("leaving", payload=n)     # ends in another

        async def main():
            await asyncio.gather(*(task(n) for n in range(100)))
        asyncio.run(main())
    """)
    started = [e["id"] for e in events.of("start")]
    leaving = None
    for e in events.of("mark", "end"):
        if e["type"] == "mark":
            leaving = e["payload"]
        else:
            assert e["id"] == started[leaving]
    assert len(events.of("end")) == 100


def test_a_decorated_coroutine_is_one_range_and_a_push_pop_a_resumption(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        @nvtx.annotate(color="red", domain="d", category="io", payload=3)
        async def work():
            nvtx.mark("1"); await asyncio.sleep(0)
            nvtx.mark("2"); await asyncio.sleep(0)
            nvtx.mark("3")
            return 5
        async def main():
            assert await work() == 5
        asyncio.run(main())
    """)
    assert events.lines("domain", "color", "category", "payload", "depth") == [
        "start work domain=d color=#00ff0000 category=1 payload=3",
        *[line for n in (1, 2, 3) for line in [
            "push work [resumed] domain=d color=#00ff0000 category=1 depth=0",
            f"mark {n} color=#000000ff",
            "pop work [resumed] domain=d depth=0"]],
        "end work domain=d"]


def test_sums_never_count_a_resumption_twice(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def work():
            for _ in range(3):
                await asyncio.sleep(0.001)
        async def main():
            await asyncio.gather(*(work() for _ in range(10)))
        asyncio.run(main())
    """)
    ranges = events.ranges()
    whole = [r for r in ranges if r["message"] == "work"]
    parts = [r for r in ranges if r["message"] == "work [resumed]"]
    assert (len(whole), len(parts)) == (10, 40)
    assert {r["style"] for r in whole} == {"start_end"}
    assert {(r["style"], r["depth"]) for r in parts} == {("push_pop", 0)}
    assert sum(r["duration"] for r in parts) < sum(r["duration"] for r in whole)


def test_a_generator_closed_half_way_closes_its_ranges(record):
    events = record(MEASURE + """
import gc
def half(m):
    with nvtx.annotate(m.name):
        m.inside()
        try:
            yield 1
            yield 2
        finally:
            m.leave()

for way in "close", "del", "throw", "cycle":
    m = measured(way)
    m.begin()
    g = half(m)
    next(g)
    if way == "close":
        g.close()
    elif way == "throw":
        try: g.throw(ValueError)
        except ValueError: pass
    elif way == "cycle":
        class Knot: pass
        knot = Knot(); knot.self = knot; knot.g = g
        del g, knot
        gc.collect()
    else:
        del g
    m.end()
tell()
""")
    ranges = check_durations(events)
    assert {r["style"] for (r,) in ranges.values()} == {"start_end"}


def test_with_in_every_kind_of_frame(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        shared = nvtx.annotate("shared")
        def plain():
            with shared: pass
        def gen():
            with shared:
                with shared:
                    yield 1
        async def agen():
            with shared:
                yield 1
        async def coroutine():
            with shared:
                plain()
                async for _ in agen():
                    await asyncio.sleep(0)
                [list(gen()) for _ in range(2)]
        asyncio.run(coroutine())
    """)
    assert [e["type"] for e in events.of("start", "end", "push", "pop")] == [
        "start", "push", "pop", "start", "end",
        *["start", "start", "end", "end"] * 2, "end"]
    ids = []
    for e in events.of("start", "end"):                 # strictly nested here
        ids.append(e["id"]) if e["type"] == "start" else None
        assert e["type"] == "start" or e["id"] == ids.pop()


def test_exit_stacks_enter_and_leave_for_the_frame_that_uses_them(record):
    events = record("""
        import asyncio, contextlib, rangeline.nvtx as nvtx
        shared = nvtx.annotate("shared")
        async def task(n):
            async with contextlib.AsyncExitStack() as stack:
                stack.enter_context(shared)
                stack.enter_context(nvtx.annotate(f"own {n}"))
                await asyncio.sleep((n * 37 % 20) / 1000)
            with contextlib.ExitStack() as stack:
                stack.enter_context(nvtx.annotate(f"sync {n}"))
                await asyncio.sleep((n * 53 % 20) / 1000)
        async def main():
            await asyncio.gather(*(task(n) for n in range(20)))
        asyncio.run(main())

        with contextlib.ExitStack() as stack:           # in a plain frame
            stack.enter_context(nvtx.annotate("pushed"))

        def enter(stack):                               # entered by another frame
            stack.enter_context(nvtx.annotate("helped"))
        async def handed_over():
            with contextlib.ExitStack() as stack:
                enter(stack)
            with contextlib.ExitStack() as stack:
                stack.enter_context(nvtx.annotate("moved"))
                await asyncio.sleep(0)
                return stack.pop_all()
        stack = asyncio.run(handed_over())
        stack.close()

        @contextlib.contextmanager
        def manager():
            with nvtx.annotate("managed"):
                yield
        with manager():
            pass
    """)
    ranges = events.ranges()
    assert len(ranges) == 20 * 3 + 4 and all(r.get("end") is not None for r in ranges)
    style = {r["message"]: r["style"] for r in ranges}
    assert {style[f"{kind} {n}"] for n in range(20) for kind in ["own", "sync"]} == {
        "start_end"}
    assert (style["shared"], style["moved"], style["managed"]) == ("start_end",) * 3
    assert (style["pushed"], style["helped"]) == ("push_pop",) * 2


def outer_names(recording):
    """[(a range, the one that it says it was begun in, or None)] by name, in order."""
    starts = recording.of("start")
    names = {start["id"]: start["message"] for start in starts}
    ids = [[p["value"] for p in start.get("payloads", []) if p.get("schema") == "range"]
           for start in starts]
    assert all(len(found) < 2 for found in ids)
    return [(start["message"], names[found[0]] if found else None)
            for start, found in zip(starts, ids)]


def test_ranges_say_in_which_ones_they_were_begun(record):
    recording = record("""
        import asyncio, rangeline.nvtx as nvtx

        async def fetch():
            with nvtx.annotate("fetch"):
                await asyncio.sleep(0)
                with nvtx.annotate("parse"):
                    await asyncio.sleep(0)
                with nvtx.annotate("keep"):
                    pass

        @nvtx.annotate("batch")
        async def batch():
            first = asyncio.create_task(fetch())
            with nvtx.annotate("later"):            # the task was created before
                await first
            await asyncio.gather(fetch(), fetch())

        @nvtx.annotate("generator")
        def generator():
            yield

        @nvtx.annotate("numbers")
        async def numbers():
            each = generator()
            next(each)
            with nvtx.annotate("beside it"):        # not in the generator, which pauses
                pass
            with nvtx.annotate("number", payload=7):
                pass
            with nvtx.annotate("array", payload=b"xy"):
                pass
            next(each, None)
            nvtx.set_enabled(False)
            with nvtx.annotate("suppressed"):
                nvtx.set_enabled(True)
                with nvtx.annotate("inside it"):
                    pass

        async def main():
            await batch()
            await numbers()
            with nvtx.annotate("alone"):
                pass

        asyncio.run(main())
    """)
    of_task = [("fetch", "batch"), ("parse", "fetch"), ("keep", "fetch")]
    outer = outer_names(recording)
    assert sorted(outer[:11]) == sorted(
        [("batch", None), ("later", "batch")] + 3 * of_task)
    assert outer[11:] == [
        ("numbers", None), ("generator", "numbers"), ("beside it", "numbers"),
        ("number", None), ("array", "numbers"), ("inside it", "numbers"), ("alone", None)]
    numbers = {e["message"]: e for e in recording.of("start")}
    assert numbers["number"]["payload"] == 7
    assert len(numbers["array"]["payloads"]) == 2


def test_tasks_may_create_each_other_forever(record):
    recording = record("""
        import asyncio, tracemalloc, rangeline.nvtx as nvtx

        async def task(n):
            with nvtx.annotate("task"):
                if n == 1000:
                    tracemalloc.start()
                if n < 6000:
                    following = asyncio.create_task(task(n + 1))
                    await asyncio.sleep(0)          # it has begun, and this one ends
                    return following

        async def main():
            following = asyncio.create_task(task(0))
            while following:
                following = await following
            print(tracemalloc.get_traced_memory()[0])

        asyncio.run(main())
    """)
    outer = outer_names(recording)
    assert len(outer) == 6001 and outer[0] == ("task", None)
    assert sum(name == "task" for _, name in outer) >= 5900
    assert int(recording.output) < 100_000  # 64 ranges, not 5,000


def test_whoever_copies_a_context_may_change_what_it_has(record):
    recording = record("""
        import asyncio, contextvars, rangeline.nvtx as nvtx

        async def main():
            with nvtx.annotate("outer"):
                variable, own = next((variable, value)
                    for variable, value in contextvars.copy_context().items()
                    if "rangeline" in variable.name)
                for value in (None, 42, "text", variable, object()):
                    variable.set(value)
                    with nvtx.annotate("other"):
                        pass
                variable.set(own)
                with nvtx.annotate("inner"):
                    pass

        asyncio.run(main())
    """)
    assert outer_names(recording) == [
        ("outer", None)] + 5 * [("other", None)] + [("inner", "outer")]


def test_cancellation_closes_ranges_and_goes_on(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def sleeper(n):
            with nvtx.annotate("inner"):
                await asyncio.sleep(60)
        @nvtx.annotate()
        async def shielded():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                return "survived"
        async def main():
            tasks = [asyncio.ensure_future(sleeper(n)) for n in range(5)]
            tasks.append(asyncio.ensure_future(shielded()))
            unstarted = asyncio.ensure_future(sleeper(9))
            unstarted.cancel()                          # before its first step
            await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, unstarted, return_exceptions=True)
            assert results.pop(5) == "survived"
            assert all(isinstance(r, asyncio.CancelledError) for r in results)
            try:
                await asyncio.wait_for(sleeper(1), 0.01)
            except asyncio.TimeoutError:
                pass
        asyncio.run(main())
    """)
    ranges = events.ranges()
    assert all(r.get("end") is not None for r in ranges)
    names = [r["message"] for r in ranges]
    assert {n: names.count(n) for n in ["sleeper", "inner", "shielded"]} == {
        "sleeper": 6, "inner": 6, "shielded": 1}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TaskGroup is of 3.11")
def test_task_groups_and_exception_groups(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def child(n):
            with nvtx.annotate(f"child {n}"):
                await asyncio.sleep(n / 1000)
                if n % 4 == 3:
                    raise ValueError(n)
                await asyncio.sleep(10)
        async def main():
            try:
                async with asyncio.TaskGroup() as group:
                    for n in range(8):
                        group.create_task(child(n))
            except* ValueError as errors:
                with nvtx.annotate("handling"):
                    print([e.args[0] for e in errors.exceptions])
        asyncio.run(main())
        try:
            with nvtx.annotate("group"):
                raise ExceptionGroup("g", [ValueError(), KeyError()])
        except* ValueError:
            pass
        except* KeyError:
            pass
    """)
    ranges = events.ranges()
    assert all(r.get("end") is not None for r in ranges)
    names = [r["message"] for r in ranges]
    assert names.count("child") == 8
    assert names.count("handling") == names.count("group") == 1
    assert {f"child {n}" for n in range(8)} <= set(names)


def test_a_nursery_of_plain_coroutines(record):
    """An event loop of twenty lines, as trio and anyio have: no asyncio, no tasks."""
    events = record(MEASURE + """
import types
@types.coroutine
def pause():
    yield

@nvtx.annotate()
async def worker(n):
    m = measured(f"worker {n}")
    m.begin()
    with nvtx.annotate(m.name):
        m.inside()
        for _ in range(n % 7 + 1):
            await pause()
        m.leave()
    m.end()
    if n == 13:
        raise ValueError("one of them fails")

def nursery(coroutines):
    ready, failed = list(coroutines), []
    while ready:
        coroutine = ready.pop(len(ready) * 7 // 11)
        try:
            coroutine.send(None)
            ready.append(coroutine)
        except StopIteration:
            pass
        except ValueError as error:
            failed.append(error)
    return failed

assert len(nursery(worker(n) for n in range(100))) == 1
tell()
""")
    ranges = events.ranges()
    whole = [r for r in ranges if r["message"] == "worker"]
    assert len(whole) == 100 and all(r.get("end") is not None for r in ranges)
    own = {r["message"]: r for r in ranges if r["message"].startswith("worker ")
           and r["message"] != "worker [resumed]"}
    for name, (inner, outer) in json.loads(events.output).items():
        assert inner - 20_000 <= own[name]["duration"] <= outer + 20_000, name
    parts = [r for r in ranges if r["message"] == "worker [resumed]"]
    assert len(parts) == sum(n % 7 + 2 for n in range(100))
    assert {r["depth"] for r in parts} == {0}


def test_coroutines_may_move_between_threads(record):
    events = record("""
        import threading, types, rangeline.nvtx as nvtx
        @types.coroutine
        def pause(): yield
        @nvtx.annotate()
        async def work():
            with nvtx.annotate("inner"):
                for _ in range(4):
                    await pause()
        made = work()
        def step():
            try:
                made.send(None)
            except StopIteration:
                pass
        for _ in range(5):
            thread = threading.Thread(target=step)
            thread.start(); thread.join()
    """)
    ranges = events.ranges()
    assert all(r.get("end") is not None for r in ranges)
    assert sorted(r["message"] for r in ranges) == [
        "inner", "work", *["work [resumed]"] * 5]
    assert not events.of("pop") == [] and not any(e.get("unmatched") for e in events)


def test_the_switch_and_coroutines(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def work():
            with nvtx.annotate("inner"):
                await asyncio.sleep(0.001)
                await asyncio.sleep(0.001)
        async def main(first):
            nvtx.set_enabled(first)
            task = asyncio.ensure_future(work())
            await asyncio.sleep(0)
            nvtx.set_enabled(not first)
            await task
        asyncio.run(main(True))
        asyncio.run(main(False))
        nvtx.set_enabled(True)
        with nvtx.annotate("after"): pass
    """)
    ranges = events.ranges()
    assert all(r.get("end") is not None for r in ranges)
    assert not any(e.get("unmatched") for e in events)
    assert [r["message"] for r in ranges].count("work") == 1
    assert [r["depth"] for r in ranges if r["message"] == "after"] == [0]
