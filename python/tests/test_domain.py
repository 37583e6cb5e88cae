# SPDX-License-Identifier: Apache-2.0
"""Functions and domains record their arguments: attributes, registered strings, colors;
set_enabled() switches recording."""


def test_functions_record_what_they_are_told(record):
    events = record("""
        import rangeline.nvtx as nvtx
        nvtx.mark("a")
        nvtx.mark("b", None)
        nvtx.mark("c", "green", "d", "io", 1.5)
        nvtx.mark(message="e", color=0x12, domain="d", category=7, payload=-1)
        nvtx.mark(b"f"); nvtx.mark()
        for _ in range(2):
            nvtx.push_range("g"); nvtx.push_range("h", domain="d", color="red")
            nvtx.pop_range("d"); nvtx.pop_range()
        first = nvtx.start_range("i"); second = nvtx.start_range("j", domain="d")
        assert type(first) is type(second) is tuple
        assert [type(n) for n in first + second] == [int] * 4 and first[1] == 0
        assert second[1] == nvtx.get_domain("d").handle
        nvtx.end_range(first); nvtx.end_range(range_id=second)
    """)
    assert events.lines("domain", "color", "category", "payload") == [
        "mark a color=#000000ff", "mark b color=#000000ff",
        "mark c domain=d color=#00008000 category=1 payload=1.5",
        "mark e domain=d color=#00000012 category=7 payload=-1",
        "mark f color=#000000ff", "mark  color=#000000ff",
        *["push g color=#000000ff", "push h domain=d color=#00ff0000", "pop h domain=d",
          "pop g"] * 2,
        "start i color=#000000ff", "start j domain=d color=#000000ff", "end i",
        "end j domain=d"]


def test_end_range_ignores_what_is_not_open_and_refuses_what_is_no_id(record):
    events = record("""
        import threading, rangeline.nvtx as nvtx
        open_range = nvtx.start_range("r", domain="d")
        other = threading.Thread(target=nvtx.end_range, args=[open_range])
        other.start(); other.join()
        nvtx.end_range(open_range)                      # has ended
        for foreign in [None, 0, (0, 0), (0, 5), (-1, 0), (1, -1), (1 << 80, 0),
                        (77, 0), (78, 0xdeadbeef)]:
            nvtx.end_range(foreign)
        d = nvtx.get_domain("d")
        for foreign in [0, -1, 1 << 80, 79]:
            d.end_range(foreign)
        for wrong in [5, "x", (1,), (1, 2, 3), (1, "x"), [1, 0], 1.5]:
            try:
                nvtx.end_range(wrong)
            except TypeError as error:
                assert type(wrong).__name__ in str(error) and "range_id" in str(error)
            else:
                raise AssertionError(wrong)
    """)
    assert events.lines() == ["start r", "end r", "end ?", "end ?", "end ?", "end ?"]
    assert {e["id"] for e in events.of("end")} >= {77, 78, 79}


def test_equal_arguments_give_the_same_objects(record):
    record("""
        import pickle, rangeline.nvtx as nvtx
        assert nvtx.get_domain() is nvtx.get_domain(None) is nvtx.Domain()
        d = nvtx.get_domain("d")
        assert d is nvtx.get_domain(name="d") is nvtx.Domain("d")
        assert d is pickle.loads(pickle.dumps(d))
        assert (d.name, nvtx.get_domain().name) == ("d", None)
        a = d.get_event_attributes("m", "red", "io", 1)
        assert a is d.get_event_attributes(message="m", color="red", category="io",
                                           payload=1)
        for other in [("m", "red", "io", 1.0), ("m", "red", "io", True),
                      ("m", "red", "io"), ("m", "red", 1, 1), ("n", "red", "io", 1)]:
            assert a is not d.get_event_attributes(*other), other
        s = d.get_registered_string("m")
        assert s is d.get_registered_string(string="m") is a.message
        assert s is pickle.loads(pickle.dumps(s)) is nvtx.RegisteredString(d, "m")
        assert (s.string, s.domain) == ("m", d) and type(s.handle) is int
        assert s is not nvtx.get_domain("e").get_registered_string("m")
    """)


