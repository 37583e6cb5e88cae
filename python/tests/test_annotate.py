# SPDX-License-Identifier: Apache-2.0
"""annotate is a context manager, and a decorator of plain functions and classes."""
import sys

import pytest


def test_a_range_closes_however_its_block_is_left(record):
    def program():
        import rangeline.nvtx as nvtx

        def leave(how):
            for _ in range(1):
                with nvtx.annotate(how):
                    if how == "return":
                        return
                    if how == "break":
                        break
                    if how == "continue":
                        continue
                    raise {"raise": ValueError, "exit": SystemExit,
                           "interrupt": KeyboardInterrupt}[how]

        for how in ["return", "break", "continue", "raise", "exit", "interrupt"]:
            try:
                leave(how)
            except BaseException:
                pass
            nvtx.mark("outside")

    events = record(program)
    assert events.lines("depth") == [
        line for how in ["return", "break", "continue", "raise", "exit", "interrupt"]
        for line in [f"push {how} depth=0", f"pop {how} depth=0", "mark outside"]]


def test_all_arguments_are_recorded(record):
    events = record("""
        import rangeline.nvtx as nvtx
        with nvtx.annotate("m", "red", "d", "io", 7):
            with nvtx.annotate(message="n", color=0x80123456, domain="d", category=9,
                               payload=-2.5):
                pass
        with nvtx.annotate():
            pass
    """)
    red, other, nothing = events.of("push")
    expected = {"message": "m", "domain": "d", "color": "#00ff0000", "registered": True,
                "category_name": "io", "category": 1, "payload": 7}
    assert {k: red[k] for k in expected} == expected
    assert {k: other[k] for k in ["message", "color", "category", "payload"]} == {
        "message": "n", "color": "#80123456", "category": 9, "payload": -2.5}
    assert nothing["color"] == "#000000ff"  # as NVIDIA's package sends it
    assert not {"message", "category", "payload", "domain"} & set(nothing)


def test_one_object_serves_recursion_and_threads(record):
    def program():
        import threading
        import rangeline.nvtx as nvtx
        step = nvtx.annotate("step")
        barrier = threading.Barrier(4)

        def descend(n):
            with step:
                if n:
                    descend(n - 1)

        def work():
            barrier.wait()
            for _ in range(100):
                descend(5)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    ranges = record(program).ranges()
    assert len(ranges) == 4 * 100 * 6
    assert all(r["message"] == "step" and r.get("end") is not None for r in ranges)
    assert sorted({r["depth"] for r in ranges}) == [0, 1, 2, 3, 4, 5]


def test_a_mutable_payload_is_sent_as_it_is_then(record):
    pytest.importorskip("numpy")
    events = record("""
        import numpy, rangeline.nvtx as nvtx
        values = numpy.array([1, 2])
        step = nvtx.annotate("step", payload=values)
        with step:
            values[0] = 7
        with step:
            pass
    """)
    assert [e["payloads"][0]["value"]["data"] for e in events.of("push")] == [
        [1, 2], [7, 2]]


def test_a_payload_may_change_its_annotation_while_it_is_converted(record):
    pytest.importorskip("numpy")
    events = record("""
        import numpy, rangeline.nvtx as nvtx
        class Sly:
            def __array__(self, *unused, **ignored):
                step.__init__("other", payload=3)  # lets go of this payload
                return numpy.array([1, 2])
        for _ in range(3):
            step = nvtx.annotate("step", payload=Sly())
            with step:
                pass
            with step:
                pass
    """, env={"PYTHONMALLOC": "malloc_debug"})
    assert [(e["message"], e["payload"] if "payload" in e else
             e["payloads"][0]["value"]["data"]) for e in events.of("push")] == [
        ("step", [1, 2]), ("other", 3)] * 3


def test_attributes_belong_to_one_annotation(record):
    events = record("""
        import rangeline.nvtx as nvtx
        one, two = nvtx.annotate("m"), nvtx.annotate("m")
        one.attributes.color = "red"
        one.attributes.payload = 3
        assert one.attributes is one.attributes is not two.attributes
        for a in one, two:
            with a:
                pass
    """)
    one, two = events.of("push")
    assert (one["color"], one["payload"]) == ("#00ff0000", 3)
    assert two["color"] == "#000000ff" and "payload" not in two


