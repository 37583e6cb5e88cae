# SPDX-License-Identifier: Apache-2.0
"""nvtx.writer makes the calls to a backend that NVIDIA's package makes, and refuses the
same arguments; our backend writes a trace of them."""

import os
import shutil
import subprocess
import sys

import pytest

from conftest import BUILD, RANGELINE, ROOT, decode, source_of
from test_side_by_side import nvidia, ours

pytestmark = pytest.mark.slow

pytest.importorskip("numpy")

BACKEND = BUILD / "lib" / "librangeline-writer.so"


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A backend that writes down, as text, the calls that it gets."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler for the toy backend")
    library = tmp_path_factory.mktemp("toy") / "toy_writer.so"
    subprocess.run(
        [compiler, "-std=gnu11", "-shared", "-fPIC", f"-I{ROOT}/include",
         ROOT / "python" / "tests" / "toy_writer.c", "-o", library],
        check=True)
    return library


def run(program, *arguments, who=None, cwd=None, env=()):
    python, package = who or (sys.executable, {})
    inherited = {k: v for k, v in os.environ.items()
                 if k != "NVTX_INJECTION64_PATH" and not k.startswith("RANGELINE_")}
    path = f"{RANGELINE.parent}:{os.environ['PATH']}"
    return subprocess.run(
        [python, "-c", source_of(program), *map(str, arguments)], cwd=cwd, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        env={**inherited, "PATH": path, **package, **dict(env)})


EVERYTHING = '''
    import sys
    import numpy as np
    import nvtx
    from nvtx import writer as w, EntryKind as K, PayloadEntryType as P

    def time(kind):
        return nvtx.numpy_dtype("i8", entry_kind=kind)

    backend = w.load_backend(sys.argv[1])
    with w.Session("session", backend=backend, config="a=b") as session:
        domain = session.get_domain("domain")
        again = session.get_domain(b"domain")
        gpu = domain.get_scope("gpu/0")
        below = domain.get_scope("sm", parent=gpu)
        stream = session.create_stream(
            "stream", domain=domain, scope=gpu,
            time_domain_id=nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC,
            interleaving=w.StreamInterleaving.SCOPE, ordering=w.StreamOrdering.STRICT,
            skid=w.StreamSkid.TIME_NS, skid_amount=5)
        registered = domain.get_registered_string("registered")
        with stream:
            stream.write_mark(100, message="mark", color="red", category="category")
            stream.write_mark(110, message=registered, category=2)
            stream.write_mark(115)
            stream.write_mark(116, message=b"bytes", category=b"third", color=0xff112233)
            stream.write_pushpop(120, 130, message="pushpop", category=7)
            stream.write_pushpop(121, 130, message=registered)
            stream.write_startend(140, 150, message="startend")
            stream.write_startend(140, 150, message=registered)
            stream.write_push(160, message="push")
            stream.write_pop(170)
            stream.write_push(160, message=registered)
            stream.write_pop(170)
            stream.write_start(180, 5, message="start")
            stream.write_end(190, 5)
            stream.write_start(180, 6, message=registered)
            stream.write_end(190, 6)
            whole = domain.get_schema([
                ("begin", time(K.RANGE_BEGIN)), ("end", time(K.RANGE_END)),
                ("text", nvtx.numpy_dtype("S4", entry_kind=K.MESSAGE)),
                ("color", nvtx.numpy_dtype("u4", entry_type=P.COLOR_ARGB)),
                ("x", "f4"), ("u", "U2"), ("v", "i2", (2, 2))],
                kind=nvtx.EventKind.RANGE_PUSHPOP)
            row = (200, 210, b"abc", 1, 1.5, "x", [[1, 2], [3, 4]])
            stream.write_event(whole, row)
            stream.write_event_batch(whole, [row, row], ordering=nvtx.BatchOrdering.UNSORTED)
            stream.write_event_batch(whole, np.array([row], dtype=whole.dtype))
            plain = domain.get_schema("i4")
            half = domain.get_schema([
                ("id", nvtx.numpy_dtype("u8", entry_type=P.RANGE_ID)),
                ("end", time(K.RANGE_END))], kind=nvtx.EventKind.RANGE_END)
            stream.write_event(half, (5, 220))
            volts = nvtx.CounterSemantics("V", min=0, max=12)
            n = domain.get_counter("n", int, description="what", semantics=volts)
            x = domain.get_counter("x", float, scope=nvtx.PredefinedScope.ROOT)
            b = domain.get_counter("b", "u1", scope=below)
            g = domain.get_counter("g", [
                ("a", nvtx.numpy_dtype("i4", counter_semantics=volts)), ("b", "f8")])
            t = domain.get_counter("t", [("t", time(K.COUNTER_TIMESTAMP)), ("b", "f8")])
            stream.write_counter_sample(n, 300, 5)
            stream.write_counter_sample(x, 310, 0.5)
            stream.write_counter_sample(g, 320, (1, 2.5))
            stream.write_counter_sample(b, 325, 7)
            for reason in nvtx.CounterNoValueReason:
                stream.write_counter_sample_no_value(n, 330, reason)
            stream.write_counter_batch(n, [1, 2], timestamps=[340, 350])
            stream.write_counter_batch(x, np.array([1.0]), timestamps=np.array([355]))
            stream.write_counter_batch(g, [(1, 2)], timestamps=[360])
            stream.write_counter_batch(t, [(370, 2)])
        print(again is domain, domain.get_counter("n", int) is n,
              domain.get_scope("gpu/0") is gpu, domain.get_schema("i4") is plain,
              domain.get_registered_string(b"registered") is registered,
              domain.get_category_id("category"), domain.get_category_id("fourth"))
        print(whole.schema_id, whole.kind, n.counter_id, n.name, n.dtype, n.description,
              gpu, gpu.path, gpu.scope_id, registered, registered.handle)
    backend.close()
    backend.close()
'''


