# SPDX-License-Identifier: Apache-2.0
"""Decorated coroutines, generators and async generators behave like plain ones: values,
exceptions, ends and warnings pass through."""


def test_decorated_things_are_told_apart_as_before(record):
    record("""
        import asyncio, functools, inspect, types, rangeline.nvtx as nvtx
        async def coroutine(a, b=1): pass
        def generator(a): yield
        async def asyncgen(a): yield
        @types.coroutine
        def old(a): yield
        def plain(a): pass
        class C:
            async def method(self): pass
        for f in [coroutine, generator, asyncgen, old, plain, C().method,
                  functools.partial(coroutine, 1), functools.partial(generator, 1)]:
            g = nvtx.annotate("m")(f)
            for ask in [inspect.iscoroutinefunction, inspect.isgeneratorfunction,
                        inspect.isasyncgenfunction, asyncio.iscoroutinefunction]:
                assert ask(f) == ask(g), (f, ask)
            assert inspect.signature(f) == inspect.signature(g)
        made = nvtx.annotate()(coroutine)(1)
        assert inspect.iscoroutine(made) and inspect.isawaitable(made)
        assert made.__name__ == "coroutine"
        assert made.__qualname__ == coroutine.__qualname__
        made.close()
        made = nvtx.annotate()(generator)(1)
        assert inspect.isgenerator(made) and made.__name__ == "generator"
        assert inspect.isasyncgen(nvtx.annotate()(asyncgen)(1))
        async def use_old():
            return nvtx.annotate()(old)(1)
        class D:
            @nvtx.annotate("dm")
            async def m(self): return self
            @classmethod
            @nvtx.annotate("dc")
            async def c(cls): return cls
            @nvtx.annotate("ds")
            @staticmethod
            async def s(): return 1
        assert inspect.iscoroutinefunction(D().m) and inspect.iscoroutinefunction(D.c)
        d = D()
        async def main():
            assert await d.m() is d and await D.c() is D and await D.s() == 1
            class Callable:
                async def __call__(self): return 3
            assert await nvtx.annotate()(Callable())() == 3
            assert await nvtx.annotate()(functools.partial(coroutine, 1))() is None
        asyncio.run(main())
    """)


def test_wrong_arguments_are_refused_at_the_call(record):
    record("""
        import rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def coroutine(a): pass
        @nvtx.annotate()
        def generator(a): yield
        for f in coroutine, generator:
            try:
                f()
            except TypeError as error:
                assert "missing 1 required" in str(error)
            else:
                raise AssertionError(f)
    """)


# A decorated generator must behave like the plain one: the same script of calls
# is run on a bare one and on a decorated one, and their answers are compared.
GENERATORS = """
    import sys, rangeline.nvtx as nvtx
    def echo():
        got = []
        while len(got) < 3:
            try:
                got.append((yield len(got)))
            except KeyError as error:
                got.append(repr(error))
        return got
    def swallow():
        try:
            yield 1
        except GeneratorExit:
            return "returned"
    def stubborn():
        try:
            yield 1
        except GeneratorExit:
            yield 2
    def raises():
        yield 1
        raise ValueError("own")
    def stops():
        yield 1
        raise StopIteration("no")
    def nested():
        return (yield from echo())
    def cleans():
        try:
            yield 1
        finally:
            nvtx.mark("cleaned")
    def returns_tuple():
        yield 1
        return (1, 2)
    def returns_exception():
        yield 1
        return ValueError("value")
    def leaves_with(error):
        def f():
            try:
                yield 1
            finally:
                raise error
        return f

    def call(function, *args):
        try:
            return "value", repr(function(*args))
        except StopIteration as stop:
            return "stop", repr(stop.value)
        except BaseException as error:
            return "error", type(error), str(error)

    scripts = [
        [("next",)] * 5,
        [("next",), ("send", 1), ("send", 2), ("send", 3), ("next",)],
        [("send", 1)],
        [("throw", KeyError("early"))],
        [("next",), ("throw", KeyError("k")), ("next",), ("throw", ValueError("v")),
         ("next",)],
        [("next",), ("close",), ("next",), ("close",)],
        [("close",), ("next",)],
        [("next",), ("throw", GeneratorExit()), ("next",)],
        [("next",), ("throw", GeneratorExit()), ("throw", KeyError("k"))],
        [("next",), ("throw", StopIteration("s"))],
        [("next",), ("throw", KeyboardInterrupt())],
    ]
    functions = [echo, swallow, stubborn, raises, stops, nested, cleans, returns_tuple,
                 returns_exception, leaves_with(ValueError("x")),
                 leaves_with(KeyboardInterrupt())]

    def play(made, script):
        for name, *args in script:
            if name == "next":
                yield call(next, made)
            else:
                yield call(getattr(made, name), *args)

    for f in functions:
        for script in scripts:
            bare = list(play(f(), script))
            decorated = list(play(nvtx.annotate()(f)(), script))
            assert bare == decorated, (f, script, bare, decorated)
"""