def test_a_payload_that_leads_back_is_collected(record):
    pytest.importorskip("numpy")
    record("""
        import gc, weakref, rangeline.nvtx as nvtx
        class Payload(list):
            pass
        def drop(set_payload):
            payload = Payload([1])
            payload.annotation = set_payload(payload)
            return weakref.ref(payload)
        def by_attributes(payload):
            annotation = nvtx.annotate("m")
            annotation.attributes.payload = payload
            return annotation
        for set_payload in by_attributes, lambda p: nvtx.annotate("m", payload=p):
            reference = drop(set_payload)
            gc.collect()
            assert reference() is None
    """)


def test_it_is_pickled_by_its_arguments(record):
    record("""
        import copy, pickle, rangeline.nvtx as nvtx
        arguments = ("m", "red", "d", "io", 7)
        for a in [pickle.loads(pickle.dumps(nvtx.annotate(*arguments))),
                  copy.copy(nvtx.annotate(*arguments))]:
            assert type(a) is nvtx.annotate and a.init_args == arguments
            assert a.domain is nvtx.get_domain("d")
            assert a.attributes.message.string == "m" and a.attributes.category == 1
    """)


def test_classes_are_derived_from_it(record):
    events = record("""
        import pickle, rangeline.nvtx as nvtx
        class step(nvtx.annotate):
            def __init__(self, number):
                super().__init__(f"step {number}", payload=number)
                self.number = number
            def __exit__(self, *exc):
                nvtx.mark("leaving")
                return super().__exit__(*exc)
        with step(5) as s:
            assert s.number == 5
        @step(6)
        def f(): pass
        f()
        class forgetful(nvtx.annotate):
            def __init__(self):
                pass
        with forgetful():  # never told what to record
            pass
    """)
    assert events.lines("payload") == [
        "push step 5 payload=5", "mark leaving", "pop step 5",
        "push step 6 payload=6", "pop step 6"]


def test_initialising_again_replaces_everything(record):
    events = record("""
        import rangeline.nvtx as nvtx
        a = nvtx.annotate("m", color="red", payload=1)
        a.attributes
        a.__init__("n")
        with a: pass
        try:
            a.__init__(5)
        except TypeError:
            pass
        with a: pass
    """)
    assert events.lines("color", "payload") == ["push n color=#000000ff", "pop n"]


def test_what_it_decorated_outlives_what_it_is_initialised_with(record):
    events = record("""
        import asyncio, rangeline.nvtx as nvtx
        annotation = nvtx.annotate("step", payload=1)
        @annotation
        def call(): return 1
        @annotation
        async def run(): return 2
        @annotation
        def generate(): yield 3; yield 4
        half = generate()
        next(half)
        for payload in None, 7, [1, 2]:
            try:
                annotation.__init__("other", "no color", payload=payload)
            except TypeError:
                pass
            print(call(), asyncio.run(run()), list(generate()), *half)
        annotation.__init__("step", domain="other")
        call(); asyncio.run(run())
    """)
    assert events.output == "1 2 [3, 4] 4\n" + 2 * "1 2 [3, 4]\n"
    assert events.lines("domain") == [
        "start step", *3 * ["push step [resumed]", "pop step [resumed]"], "end step",
        "push step domain=other", "pop step domain=other", "start step domain=other",
        "push step [resumed]", "pop step [resumed]", "end step domain=other"]


def test_leaving_what_was_not_entered_ends_nothing(record):
    events = record("""
        import rangeline.nvtx as nvtx
        with nvtx.annotate("outer"):
            nvtx.annotate("inner").__exit__(None, None, None)
            nvtx.mark("in outer")
    """)
    assert events.lines() == ["push outer", "mark in outer", "pop outer"]


# --- Decorated functions --------------------------------------------------------------


def test_picklers_that_write_functions_out_do_so_with_decorated_ones(record):
    # As cloudpickle has them, for functions of __main__ and for local ones.
    events = record("""
        import copy, io, marshal, pickle, types, rangeline.nvtx as nvtx

        def make(code, names, **attributes):
            cells = tuple(types.CellType(value) for value in names)
            function = types.FunctionType(marshal.loads(code), {"__name__": "elsewhere"},
                                          closure=cells or None)
            function.__dict__.update(attributes)
            return function

        class ByValue(pickle.Pickler):
            def reducer_override(self, value):
                if not isinstance(value, types.FunctionType) or value is make:
                    return NotImplemented
                cells = [cell.cell_contents for cell in value.__closure__ or ()]
                return make, (marshal.dumps(value.__code__), cells), vars(value)
            def dump(self, value):
                return super().dump(value)

        def by_value(value):
            file = io.BytesIO()
            ByValue(file).dump(value)
            return pickle.loads(file.getvalue())

        @nvtx.annotate("double", color="red", domain="d")
        def double(x): return 2 * x
        double.own = [1]
        @nvtx.annotate()
        def generator(): yield 1
        def enclose(n):
            @nvtx.annotate("add", payload=7)
            def add(x): return x + n
            return add

        there = by_value(double)
        assert there is not double and there(4) == 8 and there.own == [1]
        assert there.__globals__["__name__"] == "elsewhere"
        assert there.__name__ == "double"
        assert list(by_value(generator)()) == [1]
        assert by_value(enclose(3))(4) == 7
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(double, protocol)) is double
        for function in double, enclose(3):
            assert copy.copy(function) is copy.deepcopy(function) is function
        try:
            pickle.dumps(enclose(3))
        except (AttributeError, pickle.PicklingError) as error:
            assert "local object" in str(error), error  # as of any function
        else:
            raise AssertionError
    """)
    assert [line for line in events.lines("domain", "color", "payload")
            if " double" in line or " add" in line] == [
        "push double domain=d color=#00ff0000", "pop double domain=d",
        "push add color=#000000ff payload=7", "pop add"]


