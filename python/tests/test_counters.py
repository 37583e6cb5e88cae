# SPDX-License-Identifier: Apache-2.0
"""Counters register, record samples and batches, and refuse invalid values.
test_side_by_side.py compares the rest with NVIDIA's package."""

import json
import subprocess

import pytest

from conftest import RANGELINE


def samples(recording):
    """Each sample as (counter's name, value or values or why there is none)."""
    return [(e["name"], e.get("value", e.get("values", e.get("no_value"))))
            for e in recording.of("sample")]


def counters(recording):
    """{name: what `rangeline info` says of the counter}"""
    done = subprocess.run([RANGELINE, "info", "--json", recording.trace],
                          stdout=subprocess.PIPE, check=True)
    return {c["name"]: {k: v for k, v in c.items() if k not in ("id", "pid")}
            for c in json.loads(done.stdout)["counters"]}


def test_a_counter_says_all_that_is_known_of_it(record):
    recording = record('''
        from rangeline import nvtx
        counter = nvtx.get_domain("d").get_counter(
            "sent", int, description="bytes on the wire", scope="node/nic[0]",
            semantics=nvtx.CounterSemantics(
                unit="bytes", value_type=nvtx.CounterValueType.DELTA,
                interpolation=nvtx.CounterInterpolation.UNTIL_NEXT, min=0, max=10**9))
        counter.sample(4096)
        print(counter)
    ''')
    assert counters(recording)["sent"] == {
        "domain": "d", "name": "sent", "description": "bytes on the wire", "type": "int64",
        "unit": "bytes", "scope": "node/nic[0]", "registered": True, "group": False,
        "samples": 1}
    [event] = recording.of("sample")
    assert {k: v for k, v in event.items() if k not in ("t", "pid", "tid", "counter")} == {
        "type": "sample", "domain": "d", "name": "sent", "value": 4096, "unit": "bytes"}
    assert recording.output == "<rangeline.nvtx.Int64Counter 'sent' domain='d'>\n"


def test_samples_of_each_type(record):
    pytest.importorskip("numpy")
    recording = record('''
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        domain.get_counter("int", int).sample(-2**63)
        domain.get_counter("float", float).sample(0.1)
        domain.get_counter("u1", "u1").sample(200)
        domain.get_counter("f2", "f2").sample(0.5)
        domain.get_counter("bool", bool).sample(True)
        domain.get_counter("u8", "u8").sample(2**64 - 1)
        group = [("a", "i1"), ("b", "u2"), ("c", "i4"), ("d", "u8"), ("e", "f4"), ("f", "f8")]
        domain.get_counter("group", group).sample((-1, 2, -3, 2**64 - 1, 0.5, 0.1))
        aligned = nvtx.numpy_dtype([("a", "i1"), ("b", "f8")], align=True)
        domain.get_counter("aligned", aligned).sample((1, 2))
    ''')
    assert samples(recording) == [
        ("int", -2**63), ("float", 0.1), ("u1", 200), ("f2", 0.5), ("bool", {"bool": 1}),
        ("u8", 2**64 - 1),
        ("group", {"a": -1, "b": 2, "c": -3, "d": 2**64 - 1, "e": 0.5, "f": 0.1}),
        ("aligned", {"a": 1, "b": 2})]