def test_attributes_that_somebody_changed_are_no_longer_shared(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        a = d.get_event_attributes("m", "red")
        a.payload = 5
        assert d.get_event_attributes("m", "red").payload is None
        assert a is not d.get_event_attributes("m", "red")
        b = d.get_event_attributes("n")
        d.mark(b, color="blue", payload=2)              # changes b for good
        d.mark(b)
        d.set_event_attributes(b, payload=None, message=d.get_registered_string("o"))
        d.push_range(b); d.pop_range()
        d.end_range(d.start_range(b, category="io"))
        d.mark(a)
        d.mark(d.get_event_attributes("n"))
    """)
    assert events.lines("color", "payload", "category_name") == [
        "mark n color=#000000ff payload=2", "mark n color=#000000ff payload=2",
        "push o color=#000000ff", "pop o",
        "start o color=#000000ff category_name=io", "end o",
        "mark m color=#00ff0000 payload=5", "mark n color=#000000ff"]


def test_properties_show_what_was_set(record):
    record("""
        import pickle, rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        a = nvtx.EventAttributes(d)
        assert (a.message, a.color, a.category, a.payload) == (None, None, 0, None)
        a.message, a.color, a.category, a.payload = "m", "red", "io", 2.5
        assert a.message.string == "m"
        assert (a.color, a.category, a.payload) == ("red", 1, 2.5)
        copy = pickle.loads(pickle.dumps(a))
        assert (copy.message, copy.color, copy.payload) == (a.message, "red", 2.5)
        a.message = a.color = a.category = a.payload = None
        assert (a.message, a.color, a.category, a.payload) == (None, None, 0, None)
        try:
            a.color = "no such"
        except (TypeError, ValueError):
            assert a.color is None
        assert a.domain is d
    """)


def test_categories_are_numbered_by_domain(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d, e = nvtx.get_domain("d"), nvtx.get_domain("e")
        assert [d.get_category_id(n) for n in ["x", "y", "x"]] == [1, 2, 1]
        assert e.get_category_id(name="y") == 1 and d.categories == {"x": 1, "y": 2}
        d.mark(category="y"); e.mark(category="z"); d.mark(category=99)
    """)
    assert [(e["category"], e.get("category_name")) for e in events.of("mark")] == [
        (2, "y"), (2, "z"), (99, None)]