def test_methods_of_every_kind_bind(record):
    events = record("""
        import abc, functools, inspect, rangeline.nvtx as nvtx
        class C:
            @nvtx.annotate()
            def method(self, x): return self, x
            @nvtx.annotate()
            @classmethod
            def inner_class(cls): return cls
            @classmethod
            @nvtx.annotate()
            def outer_class(cls): return cls
            @nvtx.annotate()
            @staticmethod
            def inner_static(x): return x
            @staticmethod
            @nvtx.annotate()
            def outer_static(x): return x
            @nvtx.annotate()
            @property
            def inner_property(self): return self
            @property
            @nvtx.annotate()
            def outer_property(self): return self
        class D(C):
            def method(self, x): return super().method(x)
        c, d = C(), D()
        assert c.method(1) == (c, 1) and C.method(c, 2) == (c, 2)
        assert d.method(3) == (d, 3)
        assert C.inner_class() is C.outer_class() is C
        assert d.inner_class() is d.outer_class() is D
        assert C.inner_static(4) == c.outer_static(4) == 4
        assert c.inner_property is c.outer_property is c
        assert str(inspect.signature(c.method)) == "(x)" and inspect.ismethod(c.method)
        assert c.method.__func__ is C.__dict__["method"] is C.method
        class A(abc.ABC):
            @nvtx.annotate()
            @abc.abstractmethod
            def m(self): pass
        assert A.m.__isabstractmethod__
    """)
    assert events.lines()[::2] == [f"push {name}" for name in [
        "method"] * 3 + ["inner_class", "outer_class"] * 2 + [
        "inner_static", "outer_static", "inner_property", "outer_property"]]


def test_a_decorated_function_closes_its_range_on_exceptions(record):
    events = record("""
        import rangeline.nvtx as nvtx
        @nvtx.annotate()
        def f(error):
            raise error
        for error in [ValueError(), KeyboardInterrupt(), SystemExit(), GeneratorExit()]:
            try:
                f(error)
            except BaseException as raised:
                assert raised is error
            nvtx.mark("outside")
    """)
    assert events.lines("depth") == [
        "push f depth=0", "pop f depth=0", "mark outside"] * 4


def test_each_decorated_function_has_its_own_name(record):
    events = record("""
        import functools, rangeline.nvtx as nvtx
        red = nvtx.annotate(color="red")
        @red
        def f(): pass
        @red
        def g(): pass
        class Callable:
            def __call__(self): return 1
        assert red.attributes.message is None
        f(); g()
        assert red(functools.partial(divmod, 7))(2) == (3, 1)
        assert red(Callable())() == 1 and red(len)("abc") == 3
    """)
    assert events.lines()[::2] == ["push f", "push g", "push divmod", "push Callable",
                                   "push len"]
    assert {e["color"] for e in events.of("push")} == {"#00ff0000"}


def test_a_decorated_class_takes_nothing_from_its_kin(record):
    events = record("""
        import dataclasses, inspect, rangeline.nvtx as nvtx
        class Base:
            def __init__(self, a):
                self.a = a
        @nvtx.annotate()
        class Mixin:
            pass
        class Both(Mixin, Base):
            pass
        assert Both(1).a == 1
        @nvtx.annotate()
        class Left(Base):
            pass
        class Right(Base):
            def __init__(self, a):
                super().__init__(a + 10)
        class Diamond(Left, Right):
            pass
        assert Diamond(1).a == 11 and Left(2).a == 2
        assert str(inspect.signature(Left)) == "(a)" and str(inspect.signature(Mixin)) == "()"
        class Number(Mixin, int):
            pass
        assert Number(5) == 5
        @dataclasses.dataclass(frozen=True)
        @nvtx.annotate()
        class Point:
            x: int
        assert Point(3).x == 3
        for wrong in lambda: Mixin(1), lambda: Mixin(a=1), lambda: Left(), lambda: Point():
            try:
                wrong()
            except TypeError:
                pass
            else:
                raise AssertionError
    """)
    names = [line for line in events.lines() if line.startswith("push")]
    assert names == [f"push {name}" for name in (
        "Mixin", "Left", "Left", "Mixin", "Point", "Mixin", "Mixin", "Left", "Point")]


