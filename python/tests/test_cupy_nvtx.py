# SPDX-License-Identifier: Apache-2.0
"""rangeline.cupy_nvtx has the API of cupy.cuda.nvtx, and records."""
import pytest

pytestmark = pytest.mark.slow


def test_its_functions_record(record):
    events = record("""
        from rangeline.cupy_nvtx import *
        RangePush("a"); RangePush("b", 1); RangePush("c", 13); RangePushC("d", 0xff123456)
        print(RangePop(), RangePop(), RangePop(), RangePop())
        Mark("e"); Mark("f", 0); MarkC("g"); MarkC("h", 5)
        copy = RangeStart("i", 0xff00ff00)
        RangeEnd(copy)
        RangeEnd(RangeStart("j", None))
    """)
    assert events.output == "None None None None\n"
    assert events.lines("color") == [
        "push a", "push b color=#ff007fff", "push c color=#ffff0000",
        "push d color=#ff123456", "pop d", "pop c", "pop b", "pop a", "mark e",
        "mark f color=#ff00ff00", "mark g color=#00000000", "mark h color=#00000005",
        "start i color=#ff00ff00", "end i", "start j", "end j"]


def test_layers_that_ask_cupy_for_ranges_of_their_steps(record):
    events = record("""
        import contextlib, sys, types
        import rangeline.cupy_nvtx
        cupy = types.ModuleType("cupy")
        cupy.cuda = types.SimpleNamespace(nvtx=rangeline.cupy_nvtx)
        sys.modules["cupy"] = cupy

        # In the way of thinc's with_nvtx_range.
        import cupy

        @contextlib.contextmanager
        def use_nvtx_range(message, id_color=-1):
            cupy.cuda.nvtx.RangePush(message, id_color)
            yield
            cupy.cuda.nvtx.RangePop()

        def with_nvtx_range(layer, name, *, forward_color=-1, backprop_color=-1):
            def forward(x):
                with use_nvtx_range(f"{name} forward", forward_color):
                    y, finish = layer(x)
                def backprop(dy):
                    with use_nvtx_range(f"{name} backprop", backprop_color):
                        return finish(dy)
                return y, backprop
            return forward

        def chain(*layers):
            def forward(x):
                callbacks = []
                for layer in layers:
                    x, backprop = layer(x)
                    callbacks.append(backprop)
                def backprop(dy):
                    for callback in reversed(callbacks):
                        dy = callback(dy)
                    return dy
                return x, backprop
            return forward

        def twice(x):
            return 2 * x, lambda dy: 2 * dy

        model = with_nvtx_range(chain(with_nvtx_range(twice, "embed", forward_color=1),
                                      with_nvtx_range(twice, "output", backprop_color=12)),
                                "model")
        y, backprop = model(3)
        print(y, backprop(1))
    """)
    assert events.output == "12 4\n"
    ranges = sorted(events.ranges(), key=lambda r: r["start"])
    assert [(r["message"], r["depth"], r.get("color")) for r in ranges] == [
        ("model forward", 0, None), ("embed forward", 1, "#ff007fff"),
        ("output forward", 1, None), ("model backprop", 0, None),
        ("output backprop", 1, "#ff7f00ff"), ("embed backprop", 1, None)]
    assert all("end" in r for r in ranges)


def test_without_a_tool_it_does_nothing(run_python):
    done = run_python("""
        from rangeline.cupy_nvtx import *
        RangePush("a", 3); RangePop(); Mark("m"); RangeEnd(RangeStart("s", 1))
        print(available)
    """)
    assert (done.stdout, done.stderr) == ("True\n", "")