def test_wrong_types_name_the_argument_and_the_type(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        for call in [
            lambda: nvtx.mark(5), lambda: nvtx.push_range("m", category=1.5),
            lambda: nvtx.annotate("m", domain=7), lambda: nvtx.get_domain([]),
            lambda: d.push_range("m"), lambda: d.get_category_id(None),
            lambda: d.get_registered_string(None), lambda: d.end_range("x"),
            lambda: nvtx.EventAttributes(None), lambda: nvtx.set_enabled(1),
            lambda: nvtx.mark("m", nonsense=1), lambda: nvtx.mark("m", message="m"),
            lambda: nvtx.mark(1, 2, 3, 4, 5, 6), lambda: d.set_event_attributes(),
            lambda: d.mark("a", "b"), lambda: nvtx.mark("m", color=-1),
            lambda: nvtx.mark("m", color=1 << 32), lambda: nvtx.mark("m", category=-1),
            lambda: nvtx.mark("m", payload=1 << 64), lambda: nvtx.mark("\\ud800"),
        ]:
            try:
                call()
            except (TypeError, OverflowError, UnicodeEncodeError) as error:
                print(type(error).__name__, error)
            else:
                print("nothing")
    """)
    assert events.output.splitlines() == [
        "TypeError message must be str, not int",
        "TypeError category must be str, int or None, not float",
        "TypeError domain must be str or None, not int",
        "TypeError name must be str or None, not list",
        "TypeError attributes must be EventAttributes or None, not str",
        "TypeError category must be str, not None",
        "TypeError message must be str, not None",
        "TypeError range_id must be int, not str",
        "TypeError domain must be Domain, not None",
        "TypeError enabled must be bool, not int",
        "TypeError mark() got an unexpected keyword argument 'nonsense'",
        "TypeError mark() got multiple values for argument 'message'",
        "TypeError mark() takes at most 5 positional arguments (6 given)",
        "TypeError set_event_attributes() missing argument 'attributes'",
        "TypeError mark() takes at most 1 positional argument (2 given)",
        "OverflowError color must be from 0 to 0xffffffff, not -1",
        "OverflowError color must be from 0 to 0xffffffff, not 4294967296",
        "OverflowError category must be from 0 to 0xffffffff, not -1",
        "OverflowError payload must be from -2**63 to 2**64 - 1, not "
        "18446744073709551616",
        "UnicodeEncodeError 'utf-8' codec can't encode character '\\ud800' in position "
        "0: surrogates not allowed in message"]


def test_lone_surrogates_are_refused_by_the_arguments_name(record):
    events = record("""
        import rangeline.nvtx as nvtx
        bad, d = "x\\udc80", nvtx.get_domain("d")
        def f(): pass
        f.__name__ = bad
        attributes = d.get_event_attributes("m")
        for call in [
            lambda: nvtx.mark(bad), lambda: nvtx.push_range(bad),
            lambda: nvtx.start_range(bad), lambda: nvtx.annotate(bad),
            lambda: nvtx.annotate()(f), lambda: nvtx.mark("m", domain=bad),
            lambda: nvtx.mark("m", category=bad), lambda: nvtx.get_domain(bad),
            lambda: d.get_event_attributes(bad), lambda: d.get_registered_string(bad),
            lambda: d.get_category_id(bad), lambda: setattr(attributes, "message", bad),
            lambda: setattr(attributes, "category", bad),
            lambda: d.get_counter(bad, int), lambda: d.get_counter("n", int, scope=bad),
            lambda: d.get_counter("n", int, description=bad),
            lambda: nvtx.CounterSemantics(bad),
        ]:
            try:
                call()
            except UnicodeEncodeError as error:
                assert error.object == bad and error.start == 1
                print(str(error).partition("surrogates not allowed in ")[2])
    """)
    assert events.output.split() == [
        *["message"] * 5, "domain", "category", "name", "message", "message",
        "category", "message", "category", "name", "scope", "description", "unit"]
    assert events.lines() == []


def test_numbers_of_64_bits_are_sent_whole(record):
    events = record("""
        import enum, rangeline.nvtx as nvtx
        class E(enum.IntEnum):
            ONE = 1
        for n in [(1 << 63) - 1, -(1 << 63), (1 << 64) - 1, True, E.ONE, 1e300]:
            nvtx.mark("m", payload=n)
    """)
    assert [e["payload"] for e in events.of("mark")] == [
        (1 << 63) - 1, -(1 << 63), (1 << 64) - 1, 1, 1, 1e300]


def test_unknown_colors_say_what_is_known(run_python, record):
    program = """
        import sys, rangeline.nvtx as nvtx
        from rangeline.nvtx.colors import color_to_hex
        sys.modules["matplotlib"] = sys.modules["matplotlib.colors"] = None
        assert color_to_hex() == color_to_hex(None) == color_to_hex("blue") == 0xff
        assert color_to_hex("rapids") == 0x7400ff
        assert color_to_hex(0x12345678) == 0x12345678
        try:
            nvtx.mark("m", "mauve")
        except TypeError as error:
            print(error)
    """
    assert record(program).output == (
        "unknown color 'mauve': without matplotlib, colors are ints or one of blue, "
        "cyan, darkgreen, green, orange, purple, rapids, red, white, yellow\n")


def test_matplotlib_s_colors_have_an_alpha(record):
    events = record("""
        import sys, types, rangeline.nvtx as nvtx
        colors = types.ModuleType("matplotlib.colors")
        def to_rgba(color):
            if color != "mauve":
                raise ValueError(color)
            return 0.8, 0.4, 0.2, 0.5
        colors.to_rgba = to_rgba
        sys.modules["matplotlib"] = types.ModuleType("matplotlib")
        sys.modules["matplotlib"].colors = sys.modules["matplotlib.colors"] = colors
        nvtx.mark("m", "mauve"); nvtx.mark("m", "mauve")
        try:
            nvtx.mark("m", "other")
        except ValueError as error:
            print(error)
    """)
    assert [e["color"] for e in events.of("mark")] == ["#80cc6633"] * 2
    assert events.output.startswith("unknown color 'other': colors are ints, what ")


def test_import_paths_of_nvidia_s_package(run_python):
    done = run_python("""
        import rangeline.nvtx as nvtx, rangeline.nvtx.nvtx, rangeline.nvtx.colors
        from rangeline.nvtx._lib import lib, counters, NvtxWarning
        assert nvtx.nvtx.annotate is nvtx.annotate and lib.Domain is nvtx.Domain
        assert lib.DummyDomain() is lib.dummy_domain and lib.EventAttributes
        assert lib.RegisteredString and counters.dummy_counter
        assert issubclass(NvtxWarning, UserWarning)
        for name in nvtx.__all__:
            assert getattr(nvtx, name).__doc__, name
    """)
    assert (done.returncode, done.stderr) == (0, "")


# --- The switch -----------------------------------------------------------------------


def test_what_is_open_when_it_is_switched_still_closes(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        @nvtx.annotate()
        def f(n):
            nvtx.set_enabled(n % 2 == 0)
            if n: f(n - 1)
        with nvtx.annotate("on"):
            nvtx.push_range("p", domain="d")
            r = nvtx.start_range("r")
            assert nvtx.set_enabled(False) is True and not nvtx.enabled()
            assert nvtx.start_range("x") is None and d.start_range(message="x") == 0
            with nvtx.annotate("off"):
                d.push_range(message="off")
                nvtx.mark("off"); d.mark(message="off")
                assert nvtx.set_enabled(True) is False and nvtx.enabled()
                with nvtx.annotate("on again"):
                    d.push_range(message="q")
                    d.pop_range()
                d.pop_range()                   # of what was left out
                nvtx.set_enabled(False)
            nvtx.end_range(r)
            nvtx.pop_range("d")
        nvtx.set_enabled(True)
        nvtx.mark("between")
        f(4)
    """)
    assert events.lines() == [
        "push on", "push p", "start r", "push on again", "push q", "pop q",
        "pop on again", "end r", "pop p", "pop on", "mark between",
        "push f", "push f", "push f", "pop f", "pop f", "pop f"]


