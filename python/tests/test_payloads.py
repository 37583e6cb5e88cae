# SPDX-License-Identifier: Apache-2.0
"""Payloads that are texts, arrays and structs are recorded. test_side_by_side.py compares
the rest with NVIDIA's package."""

import pytest


def payloads(recording):
    """{message: its payload, or `payloads` if that is no number}"""
    return {e["message"]: e.get("payload", e.get("payloads")) for e in recording.of("mark")}


def values(recording):
    """{message: the only payload's value}"""
    return {message: found[0]["value"] for message, found in payloads(recording).items()}


def test_numbers_are_sent_as_numbers(record):
    recording = record('''
        import enum
        from rangeline import nvtx
        class Level(enum.IntEnum):
            HIGH = 3
        class Real(float):
            pass
        for name, payload in dict(
                int=-1, largest=2**64 - 1, smallest=-2**63, float=0.1, true=True,
                enum=Level.HIGH, real=Real(1.5), inf=float("-inf")).items():
            nvtx.mark(name, payload=payload)
    ''')
    assert payloads(recording) == {
        "int": -1, "largest": 2**64 - 1, "smallest": -2**63, "float": 0.1, "true": 1,
        "enum": 3, "real": 1.5, "inf": "-inf"}


def test_an_int_of_more_than_64_bits_is_refused(record):
    recording = record('''
        from rangeline import nvtx
        for number in (2**64, -2**63 - 1):
            try:
                nvtx.mark("m", payload=number)
            except OverflowError as error:
                print(error)
    ''')
    assert recording.output == (
        "payload must be from -2**63 to 2**64 - 1, not 18446744073709551616\n"
        "payload must be from -2**63 to 2**64 - 1, not -9223372036854775809\n")
    assert recording.of("mark") == []


def test_numpys_scalars_are_what_they_stand_for(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        for scalar in (np.int8(-5), np.uint64(2**64 - 1), np.float16(0.5), np.float32(0.1),
                       np.float64(0.1), np.bool_(True), np.str_("héé"), np.bytes_(b"ab"),
                       np.datetime64(5, "s"), np.timedelta64(7, "ms"),
                       np.array((1, 2.5), [("a", "i4"), ("b", "f8")])[()]):
            nvtx.mark(type(scalar).__name__, payload=scalar)
    ''')
    assert payloads(recording) == {
        **{"int8": -5, "uint64": 2**64 - 1, "float16": 0.5, "float64": 0.1},
        "float32": 0.10000000149011612,
        **{name: 1 for name in ("bool", "bool_") if name in payloads(recording)},
        **{message: found for message, found in payloads(recording).items()
           if isinstance(found, list)},
    }
    assert {m: p[0]["value"] for m, p in payloads(recording).items()
            if isinstance(p, list)} == {
        "str_": {"str96": "héé"}, "bytes_": {"bytes16": "6162"},
        "datetime64": {"datetime64[s]": 5}, "timedelta64": {"timedelta64[ms]": 7},
        "void": {"a": 1, "b": 2.5}}


def test_dtypes_that_nvidias_package_refuses_are_sent(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        for name, array in dict(
                bools=np.array([True, False]),
                complex=np.array([1 + 2j, -3.5]), instants=np.array([1, 2], "M8[ns]"),
                spans=np.array([-1], "m8[s]"), bytes=np.array([b"\\x01\\x02"], "V2"),
                longlong=np.array([1, -1], "q"), wide=np.array([0.5], np.longdouble),
                swapped=np.array([1, -2], ">i4"),
                swapped_struct=np.array([(1, 0.5, "é")], [("a", ">u2"), ("b", ">f8"),
                                                         ("c", ">U1")]),
                flags=np.array([(True, 1j)], [("on", "?"), ("z", "c8")])).items():
            nvtx.mark(name, payload=array)
    ''')
    found = {message: value["data"] for message, value in values(recording).items()}
    wide = found.pop("wide")
    assert [list(row.values()) for row in wide] == [[0.5]]
    assert found == {
        "bools": [{"bool": 1}, {"bool": 0}],
        "complex": [{"real": 1, "imag": 2}, {"real": -3.5, "imag": 0}],
        "instants": [{"datetime64[ns]": 1}, {"datetime64[ns]": 2}],
        "spans": [{"timedelta64[s]": -1}],
        "bytes": [{"void16": "0102"}],
        "longlong": [1, -1],
        "swapped": [1, -2],
        "swapped_struct": [{"a": 1, "b": 0.5,
                            "c": {"str32": "é"}}],
        "flags": [{"on": {"bool": 1}, "z": {"real": 0, "imag": 1}}],
    }