def test_what_is_packed_here_and_what_numpy_packs_is_the_same(record):
    """Every value takes both ways: as it is, and inside an array of objects."""
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        Int, Float = type("Int", (int,), {}), type("Float", (float,), {})
        values = [0, 1, -1, True, 127, 128, -128, -129, 255, 256, 2**15, 2**16, 2**31,
                  2**32, 2**53 + 1, 2**60, -2**60, 2**62 + 1, 2**63 - 1, 2**63, -2**63,
                  2**64 - 1, 2**64, -2**64, 2**2000, Int(0), Int(-7), Int(2**60),
                  Float(0.5), 0.5, 1e300, 3.5e38, -1e-50, float("nan"), float("inf"), "3"]
        np.seterr(all="ignore")
        def outcome(call, *args):
            try:
                return call(*args)
            except Exception as error:
                return type(error).__name__
        differing = 0
        for code in "i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split():
            counter = domain.get_counter(code, [("x", code)])
            for value in values:
                by_numpy = outcome(np.array, (value,), counter.dtype)
                short = outcome(counter.sample, (value,))
                if isinstance(by_numpy, str) or isinstance(short, str):
                    assert short == by_numpy, (code, value, short, by_numpy)
                else:
                    print(code, repr(by_numpy.tobytes().hex()))
    ''')
    import struct
    sampled = recording.of("sample")
    lines = recording.output.splitlines()
    assert len(sampled) == len(lines) > 100
    forms = dict(zip("i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split(), "bBhHiIqQfd"))
    for event, line in zip(sampled, lines):
        code, text = line.split()
        [expected] = struct.unpack("<" + forms[code], bytes.fromhex(text.strip("'")))
        found = event["values"]["x"]
        assert event["name"] == code
        assert float(found) == pytest.approx(expected, rel=1e-6, nan_ok=True)
        if code[0] != "f":
            assert found == expected


def test_samples_without_a_value(record):
    recording = record('''
        from rangeline import nvtx
        counter = nvtx.get_domain("d").get_counter("c", float)
        for reason in nvtx.CounterNoValueReason:
            counter.sample_no_value(reason)
    ''')
    assert samples(recording) == [("c", "zero"), ("c", "unchanged"), ("c", "unavailable")]


def test_batches_stand_where_their_timestamps_are(record):
    recording = record('''
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        counter = domain.get_counter("c", int)
        times = []
        for n in range(3):
            domain.mark(message=f"before {n}")
            times.append(domain.get_timestamp())
            domain.mark(message=f"after {n}")
        counter.batch_submit(range(3), times)
    ''')
    assert recording.lines("value") == [
        "mark before 0", "sample c value=0", "mark after 0",
        "mark before 1", "sample c value=1", "mark after 1",
        "mark before 2", "sample c value=2", "mark after 2"]


@pytest.mark.parametrize("name", ["REALTIME", "MONOTONIC", "MONOTONIC_RAW", "BOOTTIME"])
def test_a_batch_on_another_clock_has_its_place(record, name):
    """Between two marks, except for a millisecond, to which clocks are tied."""
    recording = record(f'''
        import time
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_{name}
        counter = domain.get_counter("c", int, time_domain=clock)
        nvtx.mark("before")
        now = time.clock_gettime_ns(time.CLOCK_{name})
        nvtx.mark("after")
        counter.batch_submit([1], [now])
    ''')
    [before, after], [sample] = recording.of("mark"), recording.of("sample")
    assert sample["deferred"] and "unplaced" not in sample
    assert before["t"] - 1_000_000 < sample["t"] < after["t"] + 1_000_000


def test_a_sample_of_the_very_dtype_is_taken_as_it_lies(record):
    """NumPy is asked of all others: whether it was, is printed."""
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        dtype = np.dtype([("a", "i4"), ("b", "f8")])
        counter = nvtx.get_domain("d").get_counter("g", dtype)
        asked, convert = [], np.ascontiguousarray
        np.ascontiguousarray = lambda *args: asked.append(1) or convert(*args)
        rows = np.array([(n, n / 2) for n in range(8)], [("a", "i4"), ("b", "f8")])
        rows.flags.writeable = False
        for sample in (rows[1], np.array((2, 1), dtype), rows[3:4], rows[4:6:2],
                       rows[5].astype([("a", "i8"), ("b", "f4")])):
            counter.sample(sample)
            print(len(asked))
        for wrong in rows, rows[:0]:
            try:
                counter.sample(wrong)
            except ValueError as error:
                print(str(error).rpartition("not ")[2])
    ''')
    assert [e["values"] for e in recording.of("sample")] == [
        {"a": n, "b": n / 2} for n in range(1, 6)]
    lines = recording.output.splitlines()
    assert lines[:3] == ["0", "0", "0"] and lines[4] > "0"
    assert lines[5:] == ["8 samples; batch_submit() takes several",
                         "0 samples; batch_submit() takes several"]


def test_an_array_of_the_dtype_is_submitted_without_a_copy(record):
    """A copy would be seen in the peak of memory."""
    pytest.importorskip("numpy")
    recording = record('''
        import resource
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        n = 1 << 23
        cases = [("int", int, np.zeros(n, "i8")), ("float", float, np.zeros(n)),
                 ("group", [("a", "i4"), ("b", "i4")], np.zeros(n, [("a", "i4"), ("b", "i4")]))]
        times = np.zeros(n, "i8")
        for _, _, array in cases:
            array.fill(1) if array.dtype.names is None else array["a"].fill(1)
        times.fill(domain.get_timestamp())
        nvtx.set_enabled(False)  # the arguments are looked at, and nothing is submitted
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, dtype, array in cases:
            domain.get_counter(name, dtype).batch_submit(array, times)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    ''')
    assert int(recording.output) < 32_000  # KiB; an array has 65,536


