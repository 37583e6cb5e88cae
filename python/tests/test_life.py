# SPDX-License-Identifier: Apache-2.0
"""The extension keeps bounded memory, and works across forks, threads, interpreters and
the end of the process."""
import sys

import pytest
from conftest import decode


@pytest.mark.once
@pytest.mark.by_choice
def test_a_million_distinct_messages_need_bounded_memory(record):
    events = record("""
        import resource, rangeline.nvtx as nvtx
        def peak_kib():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        domain = nvtx.get_domain("d")
        def use(numbers):
            for n in numbers:
                text = f"message {n}"
                with nvtx.annotate(text):
                    pass
                nvtx.mark(text, domain="d")
                domain.push_range(domain.get_event_attributes(text, payload=n))
                domain.pop_range()
                domain.get_registered_string(text)
        use(range(50_000))                              # beyond all bounds
        before = peak_kib()
        use(range(50_000, 333_334))                     # three or more uses each
        print(peak_kib() - before)
    """, timeout=300)
    assert int(events.output) < 24 << 10                # KiB, the collector's included


def test_beyond_the_bounds_messages_are_sent_as_text(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        long = d.get_registered_string("x" * (5 << 20))
        assert long.handle == 0 and long.string[:2] == "xx"
        d.mark(d.get_event_attributes("y" * (5 << 20)))
        for n in range(16384):
            assert d.get_registered_string(f"s{n}").handle
        late = d.get_registered_string("late")
        assert late.handle == 0 and late is not d.get_registered_string("late")
        assert d.get_registered_string("s5") is d.get_registered_string("s5")
        with nvtx.annotate("late", domain="d", color="red"): pass
        d.mark(d.get_event_attributes("late", payload=1))
        d.mark(message="s5")
        nvtx.mark("late")                       # in another domain there is room
        a = nvtx.annotate("later " + "than", domain="d")
        with a: pass
    """)
    late = [(e["message"], e.get("registered", False))
            for e in events.of("push", "mark") if len(e["message"]) < 100]
    assert late == [("late", False), ("late", False), ("s5", True), ("late", True),
                    ("later than", False)]


def test_categories_beyond_the_bound_are_none(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        ids = [d.get_category_id(f"c{n}") for n in range(65536)]
        assert ids == list(range(1, 65537))
        assert d.get_category_id("one more") == 0 and d.get_category_id("c9") == 10
        assert len(d.categories) == 65536
        d.mark(category="one more")
    """)
    assert "category" not in events.of("mark")[0]


USES = """
    import asyncio, contextlib, copy, functools, gc, pickle, statistics, sys, tracemalloc
    import rangeline.nvtx as nvtx
    domain = nvtx.get_domain("d")
    shared = nvtx.annotate("shared", "red", "d", "io", 3)
    def expect(*errors):
        return contextlib.suppress(*errors)
    @nvtx.annotate()
    def f(a, *b, **c): return a
    @nvtx.annotate()
    def gen(): yield from range(3)
    @nvtx.annotate()
    async def co(): return 1
    @nvtx.annotate()
    async def agen():
        yield 1
        yield 2
    async def use_async():
        await co()
        async for _ in agen(): break
        with shared, shared: pass
        a = agen(); await a.__anext__(); await a.aclose()
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(shared)
    def use_all():
        with nvtx.annotate("m", "red", "d", "io", 7): pass
        with shared: pass
        with nvtx.annotate(payload=2.5) as a: a.attributes.payload = 7
        class Derived(nvtx.annotate): pass
        with Derived("derived"): pass
        f(1, 2, c=3); list(gen()); g = gen(); next(g); g.close(); next(gen())
        nvtx.annotate()(functools.partial(f, 1))(); nvtx.annotate()(type("C", (), {}))()
        nvtx.mark("m", payload=1 << 62); nvtx.push_range("m"); nvtx.pop_range()
        nvtx.end_range(nvtx.start_range("m", domain="d"))
        x = domain.get_event_attributes("m", "red", "io", 5)
        x.message = "n"; x.color = None; x.category = "io"; x.payload = 2.5
        domain.mark(x, payload=6); domain.push_range(x); domain.pop_range()
        domain.end_range(domain.start_range(x)); domain.set_event_attributes(x, color=5)
        for o in shared, x, domain, domain.get_registered_string("m"):
            pickle.loads(pickle.dumps(o)); repr(o); copy.copy(o)
        nvtx.set_enabled(False)
        with shared: nvtx.push_range("m")
        nvtx.set_enabled(True); nvtx.pop_range()
        for wrong in [lambda: nvtx.mark(5), lambda: nvtx.annotate(5), lambda: shared(5),
                      lambda: nvtx.mark("m", nonsense=1), lambda: nvtx.end_range(5),
                      lambda: nvtx.annotate("m", category=1.5), lambda: x.__init__(1),
                      lambda: setattr(x, "color", -1), lambda: nvtx.EventAttributes(1),
                      lambda: nvtx.annotate("m", "no such color")]:
            with expect(TypeError, OverflowError, ValueError):
                wrong()
        loop.run_until_complete(use_async())
        loop.run_until_complete(asyncio.sleep(0))       # what was left to its hooks
        loop.run_until_complete(asyncio.sleep(0))
    loop = asyncio.new_event_loop()
    loop.slow_callback_duration = 60  # of a loaded machine asyncio would tell
"""