def test_what_becomes_an_array_is_sent_as_one(record):
    pytest.importorskip("numpy")
    recording = record('''
        import array, collections, numpy as np
        from rangeline import nvtx
        class Tensor:
            def __array__(self, dtype=None, copy=None):
                return np.array([1.5, 2.5])
        Point = collections.namedtuple("Point", "x y")
        for name, payload in dict(
                array=array.array("h", [1, -1]), bytearray=bytearray(b"\\x01\\xff"),
                memoryview=memoryview(b"\\x07"), tensor=Tensor(), named=Point(1, 2),
                matrix=np.matrix([[1, 2]]), series=np.rec.array([(1,)], [("a", "i4")])
                ).items():
            nvtx.mark(name, payload=payload)
    ''')
    assert {m: v["data"] for m, v in values(recording).items()} == {
        "array": [1, -1], "bytearray": [1, 255],
        "memoryview": [7], "tensor": [1.5, 2.5],
        "named": [1, 2], "matrix": [1, 2],
        "series": [{"a": 1}]}


def test_what_cannot_be_sent_says_its_dtype(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        for payload in (np.array([object()]), [None], np.zeros(1, [("a", "i4"), ("b", "O")]),
                        {1: 2}, [{}]):
            try:
                nvtx.mark("m", payload=payload)
            except TypeError as error:
                print(error)
    ''', interpreter=["-W", "error"], check=False)
    assert recording.output == (
        "a payload cannot be of dtype object\n" * 3)
    assert recording.errors.endswith(
        "NvtxWarning: unsupported payload type: dict\n")


def test_a_payload_is_what_it_was_when_it_was_set(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        array = np.array([1, 2], "i4")
        single = np.array(5, "i4")
        first = domain.get_event_attributes("array", payload=array)
        second = domain.get_event_attributes("single", payload=single)
        array[:] = 9
        single[...] = 9
        del array, single
        domain.mark(first)
        domain.mark(second)
        assert list(first.payload) == [9, 9]
    ''')
    assert values(recording) == {
        "array": {"size": 2, "data": [1, 2]},
        "single": 5}


def test_annotate_sends_what_a_changing_payload_is_at_each_use(record):
    pytest.importorskip("numpy")
    recording = record('''
        import numpy as np
        from rangeline import nvtx
        sizes = [1]
        array = np.array([1.5])
        by_list = nvtx.annotate("list", payload=sizes)
        by_array = nvtx.annotate("array", payload=array)
        for n in range(2):
            with by_list, by_array:
                sizes.append(n)
                array += 1
    ''')
    pushed = [e["payloads"][0]["value"]["data"] for e in recording.of("push")]
    assert pushed == [[1], [1.5],
                      [1, 0], [2.5]]


def test_ranges_of_all_kinds_carry_arrays(record):
    pytest.importorskip("numpy")
    recording = record('''
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        nvtx.push_range("push", payload=[1])
        nvtx.pop_range()
        nvtx.end_range(nvtx.start_range("start", payload=[2]))
        domain.push_range(message="domain push", payload=[3])
        domain.pop_range()
        domain.end_range(domain.start_range(message="domain start", payload=[4]))
        domain.mark(message="domain mark", payload=[5])
        @nvtx.annotate("decorated", payload=(6,))
        def work():
            pass
        work()
    ''')
    assert [(e["message"], e["payloads"][0]["value"]["data"][0])
            for e in recording.of("push", "start", "mark")] == [
        ("push", 1), ("start", 2), ("domain push", 3), ("domain start", 4),
        ("domain mark", 5), ("decorated", 6)]


WITHOUT_NUMPY = """
    import sys
    sys.modules["numpy"] = None
"""