def test_what_a_class_makes_of_functions_is_made_of_decorated_ones(record):
    events = record("""
        import functools, rangeline.nvtx as nvtx
        class C:
            @nvtx.annotate()
            def __new__(cls, n):
                return super().__new__(cls)
            @nvtx.annotate()
            def __init_subclass__(cls, **kwargs):
                cls.given = kwargs
            @nvtx.annotate()
            def __class_getitem__(cls, key):
                return cls, key
            @nvtx.annotate()
            @functools.cached_property
            def inner(self): return []
            @functools.cached_property
            @nvtx.annotate()
            def outer(self): return []
        class D(C, a=1):
            pass
        d = D(3)
        assert type(d.__new__(D, 3)) is D and D.given == {"a": 1} and D[4] == (D, 4)
        assert d.inner is d.inner and d.outer is d.outer
    """)
    assert events.lines()[::2] == [f"push {name}" for name in (
        "__init_subclass__", "__new__", "__new__", "__class_getitem__", "inner", "outer")]


def test_a_class_stays_a_class_and_its_construction_is_a_range(record):
    events = record("""
        import collections, dataclasses, enum, pickle, rangeline.nvtx as nvtx
        @nvtx.annotate()
        class Point:
            def __init__(self, x):
                nvtx.mark("inside")
                self.x = x
        class Derived(Point):
            pass
        assert isinstance(Point(1), Point) and isinstance(Derived(2), Point)
        assert issubclass(Derived, Point) and pickle.loads(pickle.dumps(Point)) is Point

        @nvtx.annotate()
        class Pair(collections.namedtuple("Pair", "a b")):
            pass
        assert Pair(1, 2) == (1, 2) and Pair(1, b=2).b == 2

        @nvtx.annotate()
        class Empty:
            pass
        Empty()
        for wrong in (1,), ():
            try:
                Empty(*wrong), Point(*wrong), Point()
            except TypeError:
                pass

        @nvtx.annotate("data")
        @dataclasses.dataclass
        class Data:
            n: int = 1
        assert Data(3) == Data(n=3)
        assert nvtx.annotate("int")(int)("12") == 12
    """)
    lines = events.lines()
    assert lines[:6] == ["push Point", "mark inside", "pop Point"] * 2
    assert lines[6:12] == ["push Pair", "pop Pair"] * 2 + ["push Empty", "pop Empty"]
    assert lines[-6:] == ["push data", "pop data"] * 2 + ["push int", "pop int"]
    assert [r["message"] for r in events.ranges() if r.get("end") is None] == []


def test_what_cannot_be_decorated_is_named(record):
    events = record("""
        import rangeline.nvtx as nvtx
        for call in [lambda: nvtx.annotate()(5), lambda: nvtx.annotate()(),
                     lambda: nvtx.annotate()(len, x=1)]:
            try:
                call()
            except TypeError as error:
                print(error)
    """)
    assert "annotate() decorates functions, not int" in events.output
    assert events.output.count("\n") == 3


def test_decorators_nest(record):
    events = record("""
        import rangeline.nvtx as nvtx
        @nvtx.annotate("outer")
        @nvtx.annotate("inner")
        def f(): pass
        f()
    """)
    assert events.lines() == ["push outer", "push inner", "pop inner", "pop outer"]


# --- Without a tool, and switched off -------------------------------------------------


WITHOUT = """
    import inspect, rangeline.nvtx as nvtx
    def f(): return 1
    a = nvtx.annotate("m", "red", payload=object())
    assert a(f) is f and nvtx.annotate()(f) is f
    with a:
        nvtx.mark("m")
    nvtx.push_range("m", "red", "d", "c", 1); nvtx.pop_range("d"); nvtx.pop_range()
    assert nvtx.start_range("m") is None and nvtx.start_range("m", domain="d") is None
    nvtx.end_range(None); nvtx.end_range(0); nvtx.end_range((1, 0))
    d = nvtx.get_domain("d")
    assert d is nvtx.get_domain() is nvtx.Domain("x") is nvtx.DummyDomain() is a.domain
    assert d.start_range(message="m") == 0 and d.push_range(message="m") is None
    assert d.get_event_attributes("m") is None is d.get_registered_string("m")
    assert a.attributes is None and a.init_args[0] == "m"
    class step(nvtx.annotate):
        pass
    with step("m"):
        pass
"""


