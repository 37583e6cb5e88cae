# SPDX-License-Identifier: Apache-2.0
"""rangeline.cupy_nvtx: the API of cupy.cuda.nvtx."""
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


def test_without_a_tool_it_does_nothing(run_python):
    done = run_python("""
        from rangeline.cupy_nvtx import *
        RangePush("a", 3); RangePop(); Mark("m"); RangeEnd(RangeStart("s", 1))
        print(available)
    """)
    assert (done.stdout, done.stderr) == ("True\n", "")