def test_a_backend_is_told_what_nvidias_package_tells_it(toy, tmp_path):
    reference = nvidia()
    if reference is None:
        pytest.skip("NVIDIA's package nvtx is not in .venv: `tools/setup test`")
    told = {}
    for name, who in (("theirs", reference), ("ours", ours())):
        log = tmp_path / name
        done = run(EVERYTHING, toy, who=who, env={"TOY_WRITER": str(log)})
        assert done.returncode == 0, done.stderr
        told[name] = log.read_text().splitlines(), done.stdout
    assert told["ours"] == told["theirs"]
    assert len(told["ours"][0]) > 100


REFUSED = '''
    import sys
    import nvtx
    from nvtx import writer as w, EntryKind as K
    backend = w.load_backend(sys.argv[1])
    other = w.load_backend(sys.argv[1])
    ended = w.Session("ended", backend=backend)
    with ended:
        lost = ended.get_domain("lost")
        closed = ended.create_stream("closed", domain=lost)
    session = w.Session("s", backend=backend)
    session.begin()
    domain, foreign = session.get_domain("d"), session.get_domain("foreign")
    stream = session.create_stream("stream", domain=domain)
    stream.open()
    time = lambda kind: nvtx.numpy_dtype("i8", entry_kind=kind)
    mark = domain.get_schema([("t", time(K.MARK))], kind=nvtx.EventKind.MARK)
    push = domain.get_schema([("t", time(K.RANGE_BEGIN))], kind=nvtx.EventKind.RANGE_PUSH)
    n = domain.get_counter("n", int)
    t = domain.get_counter("t", [("t", time(K.COUNTER_TIMESTAMP)), ("b", "f8")])
    calls = [
        lambda: w.load_backend("/no/such/library.so"),
        lambda: w.Session("s", backend=5),
        lambda: session.begin(),
        lambda: ended.end(),
        lambda: ended.get_domain("x"),
        lambda: lost.get_registered_string("x"),
        lambda: closed.open(),
        lambda: stream.open(),
        lambda: closed.close(),
        lambda: closed.write_mark(5),
        lambda: session.get_domain(5),
        lambda: session.create_stream("s", domain=lost),
        lambda: session.create_stream("s", ordering=1),
        lambda: session.create_stream("s", interleaving=None),
        lambda: session.create_stream("s", skid="x"),
        lambda: session.create_stream("s", time_domain_id="x"),
        lambda: session.create_stream("s", scope=nvtx.PredefinedScope.CURRENT_SW_THREAD),
        lambda: session.create_stream("s", scope=5),
        lambda: session.create_stream("s", domain=domain, scope=foreign.get_scope("x")),
        lambda: domain.get_registered_string(5),
        lambda: domain.get_category_id(5),
        lambda: domain.get_scope("x", parent=5),
        lambda: domain.get_scope("x", parent=nvtx.PredefinedScope.CURRENT_OS),
        lambda: domain.get_scope("x", parent=foreign.get_scope("y")),
        lambda: domain.get_schema("i4", kind=5),
        lambda: domain.get_schema("i4", kind=nvtx.EventKind.MARK),
        lambda: domain.get_schema([("a", "i8")], kind=nvtx.EventKind.MARK),
        lambda: domain.get_schema([("a", time(K.MARK)), ("b", time(K.RANGE_END))],
                                  kind=nvtx.EventKind.MARK),
        lambda: domain.get_schema([("a", time(K.RANGE_BEGIN))],
                                  kind=nvtx.EventKind.RANGE_START),
        lambda: domain.get_schema([("a", time(K.MARK)), ("b", "O")],
                                  kind=nvtx.EventKind.MARK),
        lambda: domain.get_counter("c", [("a", time(K.MARK))]),
        lambda: domain.get_counter("c", [("a", [("b", "i4")])]),
        lambda: domain.get_counter("c", int, scope="x"),
        lambda: stream.write_mark("x"),
        lambda: stream.write_mark(2**63),
        lambda: stream.write_mark(5, message=5),
        lambda: stream.write_mark(5, category=-1),
        lambda: stream.write_mark(5, category=1.5),
        lambda: stream.write_mark(5, message=foreign.get_registered_string("x")),
        lambda: stream.write_start(5, 0),
        lambda: stream.write_end(5, 0),
        lambda: stream.write_event(5, (1,)),
        lambda: stream.write_event(domain.get_schema("i4"), 1),
        lambda: stream.write_event(mark, [(1,), (2,)]),
        lambda: stream.write_event_batch(push, [(1,)]),
        lambda: stream.write_event_batch(mark, []),
        lambda: stream.write_event_batch(mark, [(1,)], ordering=0),
        lambda: stream.write_counter_sample(5, 1, 2),
        lambda: stream.write_counter_sample(t, 1, (1, 2)),
        lambda: stream.write_counter_sample(foreign.get_counter("n", int), 1, 2),
        lambda: stream.write_counter_sample_no_value(n, 1, 0),
        lambda: stream.write_counter_batch(n, [1]),
        lambda: stream.write_counter_batch(t, [(1, 2)], timestamps=[1]),
        lambda: stream.write_counter_batch(n, [1, 2], timestamps=[1]),
        lambda: stream.write_counter_batch(n, [], timestamps=[]),
        lambda: backend.close(),
        lambda: session.end(),
        lambda: w.Session("s", backend=backend).begin(),
        lambda: w.Session("s", backend=other).begin(),
    ]
    for i, call in enumerate(calls):
        try:
            call()
            print(i, "accepted")
        except Exception as error:
            print(i, type(error).__name__)
'''