def test_without_numpy_numbers_are_sent_and_lists_warn(record):
    recording = record(WITHOUT_NUMPY + '''
        import warnings
        from rangeline import nvtx
        for payload in (1, 2.5, [1], (1,), range(2), b"x", bytearray(b"x"), "x"):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                nvtx.mark(type(payload).__name__, payload=payload)
            for warning in caught:
                print(warning.category.__name__, warning.message)
    '''.replace("\n    ", "\n"))
    assert payloads(recording) == {
        "int": 1, "float": 2.5, "list": None, "tuple": None, "range": None, "bytes": None,
        "bytearray": None, "str": None}
    assert recording.output == "".join(
        f"NvtxWarning unsupported payload type: {name}. Install numpy for extended payload "
        "support.\n"
        for name in ("list", "tuple", "range", "bytes", "bytearray")
    ) + "NvtxWarning unsupported payload type: str\n"


def test_numpy_is_not_imported_before_it_is_needed(record):
    pytest.importorskip("numpy")
    recording = record('''
        import sys
        from rangeline import nvtx
        nvtx.mark("m", payload=5)
        domain = nvtx.get_domain("d")
        counter = domain.get_counter("c", int)
        counter.sample(3)
        counter.batch_submit([1], [domain.get_timestamp()])
        domain.get_counter("f", float).batch_submit((1.5,), range(1))
        assert "numpy" not in sys.modules
        nvtx.mark("m", payload=[5])
        assert "numpy" in sys.modules
    ''')
    assert recording.errors == ""


@pytest.mark.slow
def test_beyond_4096_dtypes_payloads_are_bytes(record):
    pytest.importorskip("numpy")
    recording = record('''
        from rangeline import nvtx
        for n in range(1, 6000):
            nvtx.mark(str(n), payload=b"\\x05" * n)
        nvtx.mark("known", payload=b"\\x05")
        nvtx.mark("list", payload=["x" * 3000])
        try:
            nvtx.mark("object", payload=[None])
        except TypeError as error:
            print(error)
    ''')
    found = values(recording)
    assert found["1"] == found["known"] == {"bytes8": "05"}
    assert found["4096"] == {"bytes32768": "05" * 4096}
    assert payloads(recording)["4097"] == [{"schema": "raw", "value": "05" * 4097}]
    assert payloads(recording)["list"][0]["schema"] == "raw"
    assert recording.output == "a payload cannot be of dtype object\n"


@pytest.mark.slow
def test_a_million_payloads_need_no_more_memory(record):
    pytest.importorskip("numpy")
    recording = record('''
        import resource
        import numpy as np
        from rangeline import nvtx
        domain = nvtx.get_domain("d")
        attributes = domain.get_event_attributes("kept")
        dtypes = [np.dtype("i8"), np.dtype([("a", "i4"), ("b", "f8")])]
        def run(n):
            for i in range(n):
                array = np.zeros(1 + i % 7, dtypes[i % 2])
                attributes.payload = array
                if i % 10 == 0:
                    domain.mark(message="new", payload=array.astype(dtypes[i % 2]))
                    nvtx.mark("list", payload=[i])
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before = run(100_000)
        print(run(1_000_000) - before)
    ''', timeout=300, events=False)
    # KiB. The collector maps a few blocks of 4 MiB at a time.
    assert int(recording.output) < 30_000


def test_threads_set_and_send_payloads_at_once(record):
    pytest.importorskip("numpy")
    recording = record('''
        import threading
        import numpy as np
        from rangeline import nvtx
        def work(k):
            dtype = np.dtype([(f"field{k % 2}", "i4")])
            for i in range(300):
                nvtx.mark(f"{k}", payload=np.full(3, k, dtype))
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    ''')
    for event in recording.of("mark"):
        k = int(event["message"])
        row = {f"field{k % 2}": k}
        assert event["payloads"][0]["value"] == {"size": 3, "data": [row] * 3}
    assert len(recording.of("mark")) == 8 * 300


def test_a_forked_child_goes_on_with_schemas(record):
    pytest.importorskip("numpy")
    recording = record('''
        import os
        from rangeline import nvtx
        nvtx.mark("parent", payload=[1])
        pid = os.fork()
        nvtx.mark("child" if pid == 0 else "parent again", payload=[2])
        nvtx.mark("child" if pid == 0 else "parent again", payload=["x"])
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    ''')
    found = [(e["message"], e["payloads"][0]["value"]["data"]) for e in recording.of("mark")]
    assert sorted(found, key=str) == sorted([
        ("parent", [1]), ("parent again", [2]),
        ("parent again", [{"str32": "x"}]), ("child", [2]),
        ("child", [{"str32": "x"}])], key=str)