@pytest.mark.by_choice
def test_nothing_leaks(record):
    """Blocks and references do not grow with use; also of what fails."""
    record(USES + """
    for _ in range(20):
        use_all()
    gc.collect()
    total = getattr(sys, "gettotalrefcount", lambda: 0)
    tracemalloc.start()
    def measure():
        for _ in range(100):
            use_all()
        gc.collect()
        return sys.getallocatedblocks(), total(), tracemalloc.get_traced_memory()[0]
    # What leaks grows in each of these rounds, by 100 or more. Python's own caches (of
    # attributes, subclasses and imports) grow by as much in the first ones, then rarely.
    counts = [measure() for _ in range(15)]
    growths = [[b - a for a, b in zip(*pair)] for pair in zip(counts, counts[1:])]
    blocks, references, memory = map(statistics.median, zip(*growths))
    assert blocks < 60 and references < 60 and memory < 6_000, growths
    """, timeout=120, events=False)


def test_references_are_counted(record):
    record("""
        import sys, rangeline.nvtx as nvtx
        class Text(str): pass
        text, payload, name = Text("message"), 2.5 * len(sys.argv), "do" + "main" * 2
        def counts():
            return [sys.getrefcount(o) for o in (text, payload, name, nvtx.annotate)]
        def use():
            a = nvtx.annotate(text, "red", name, "io", payload)
            with a: pass
            a.init_args, a.domain
            b = nvtx.get_domain(name).get_event_attributes(text, payload=payload)
            b.message = None
            del a, b
        use()
        before = counts()
        for _ in range(1000):
            use()
        after = counts()
        assert all(abs(a - b) < 20 for a, b in zip(after, before)), (before, after)
    """)


@pytest.mark.parametrize("allocator", ["debug", "malloc_debug"])
def test_memory_is_used_as_it_was_asked_for(record, allocator):
    events = record(USES + "    for _ in range(20): use_all()\n    loop.close()\n",
                    env={"PYTHONMALLOC": allocator}, interpreter=["-X", "dev"],
                    timeout=120)
    assert events.errors == ""


def test_cycles_through_payloads_and_functions_are_collected(record):
    record("""
        import gc, weakref, rangeline.nvtx as nvtx
        class Payload: pass
        gc.disable()
        alive = []
        for _ in range(10):
            payload = Payload()
            payload.annotation = nvtx.annotate("m", payload=payload)
            alive.append(weakref.ref(payload))
            def f(): return f.__name__
            g = nvtx.annotate()(f)
            f.g = g
            alive.append(weakref.ref(f))
        del payload, f, g
        gc.collect()
        assert not any(a() for a in alive), [a() for a in alive]
    """)


# --- Processes ------------------------------------------------------------------------


@pytest.mark.slow
def test_everything_goes_on_in_forked_children(record):
    recording = record("""
        import os, threading, rangeline.nvtx as nvtx
        domain = nvtx.get_domain("d")
        step = domain.get_event_attributes("step", "red", "io", 1)
        shared = nvtx.annotate("shared", domain="d")
        @nvtx.annotate()
        def f(): pass
        @nvtx.annotate()
        def gen(): yield 1; yield 2
        half = gen(); next(half)
        stop = threading.Event()
        def work():
            while not stop.is_set():
                nvtx.mark("busy")
                f()
        busy = [threading.Thread(target=work) for _ in range(3)]
        for thread in busy: thread.start()
        for child in range(5):
            with nvtx.annotate("forking"):
                pid = os.fork()
                if not pid:
                    domain.push_range(step); domain.pop_range()
                    with shared, nvtx.annotate(f"child {child}", category="new"): f()
                    list(half)
                    nvtx.end_range(nvtx.start_range("s", domain="d"))
                    os._exit(0)
                assert os.waitpid(pid, 0)[1] == 0
                print(pid)
        stop.set()
        for thread in busy: thread.join()
    """, events=False)
    children = recording.output.split()
    assert len(set(children)) == 5
    # Not those of the busy threads, which are as many as the machine is fast.
    events = decode(recording.trace, *[f"--process={pid}" for pid in children])
    for pid in map(int, children):
        names = [e["message"] for e in events if e.get("pid") == pid and e["type"] in
                 ("push", "start")]
        assert names[:3] == ["step", "shared", names[2]] and names[-1] == "s"
        assert "f" in names and "gen [resumed]" in names


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_multiprocessing(record, how):
    events = record("""
        import multiprocessing, sys, rangeline.nvtx as nvtx
        @nvtx.annotate(domain="pool")
        def square(n):
            with nvtx.annotate(f"item {n}", domain="pool"):
                return n * n
        annotation = nvtx.annotate("sent", "red", "pool")
        def use(a):
            with a: return a.init_args
        if __name__ == "__main__":
            context = multiprocessing.get_context(sys.argv[1])
            with context.Pool(3) as pool:
                assert pool.map(square, range(30)) == [n * n for n in range(30)]
                assert pool.map(use, [annotation] * 3) == [annotation.init_args] * 3
                pool.close(); pool.join()
    """, how, timeout=120)
    ranges = events.ranges()
    items = [r["message"] for r in ranges if r["message"].startswith("item")]
    assert sorted(items) == sorted(f"item {n}" for n in range(30))
    assert [r["message"] for r in ranges].count("sent") == 3
    assert all(r.get("end") is not None for r in ranges)