def test_threads_are_switched_together_and_balance_apart(record):
    events = record("""
        import threading, rangeline.nvtx as nvtx
        steps = threading.Barrier(2)
        def other():
            nvtx.push_range("before")
            steps.wait(); steps.wait()              # switched off
            nvtx.push_range("left out")
            steps.wait(); steps.wait()              # switched on
            nvtx.push_range("after"); nvtx.pop_range()
            nvtx.pop_range()
            nvtx.pop_range()
        thread = threading.Thread(target=other)
        thread.start()
        steps.wait(); nvtx.set_enabled(False); steps.wait()
        steps.wait(); nvtx.set_enabled(True)
        nvtx.push_range("here"); nvtx.pop_range()
        steps.wait(); thread.join()
    """)
    assert sorted(events.lines()) == sorted([
        "push before", "push here", "pop here", "push after", "pop after",
        "pop before"])


def test_random_switching_never_unbalances(record):
    events = record("""
        import random, rangeline.nvtx as nvtx
        random.seed(7)
        domains = [nvtx.get_domain(n) for n in "ab"]
        depth = {d: 0 for d in domains}
        for _ in range(20000):
            d = random.choice(domains)
            action = random.random()
            if action < 0.1:
                nvtx.set_enabled(random.random() < 0.5)
            elif action < 0.55 or not depth[d]:
                depth[d] += 1
                d.push_range(message=str(depth[d]))
            else:
                d.pop_range()
                depth[d] -= 1
        for d in domains:
            while depth[d]:
                d.pop_range()
                depth[d] -= 1
        nvtx.set_enabled(True)
        for d in domains:
            d.push_range(message="last"); d.pop_range()
    """)
    ranges = events.ranges()
    assert len(ranges) > 1000 and all(r.get("end") is not None for r in ranges)
    # Recorded while n were open, some of them left out, a range is at most at n.
    assert all(r["message"] == "last" or r["depth"] < int(r["message"]) for r in ranges)
    assert [r["depth"] for r in ranges if r["message"] == "last"] == [0, 0]


def test_values_that_are_too_long_to_print_are_refused_by_name(record):
    events = record("""
        import rangeline.nvtx as nvtx
        huge = 10 ** 5000  # of which Python makes no text
        for name, value in ("color", huge), ("category", huge), ("payload", huge), (
                "color", "x" * 1000):
            try:
                nvtx.mark("m", **{name: value})
            except (OverflowError, TypeError) as error:
                print(type(error).__name__, str(error).partition("xx...:")[0])
    """)
    assert events.output.splitlines() == [
        "OverflowError color must be from 0 to 0xffffffff",
        "OverflowError category must be from 0 to 0xffffffff",
        "OverflowError payload must be from -2**63 to 2**64 - 1",
        "TypeError unknown color '" + 97 * "x"]