def test_a_group_may_contain_its_time(record):
    pytest.importorskip("numpy")
    recording = record('''
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        when = nvtx.numpy_dtype("i8", entry_kind=nvtx.EntryKind.COUNTER_TIMESTAMP)
        counter = domain.get_counter("c", nvtx.numpy_dtype([("when", when), ("n", "i4")]))
        domain.mark(message="before")
        now = domain.get_timestamp()
        domain.mark(message="after")
        counter.batch_submit([(now, 5)])
        try:
            domain.get_counter("plain", [("n", "i4")]).batch_submit([(5,)])
        except TypeError as error:
            print(error)
    ''')
    assert [line.split(" ")[:2] for line in recording.lines()] == [
        ["mark", "before"], ["sample", "c"], ["mark", "after"]]
    assert recording.of("sample")[0]["values"] == {"n": 5}
    assert recording.output == "batch_submit() missing 1 required argument: 'timestamps'\n"


def test_a_dtypes_semantics_are_those_of_its_counter(record):
    pytest.importorskip("numpy")
    recording = record('''
        from rangeline import nvtx
        volts = nvtx.CounterSemantics("V")
        domain = nvtx.get_domain("d")
        dtype = nvtx.numpy_dtype(int, counter_semantics=volts)
        domain.get_counter("by dtype", dtype).sample(1)
        domain.get_counter("by argument", dtype, semantics=nvtx.CounterSemantics("A")).sample(2)
        group = nvtx.numpy_dtype([("u", dtype), ("n", "i4")])
        domain.get_counter("group", group).sample((3, 4))
        assert domain.get_counter("group", group) is not domain.get_counter(
            "group", [("u", "i8"), ("n", "i4")])
    ''')
    assert [(e["name"], e.get("unit", e.get("units"))) for e in recording.of("sample")] == [
        ("by dtype", "V"), ("by argument", "A"), ("group", {"u": "V"})]


def test_a_predefined_scope(record):
    recording = record('''
        from rangeline import nvtx
        counter = nvtx.get_domain("d").get_counter(
            "c", int, scope=nvtx.PredefinedScope.CURRENT_SW_THREAD)
        counter.sample(1)
        assert counter.scope is nvtx.PredefinedScope.CURRENT_SW_THREAD
    ''')
    assert samples(recording) == [("c", 1)]


@pytest.mark.parametrize("mode", ["recorded", "no tool"])
def test_refusals_of_get_counter(record, run_python, mode):
    program = '''
        from rangeline import nvtx
        get = nvtx.get_domain("d").get_counter
        for call in (
            lambda: get(5, int), lambda: get("n", int, description=5),
            lambda: get("n", int, scope=5), lambda: get("n", int, semantics="V"),
            lambda: get("n", int, time_domain=1), lambda: get("n"),
            lambda: get("\\udc80", int),
        ):
            try:
                call()
                print("accepted")
            except Exception as error:
                print(type(error).__name__, error)
    '''
    done = record(program) if mode == "recorded" else run_python(program)
    output = done.output if mode == "recorded" else done.stdout
    assert output.splitlines() == [
        "TypeError name must be str or bytes, not int",
        "TypeError description must be str, bytes or None, not int",
        "TypeError scope must be str, bytes, a PredefinedScope or None, not int",
        "TypeError semantics must be a CounterSemantics or None, not str",
        "TypeError time_domain must be a TimestampType, not int",
        "TypeError get_counter() missing 1 required positional argument: 'dtype'",
        "UnicodeEncodeError 'utf-8' codec can't encode character '\\udc80' in position 0: "
        "surrogates not allowed in name"]