def test_without_a_tool_nothing_is_done(run_python):
    done = run_python(WITHOUT + "    assert nvtx.enabled()\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("value", ["1", "true", "yes", "ON", "x"])
def test_nvtx_disable_switches_everything_off(record, value):
    events = record(WITHOUT + """
    assert not nvtx.enabled()
    nvtx.set_enabled(True)
    assert not nvtx.enabled()
    nvtx.mark("m")
    nvtx.get_domain("d").mark(message="m")
    """, env={"NVTX_DISABLE": value})
    assert events == []


@pytest.mark.parametrize("value", ["", "0", "false", "False", "no", "off"])
def test_nvtx_disable_that_says_no_means_enabled(record, value):
    events = record("""
        import rangeline.nvtx as nvtx
        assert nvtx.enabled()
        with nvtx.annotate("m"): pass
    """, env={"NVTX_DISABLE": value})
    assert events.lines() == ["push m", "pop m"]


def test_numpy_and_matplotlib_are_not_imported(run_python):
    done = run_python("""
        import sys, rangeline.nvtx as nvtx
        with nvtx.annotate("m", "red", payload=1): pass
        print({"numpy", "matplotlib"} & {m.partition(".")[0] for m in sys.modules})
    """)
    assert done.stdout == "set()\n"


def test_what_is_no_function_until_it_is_bound(record, run_python):
    program = """
        import functools, rangeline.nvtx as nvtx
        class Box:
            def grow(self, by, *, twice=False):
                return by * (2 if twice else 1)
            @classmethod
            def make(cls, n):
                return cls.__name__, n
            grow_by_3 = nvtx.annotate()(functools.partialmethod(grow, 3))
            make_1 = nvtx.annotate("make")(functools.partialmethod(make, 1))
            def keep(self, value):
                self.kept = value
            write_only = nvtx.annotate("never")(property(None, keep))
        class Derived(Box):
            pass
        box = Box()
        box.write_only = 5
        print(box.grow_by_3(), box.grow_by_3(twice=True), Box.grow_by_3(box), box.kept,
              Derived().make_1(), isinstance(vars(Box)["make_1"], functools.partialmethod))
    """
    events, alone = record(program), run_python(program)
    assert alone.stderr == ""
    assert events.output == alone.stdout == "3 6 3 5 ('Derived', 1) True\n"
    assert events.lines() == [*3 * ["push grow", "pop grow"], "push make", "pop make"]


def test_each_implementation_of_a_singledispatchmethod(record, run_python):
    program = """
        import asyncio, functools, inspect, rangeline.nvtx as nvtx
        class Shower:
            @functools.singledispatchmethod
            def show(self, value, *, end=""):
                return f"value{end}"
            @show.register
            def _(self, value: int, *, end=""):
                return f"int{end}"
            show = nvtx.annotate()(show)
            @show.register(bytes)
            @show.register(str)
            def text(self, value, *, end=""):
                return f"text{end}"
            @show.register
            async def wait(self, value: float, *, end=""):
                return f"float{end}"
            @nvtx.annotate("made")
            @functools.singledispatchmethod
            @classmethod
            def make(cls, value):
                return cls.__name__
            @make.register(int)
            @classmethod
            def _(cls, value):
                return cls.__name__, value
        class Derived(Shower):
            pass
        shower = Shower()
        print(shower.show([], end="."), shower.show(1), shower.show("", end="!"),
              shower.show(b""), asyncio.run(shower.show(1.5)))
        print(Derived.make(None), Shower.make(3), Shower.show.__name__)
        print(shower.text(1), inspect.isfunction(Shower.text),
              isinstance(vars(Shower)["show"], functools.singledispatchmethod))
        try:
            Shower.show.register("no type")
        except TypeError:
            print("TypeError")
    """
    events, alone = record(program), run_python(program)
    assert alone.stderr == ""
    assert events.output == alone.stdout == (
        "value. int text! text float\nDerived ('Shower', 3) show\ntext True True\n"
        "TypeError\n")
    resumed = ["push show [resumed]", "pop show [resumed]"]
    assert events.lines() == [*4 * ["push show", "pop show"], "start show", *resumed,
                              "end show", *2 * ["push made", "pop made"]]