def test_what_is_refused_is_what_nvidias_package_refuses(toy, tmp_path):
    reference = nvidia()
    if reference is None:
        pytest.skip("NVIDIA's package nvtx is not in .venv: `tools/setup test`")
    env = {"TOY_WRITER": str(tmp_path / "log")}
    theirs, our = (run(REFUSED, toy, who=who, env=env) for who in (reference, ours()))
    assert theirs.returncode == our.returncode == 0, our.stderr
    assert our.stdout.splitlines() == theirs.stdout.splitlines()


def test_an_id_is_refused_by_its_name_unless_it_has_64_bits(toy, tmp_path):
    done = run('''
        import sys
        from rangeline.nvtx import writer as w
        with w.Session("s", backend=w.load_backend(sys.argv[1])) as session:
            with session.create_stream("s", time_domain_id=2**64 - 1) as stream:
                stream.write_start(5, 2**64 - 1)
                stream.write_end(6, 2**64 - 1)
                for call in (lambda: stream.write_start(5, -1),
                             lambda: stream.write_end(5, 2**64),
                             lambda: stream.write_end(5, 0),
                             lambda: stream.write_end(5, "x"),
                             lambda: session.create_stream("s", time_domain_id=-1),
                             lambda: session.create_stream("s", skid_amount=2**63)):
                    try:
                        call()
                    except Exception as error:
                        print(f"{type(error).__name__}: {error}")
    ''', toy, env={"TOY_WRITER": str(tmp_path / "log")})
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "ValueError: range_id must be from 1 to 2**64 - 1, not -1",
        f"ValueError: range_id must be from 1 to 2**64 - 1, not {2**64}",
        "ValueError: range_id must be from 1 to 2**64 - 1, not 0",
        "TypeError: range_id must be an int, not str",
        "ValueError: time_domain_id must be from 0 to 2**64 - 1, not -1",
        f"OverflowError: skid_amount must fit in 64 bits, not {2**63}"]