def test_refusals_of_samples_name_the_argument(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        a, b = domain.get_counter("a", int), domain.get_counter("b", float)
        g = domain.get_counter("g", np.dtype([("x", "i4"), ("y", "f8")]))
        for call in (
            lambda: a.sample("1"), lambda: a.sample(None), lambda: a.sample(2**63),
            lambda: b.sample("1"), lambda: b.sample(2**2000), lambda: a.sample(),
            lambda: g.sample((1,)), lambda: g.sample([(1, 2), (3, 4)]),
            lambda: a.sample(1, 2), lambda: a.sample(count=1),
            lambda: a.sample_no_value(1), lambda: a.batch_submit([1, 2], [3]),
            lambda: a.batch_submit(["x"], [3]), lambda: a.batch_submit([1], ["x"]),
            lambda: a.batch_submit([1]), lambda: a.batch_submit(),
        ):
            try:
                call()
                print("accepted")
            except Exception as error:
                print(type(error).__name__, error)
    ''')
    assert recording.output.splitlines() == [
        "TypeError value must be int, not str",
        "TypeError value must be int, not None",
        "OverflowError value must be from -2**63 to 2**63 - 1",
        "TypeError value must be float, not str",
        "OverflowError int too large to convert to float",
        "TypeError sample() missing 1 required argument: 'value'",
        "ValueError value: could not assign tuple of length 1 to structure with 2 fields.",
        "ValueError value must be one sample of dtype [('x', '<i4'), ('y', '<f8')], not 2 "
        "samples; batch_submit() takes several",
        "TypeError sample() takes at most 1 positional argument (2 given)",
        "TypeError sample() got an unexpected keyword argument 'count'",
        "TypeError reason must be a CounterNoValueReason, not int",
        "ValueError values and timestamps must have the same length, but there are 2 and 1",
        "ValueError values: invalid literal for int() with base 10: 'x'",
        "ValueError timestamps: invalid literal for int() with base 10: 'x'",
        "TypeError batch_submit() missing 1 required argument: 'timestamps'",
        "TypeError batch_submit() missing 1 required argument: 'values'"]
    assert recording.of("sample") == []


def test_a_counter_is_made_by_its_domain_only(record):
    recording = record('''
        import copy
        from rangeline import nvtx
        counter = nvtx.get_domain("d").get_counter("c", int)
        class Derived(nvtx.Counter):
            pass
        for make in (nvtx.Counter, nvtx.Int64Counter, nvtx.Float64Counter, nvtx.ExtCounter,
                     Derived, lambda: object.__new__(nvtx.Int64Counter),
                     lambda: object.__new__(Derived), lambda: copy.copy(counter)):
            try:
                make()
                print("made")
            except TypeError:
                print("refused")
        for name in ("name", "dtype", "domain", "scope", "semantics", "time_domain"):
            try:
                setattr(counter, name, None)
                print("changed", name)
            except AttributeError:
                pass
        assert isinstance(counter, nvtx.Counter) and type(counter) is nvtx.Int64Counter
    ''')
    assert recording.output == "refused\n" * 8


WITHOUT_NUMPY = '''
import sys
sys.modules["numpy"] = None
from rangeline import nvtx
domain = nvtx.get_domain("d")
'''


def test_without_numpy_there_are_counters_of_ints_and_floats(record):
    recording = record(WITHOUT_NUMPY + '''
import array
a, b = domain.get_counter("a", int), domain.get_counter("b", float)
assert (a.dtype, b.dtype) == (int, float)
now = domain.get_timestamp()
class Index:
    def __index__(self):
        return 7
a.sample(1)
b.sample(0.5)
a.batch_submit([2, Index()], array.array("q", [now, now + 1000]))
b.batch_submit((value for value in (1, 2.5)), (now + 2000, now + 3000))
b.batch_submit(array.array("d", [4.5]), [now + 4000])
for call in (lambda: domain.get_counter("c", "i8"), lambda: domain.get_counter("c", bool),
             lambda: a.batch_submit([1.5], [2]), lambda: a.batch_submit([2**64], [2]),
             lambda: a.batch_submit(5, [2]), lambda: b.batch_submit(["x"], [2]),
             lambda: nvtx.numpy_dtype("i4")):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, error)