def test_thread_pools(record):
    events = record("""
        import concurrent.futures, rangeline.nvtx as nvtx
        shared = nvtx.annotate("shared")
        @nvtx.annotate()
        def work(n):
            with shared, nvtx.annotate(f"item {n % 50}", category=f"c{n % 5}"):
                nvtx.get_domain(f"d{n % 7}").mark(message=f"m{n}")
                return nvtx.start_range("crossing")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for crossing in pool.map(work, range(1000)):
                nvtx.end_range(crossing)
    """)
    ranges = events.ranges()
    assert len(ranges) == 4000 and all(r.get("end") is not None for r in ranges)
    assert len(events.of("mark")) == 1000
    names = {e["category"]: e["category_name"] for e in events.of("push")
             if "category" in e}
    assert sorted(names.values()) == ["c0", "c1", "c2", "c3", "c4"]


# --- Interpreters ---------------------------------------------------------------------


IMPORT_INTERPRETERS = """
try:
    import _interpreters as interpreters                # 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
"""


def test_subinterpreters_have_states_of_their_own(record):
    events = record(IMPORT_INTERPRETERS + """
import sys
import rangeline.nvtx as nvtx
PROGRAM = '''
import sys
sys.path[:] = {path!r}
import rangeline.nvtx as nvtx
with nvtx.annotate("in {n}", "red", "d", "io"):
    nvtx.mark("mark {n}")
@nvtx.annotate()
def f(): pass
f()
nvtx.set_enabled(False)
'''
nvtx.mark("main")
for n in range(3):
    sub = interpreters.create()
    error = interpreters.run_string(sub, PROGRAM.format(path=sys.path, n=n))
    assert not error, error
    interpreters.destroy(sub)
nvtx.mark("main")
""")
    assert events.lines() == ["mark main", *[
        line for n in range(3) for line in [
            f"push in {n}", f"mark mark {n}", f"pop in {n}", "push f", "pop f"]],
        "mark main"]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="one lock for all before 3.12; "
                    "3.12.1 may never end join() of such a thread, which is gone")
def test_interpreters_with_locks_of_their_own_record_at_once(record):
    events = record(IMPORT_INTERPRETERS + """
import sys, threading
program = f'''
import sys
sys.path[:] = {sys.path!r}
import rangeline.nvtx as nvtx
shared = nvtx.annotate("shared", domain="d")
for n in range(2000):
    with shared, nvtx.annotate("new", payload=n): pass
'''
subs = [interpreters.create() for _ in range(4)]
threads = [threading.Thread(target=interpreters.run_string, args=(s, program))
           for s in subs]
for thread in threads: thread.start()
for thread in threads: thread.join()
for sub in subs: interpreters.destroy(sub)
""")
    ranges = events.ranges()
    assert len(ranges) == 4 * 2 * 2000 and all(r.get("end") is not None for r in ranges)


def test_ranges_still_close_while_the_interpreter_ends(record):
    events = record("""
        import atexit, sys, rangeline.nvtx as nvtx
        class Late:
            def __del__(self, annotate=nvtx.annotate, mark=nvtx.mark):
                with annotate("late"):
                    mark("m")
        keep = Late()
        keep.knot = keep
        def gen():
            with nvtx.annotate("generator"):
                yield
        half = gen(); next(half)
        @atexit.register
        def at_exit():
            with nvtx.annotate("atexit"): pass
    """)
    ranges = events.ranges()
    assert {"late", "atexit", "generator"} == {r["message"] for r in ranges}
    assert all(r.get("end") is not None for r in ranges)