def test_a_library_that_is_no_backend(tmp_path):
    done = run('''
        import ctypes.util, pickle
        from rangeline.nvtx import writer
        try:
            writer.load_backend("/lib/x86_64-linux-gnu/libm.so.6")
        except writer.WriterError as error:
            print(error, error.result_code, error.operation)
            print(pickle.loads(pickle.dumps(error)))
        try:
            writer.Stream()
        except TypeError as error:
            print(error)
    ''')
    if "OSError" in done.stderr:
        pytest.skip("libm.so.6 is elsewhere")
    assert done.stdout.splitlines() == [
        "load_backend failed: library symbol missing (code 5) 5 load_backend",
        "load_backend failed: library symbol missing (code 5)",
        "Stream objects are made by Session.create_stream()"]


# ---- Our backend ---------------------------------------------------------------------


IMPORT = '''
    import sys, time
    import nvtx
    from nvtx import writer as w, EntryKind as K
    backend = w.load_backend(sys.argv[1])
    clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC
    now = time.monotonic_ns()
    stamp = lambda kind: nvtx.numpy_dtype("i8", entry_kind=kind)
    with w.Session("a/b%p", backend=backend, config=sys.argv[2]) as session:
        domain = session.get_domain("db")
        one = session.create_stream("one", domain=domain, time_domain_id=clock,
                                    scope=domain.get_scope("gpu[0]"))
        two = session.create_stream("two", domain=domain, time_domain_id=clock)
        with one, two:
            one.write_mark(now, message="mark", color=0xff00ff00, category="io")
            one.write_pushpop(now + 100, now + 900, message=domain.get_registered_string("whole"))
            one.write_push(now + 1000, message="one")
            two.write_push(now + 1100, message="two")
            one.write_pop(now + 1200)
            two.write_pop(now + 1300)
            one.write_start(now + 1400, 5, message="started")
            two.write_end(now + 1500, 5)
            rows = domain.get_schema([
                ("begin", stamp(K.RANGE_BEGIN)), ("end", stamp(K.RANGE_END)),
                ("text", nvtx.numpy_dtype("U4", entry_kind=K.MESSAGE)), ("x", "f4")],
                kind=nvtx.EventKind.RANGE_PUSHPOP)
            one.write_event_batch(rows, [(now + 2000, now + 2500, "r1", 0.5),
                                         (now + 2600, now + 2700, "r2", 1.5)])
            n = domain.get_counter("n", int, semantics=nvtx.CounterSemantics("V"))
            t = domain.get_counter("t", [("t", stamp(K.COUNTER_TIMESTAMP)), ("b", "f8")])
            one.write_counter_sample(n, now + 3000, 5)
            one.write_counter_sample_no_value(n, now + 3100, nvtx.CounterNoValueReason.ZERO)
            one.write_counter_batch(n, [6, 7], timestamps=[now + 3200, now + 3300])
            one.write_counter_batch(t, [(now + 3400, 8)])
            try:
                one.write_counter_sample_no_value(n, now, nvtx.CounterNoValueReason.UNCHANGED)
            except w.WriterError as error:
                print(error)
        with session.create_stream("plain") as plain:  # no clock: ns since the begin
            plain.write_pushpop(10_000_000_000, 10_000_000_500, message="relative")
'''