def test_attributes_can_be_made_where_nobody_records(record, run_python):
    program = """
        import base64, pickle, sys, rangeline.nvtx as nvtx
        domain = nvtx.get_domain("d")
        made = nvtx.EventAttributes(domain, "m", "red", 3, 1.5)
        made.payload, made.message = [1], "n"
        domain.mark(made)
        print(made, made.color, made.domain is domain)
        print(nvtx.EventAttributes(domain, domain.get_registered_string("m"), None,
                                   domain.get_category_id("c")).color)
        if sys.argv[1:]:
            print(pickle.loads(base64.b64decode(sys.argv[1])))
        else:
            print(base64.b64encode(pickle.dumps(made)).decode())
        for wrong in ("message", 5), ("color", "none"), ("color", -1):
            try:
                setattr(made, *wrong)
            except (TypeError, OverflowError) as error:
                print(type(error).__name__)
    """
    recorded = record(program).output.splitlines()
    alone = run_python(program, recorded[2])
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout.splitlines() == [
        *recorded[:2],
        "<EventAttributes message=None color='red' category=3 payload=[1]>",
        *recorded[3:]]
    assert recorded[0] == (
        "<EventAttributes message='n' color='red' category=3 payload=[1]> red True")


def test_texts_of_derived_classes_are_what_they_hold(record):
    events = record("""
        import rangeline.nvtx as nvtx
        class Alike(str):
            __eq__ = lambda self, other: True
            __hash__ = lambda self: 7
        class Unhashable(str):
            __hash__ = None
        class AlikeBytes(bytes):
            __eq__, __hash__ = Alike.__eq__, Alike.__hash__
        for kind in Alike, Unhashable:
            for n in "12":
                text = kind(kind.__name__ + n)
                with nvtx.annotate(text, domain=text, category=text):
                    nvtx.mark(text)
                domain = nvtx.get_domain(text)
                assert domain is nvtx.get_domain(str.__str__(text))
                assert type(domain.name) is str
                string = domain.get_registered_string(text)
                assert string is domain.get_registered_string(str.__str__(text))
                assert type(string.string) is str
                counter = domain.get_counter(text, int, scope=text)
                assert counter is domain.get_counter(str.__str__(text), int,
                                                     scope=str.__str__(text))
                counter.sample(1)
        nvtx.mark(AlikeBytes(b"bytes1")); nvtx.mark(AlikeBytes(b"bytes2"))
        domain = nvtx.get_domain("c")
        ids = [domain.get_category_id(Alike(n)) for n in "121"]
        assert ids == [1, 2, 1] and domain.get_category_id("2") == 2, ids
        assert [type(name) for name in domain.categories] == [str, str]
        counters = [domain.get_counter(Alike(n), int, scope=Alike(n)) for n in "12"]
        assert counters[0] is not counters[1]
        counters[1].sample(2)
    """)
    assert events.lines("domain") == [
        line for text in ("Alike1", "Alike2", "Unhashable1", "Unhashable2") for line in (
            f"push {text} domain={text}", f"mark {text}", f"pop {text} domain={text}",
            f"sample {text} domain={text}")
    ] + ["mark bytes1", "mark bytes2", "sample 2 domain=c"]


def test_bytes_and_str_of_one_text_are_never_compared(record, run_python):
    program = """
        import rangeline.cupy_nvtx as cupy, rangeline.nvtx as nvtx, rangeline.torch as torch
        from rangeline import nvtxpy
        for text in "red", b"red", "red", b"red":
            with nvtx.annotate(text), nvtxpy.profile_range(text):
                nvtx.push_range(text, domain=text)
                nvtx.pop_range(domain=text)
            domain = nvtx.get_domain(text)
            assert nvtx.get_domain(text) is domain
            domain.mark(domain.get_event_attributes(text))
            domain.get_category_id(text)
            domain.get_counter(text, int, description=text, scope=text).sample(1)
            for mark in torch.mark, cupy.Mark, nvtxpy.profile_mark:
                mark(text)
            for refused in {"category": b"red"}, {"color": b"red"}:
                try:
                    nvtx.mark("refused", **refused)
                except TypeError:
                    pass
        print(nvtxpy.getstats()["red"][0])
    """
    events = record(program, interpreter=["-bb"])
    alone = run_python(program, interpreter=["-bb"])
    assert alone.stderr == events.errors == ""
    assert events.output == alone.stdout == "4\n"
    one = ["push red", "push red", "push red", "pop red", "pop red", "pop red", "mark red",
           "sample red", *3 * ["mark red"]]
    assert events.lines() == 4 * one
    assert {e.get("domain") for e in events} == {None, "red"}


def test_a_payload_that_does_not_fit_leaves_none_in_attributes(record):
    events = record("""
        import rangeline.nvtx as nvtx
        d = nvtx.get_domain("d")
        a = d.get_event_attributes("m", payload=5)
        d.mark(a)
        try:
            a.payload = 2**70
        except OverflowError:
            d.mark(a)
        a.payload = 6; d.mark(a)
    """)
    assert events.lines("payload") == ["mark m payload=5", "mark m", "mark m payload=6"]