def test_values_and_exceptions_pass_through_generators_exactly(record):
    events = record(GENERATORS)
    ranges = events.ranges()
    assert len(ranges) > 100 and all(r.get("end") is not None for r in ranges)


def test_values_and_exceptions_pass_through_coroutines_exactly(record):
    events = record("""
        import types, rangeline.nvtx as nvtx
        class Pause:
            def __init__(self, value): self.value = value
            def __await__(self): return (yield self.value)
        async def echo():
            got = []
            while len(got) < 3:
                try:
                    got.append(await Pause(len(got)))
                except KeyError as error:
                    got.append(repr(error))
            return got
        async def at_once(): return (1, 2)
        async def fails():
            await Pause(1)
            raise ValueError("own")
        async def cleans():
            try:
                await Pause(1)
            finally:
                await Pause(2)
        async def swallows():
            try:
                await Pause(1)
            except GeneratorExit:
                return "returned"
        def call(function, *args):
            try:
                return "value", repr(function(*args))
            except StopIteration as stop:
                return "stop", repr(stop.value)
            except BaseException as error:
                return "error", type(error), str(error)
        scripts = [
            [("send", None)] * 4,
            [("send", None), ("send", 5), ("throw", KeyError("k")), ("send", 6),
             ("send", 7)],
            [("throw", ValueError("early")), ("close",)],
            [("send", None), ("throw", ValueError("v")), ("send", None)],
            [("close",), ("close",)],
            [("send", None), ("throw", GeneratorExit()), ("send", None)],
            [("send", None), ("close",), ("send", None)],
        ]
        for f in echo, at_once, fails, cleans, swallows:
            for script in scripts:
                bare, decorated = f(), nvtx.annotate()(f)()
                one = [call(getattr(bare, n), *a) for n, *a in script]
                # A finished coroutine says so in words of its own.
                two = [call(getattr(decorated, n), *a) for n, *a in script]
                assert one == two, (f, script, one, two)
                for c in bare, decorated:
                    call(c.close)
                    call(c.send, None), call(c.close)
    """)
    assert all(r.get("end") is not None for r in events.ranges())


def test_async_generators_pass_everything_through(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        log = []
        async def agen(n):
            try:
                for i in range(n):
                    try:
                        got = yield i
                        log.append(got)
                    except KeyError as error:
                        yield repr(error)
                    await asyncio.sleep(0)
            finally:
                await asyncio.sleep(0)
                log.append("closed")
        async def use(f):
            log.clear()
            result = [[i async for i in f(3)]]
            a = f(3)
            result += [await a.__anext__(), await a.asend("x"),
                       await a.athrow(KeyError("k")), await a.asend(None)]
            await a.aclose()
            try:
                await a.__anext__()
            except StopAsyncIteration:
                result.append("stopped")
            b = f(3)
            await b.__anext__()
            try:
                await b.athrow(ValueError("v"))
            except ValueError as error:
                result.append(str(error))
            async for _ in f(5):
                break                               # left to the event loop's hooks
            c = f(1)
            await c.aclose()                        # never begun
            try:
                await f(2).athrow(KeyError("early"))
            except KeyError as error:
                result.append(str(error))
            while log.count("closed") < 4:          # the loop's turns, however many
                await asyncio.sleep(0)
            return result, list(log)
        async def main():
            bare = await use(agen)
            decorated = await use(nvtx.annotate()(agen))
            assert bare == decorated, (bare, decorated)
        asyncio.run(main())
    """)
    ranges = events.ranges()
    whole = [r for r in ranges if r["message"] == "agen"]
    assert len(whole) == 4 and all(r.get("end") is not None for r in ranges)


def test_what_is_never_awaited_warns_once_and_records_nothing(record):
    events = record("""
        import gc, warnings, rangeline.nvtx as nvtx
        @nvtx.annotate()
        async def forgotten(): pass
        @nvtx.annotate()
        def unused(): yield
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            forgotten(); unused()
            gc.collect()
        assert [str(w.message) for w in caught] == [
            "coroutine 'forgotten' was never awaited"]
    """)
    assert events.lines() == []


def test_what_is_garbage_is_closed_without_a_word(record):
    """The collector may close what is inside a decorated one before that, or while."""
    events = record("""
        import asyncio, gc, rangeline.nvtx as nvtx
        def drop(make):
            holder = []
            holder.append(make(holder))
            holder[0].send(None)
        @nvtx.annotate()
        async def coroutine(holder):
            await asyncio.sleep(0)
            await asyncio.sleep(100)
        @nvtx.annotate()
        async def outer(holder):
            try:
                await coroutine([holder])
            finally:
                closed.append("outer")
        @nvtx.annotate()
        def generator(holder):
            try:
                yield 1
            finally:
                closed.append("generator")
        closed = []
        for make in coroutine, outer, generator:
            drop(make)
            gc.collect()
        assert closed == ["outer", "generator"]
    """)
    assert events.errors == ""
    assert all(r.get("end") is not None for r in events.ranges())