def ranges_of(trace):
    return {r["message"]: (r["style"], r["duration"], r.get("domain"))
            for r in decode(trace, "--ranges")}


EXPECTED_RANGES = {
    "whole": ("push_pop", 800, "db"), "one": ("push_pop", 200, "db"),
    "two": ("push_pop", 200, "db"), "started": ("start_end", 100, "db"),
    "r1": ("push_pop", 500, "db"), "r2": ("push_pop", 100, "db"),
    "relative": ("push_pop", 500, None)}


def check(trace):
    assert ranges_of(trace) == EXPECTED_RANGES
    events = decode(trace)
    [mark] = [e for e in events if e["type"] == "mark"]
    assert (mark["message"], mark["color"], mark["category_name"]) == ("mark", "#ff00ff00", "io")
    samples = [e for e in events if e["type"] == "sample"]
    assert [e.get("value", e.get("values")) for e in samples] == [5, 0, 6, 7, {"b": 8}]
    assert [e["t"] - mark["t"] for e in samples] == [3000, 3100, 3200, 3300, 3400]
    assert not [e for e in events if e.get("unplaced")]
    assert not [e for e in events if e.get("color") == "#00000000" and e["type"] != "mark"]


def test_a_nul_in_a_text_is_refused(tmp_path):
    done = run("""
        import sys
        from rangeline import nvtx
        from rangeline.nvtx import writer
        backend = writer.load_backend(sys.argv[1])
        clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC
        with writer.Session("session", backend=backend) as session:
            domain = session.get_domain("domain")
            stream = session.create_stream("stream", domain=domain, time_domain_id=clock)
            for call in (lambda: session.get_domain("a\\0b"),
                         lambda: domain.get_registered_string(b"a\\0b"),
                         lambda: stream.write_mark(1, message="a\\0b")):
                with stream:
                    try:
                        call()
                    except ValueError as error:
                        print(error)
    """, BACKEND, cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"{name} must not contain a NUL character: tools would cut it there"
        for name in ("name", "string", "message")]


@pytest.mark.parametrize("package", ["ours", "theirs"])
def test_our_backend_writes_a_trace(tmp_path, package):
    who = ours() if package == "ours" else nvidia()
    if who is None:
        pytest.skip("NVIDIA's package nvtx is not in .venv: `tools/setup test`")
    done = run(IMPORT, BACKEND, "", who=who, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "CounterNoValueWrite failed: not supported by this backend (code 7)\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a_b%p.rln"]
    check(tmp_path / "a_b%p.rln")


def test_a_session_says_where_its_trace_is(tmp_path):
    done = run(IMPORT, BACKEND, "x=y\noutput=elsewhere\n", who=ours(), cwd=tmp_path,
               env={"RANGELINE_OUTPUT": "not here"})
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere.rln"]


def test_where_the_process_is_recorded_events_go_into_its_trace(record, tmp_path):
    recording = record('''
        import time
        from rangeline import nvtx
        from rangeline.nvtx import writer
        backend = writer.load_backend(writer.rangeline_backend())
        clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC
        nvtx.mark("live")
        with writer.Session("s", backend=backend) as session:
            with session.create_stream("s", time_domain_id=clock) as stream:
                stream.write_mark(time.monotonic_ns(), message="written")
        nvtx.mark("live again")
    ''', env={"PATH": f"{RANGELINE.parent}:{os.environ['PATH']}"})
    assert [e["message"] for e in recording.of("mark")] == ["live", "written", "live again"]
    assert len(list(tmp_path.glob("*.rln"))) == 1


def test_a_session_begins_only_where_a_trace_can_be_written(tmp_path):
    done = run('''
        import sys
        from rangeline.nvtx import writer
        backend = writer.load_backend(sys.argv[1])
        try:
            writer.Session("s", backend=backend, config="output=/no/such/folder/x").begin()
        except writer.WriterError as error:
            print(error)
    ''', BACKEND, cwd=tmp_path)
    assert done.stdout == "SessionBegin failed: failed (code 1)\n", done.stderr