''')
    assert sorted(samples(recording), key=str) == sorted([
        ("a", 1), ("b", 0.5), ("a", 2), ("a", 7), ("b", 1), ("b", 2.5), ("b", 4.5)], key=str)
    assert recording.output.splitlines() == [
        "RuntimeError counters other than int and float need NumPy, which cannot be imported",
        "RuntimeError counters other than int and float need NumPy, which cannot be imported",
        "TypeError values: 'float' object cannot be interpreted as an integer",
        "OverflowError values: int too large for 64 bits",
        "TypeError values must be an array or iterable of numbers, not int",
        "ValueError values: could not convert string to float: 'x'",
        "RuntimeError numpy_dtype() needs NumPy, which cannot be imported"]


def test_without_a_tool_there_is_the_dummy_counter(run_python):
    pytest.importorskip("numpy")
    done = run_python('''
        from rangeline import nvtx
        from rangeline.nvtx._lib.counters import DummyCounter, dummy_counter
        domain = nvtx.get_domain("d")
        counter = domain.get_counter("c", [("a", "i4")], description="d")
        assert counter is dummy_counter and type(counter) is DummyCounter
        assert counter.name is counter.dtype is counter.semantics is None
        assert counter.domain is domain
        assert counter.sample("anything") is None
        assert counter.batch_submit([1], []) is None
        assert counter.sample_no_value(nvtx.CounterNoValueReason.ZERO) is None
        assert domain.get_timestamp() == 0
        for dtype in ([("a", [("b", "i4")])], [("a", "i4", 3)], "no such dtype"):
            try:
                domain.get_counter("c", dtype)
            except TypeError as error:
                print(error)
    ''')
    assert done.stderr == ""
    assert done.stdout.splitlines()[:2] == [
        "Nested counter groups are not supported, as the field 'a' of [('b', '<i4')]: put "
        "its fields into the group",
        "in a counter group, array fields are not supported, as 'a' of ('<i4', (3,)): make "
        "a field for each element"]
    assert done.stdout.splitlines()[2].startswith("dtype must be int, float or a NumPy dtype: ")


def test_a_counter_that_is_switched_off_records_nothing(record):
    recording = record('''
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        counter = domain.get_counter("c", int)
        counter.sample(1)
        nvtx.set_enabled(False)
        counter.sample(2)
        counter.sample_no_value(nvtx.CounterNoValueReason.ZERO)
        counter.batch_submit([3], [domain.get_timestamp()])
        nvtx.set_enabled(True)
        counter.sample(4)
    ''')
    assert samples(recording) == [("c", 1), ("c", 4)]


@pytest.mark.slow
def test_a_million_samples_need_no_more_memory(record):
    pytest.importorskip("numpy")
    recording = record('''
        import resource
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        n, x = domain.get_counter("n", int), domain.get_counter("x", float)
        g = domain.get_counter("g", [("a", "i4"), ("b", "f8")])
        rows = np.zeros(10, g.dtype)
        times = np.full(10, domain.get_timestamp())
        def run(count):
            for i in range(count):
                n.sample(i)
                x.sample(i)
                g.sample((i, 0.5))
                if i % 100 == 0:
                    g.sample((0.5, "1"))
                    n.batch_submit([i] * 10, times)
                    g.batch_submit(rows, times)
                    g.batch_submit([(i, i)] * 10, times)
                    assert domain.get_counter("n", int) is n
                    try:
                        g.sample((1, "x"))
                    except ValueError:
                        pass
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before = run(50_000)
        print(run(350_000) - before)
    ''', timeout=300, events=False)
    assert int(recording.output) < 30_000  # KiB, the collector's blocks among them


def test_threads_get_the_same_counter_and_lose_no_sample(record):
    recording = record('''
        import threading
        from rangeline import nvtx
        found = []
        barrier = threading.Barrier(8)
        def work(k):
            barrier.wait()
            for i in range(500):
                counter = nvtx.get_domain("d").get_counter(f"c{i % 5}", int)
                counter.sample(k)
                found.append(counter)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert len({id(counter) for counter in found}) == 5
    ''')
    assert sorted(samples(recording)) == sorted(
        (f"c{i % 5}", k) for i in range(500) for k in range(8))


def test_a_forked_child_goes_on_sampling(record):
    recording = record('''
        import os
        from rangeline import nvtx
        counter = nvtx.get_domain("d").get_counter("c", int)
        counter.sample(1)
        pid = os.fork()
        if pid == 0:
            counter.sample(2)
            nvtx.get_domain("d").get_counter("child", int).sample(3)
            os._exit(0)
        os.waitpid(pid, 0)
        counter.sample(4)
    ''')
    assert samples(recording) == [("c", 1), ("c", 2), ("child", 3), ("c", 4)]


def test_methods_say_their_parameters(run_python):
    done = run_python('''
        import inspect
        from rangeline import nvtx
        for method in (nvtx.Domain.get_counter, nvtx.Domain.get_timestamp,
                       nvtx.Int64Counter.sample, nvtx.Float64Counter.batch_submit,
                       nvtx.ExtCounter.batch_submit, nvtx.Counter.sample_no_value):
            print(method.__name__, inspect.signature(method))
            assert "Example" in method.__doc__
    ''')
    assert done.stdout.splitlines() == [
        "get_counter (self, /, name, dtype, *, description=None, scope=None, "
        "semantics=None, time_domain=None)",
        "get_timestamp (self, /)",
        "sample (self, /, value)",
        "batch_submit (self, /, values, timestamps)",
        "batch_submit (self, /, values, timestamps=None)",
        "sample_no_value (self, /, reason)"], done.stderr


def test_counters_have_the_methods_of_their_type(record):
    events = record("""
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        for dtype, value in ((int, 1), (float, 2.5)):
            counter = domain.get_counter(dtype.__name__, dtype)
            nvtx.Counter.sample(counter, value)
            nvtx.Counter.batch_submit(counter, [value], [domain.get_timestamp()])
    """)
    assert [(e["name"], e["value"]) for e in events.of("sample")
            if not e.get("deferred")] == [("int", 1), ("float", 2.5)]
    assert len(events.of("sample")) == 4
