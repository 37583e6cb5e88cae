# SPDX-License-Identifier: Apache-2.0
"""rangeline.torch records device ranges with a stand-in for the driver, and survives
without a driver."""
import ctypes
import pathlib
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.slow

SOURCE = pathlib.Path(__file__).parent / "fake_libcuda.c"

# A program makes the stand-in run the queued functions; it finds it by its library name.
DRIVER = """
    import ctypes
    from rangeline.torch import _device_range_end, _device_range_start, mark
    run = ctypes.CDLL("libcuda.so.1").fake_run
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """The environment in which libcuda.so.1 is the stand-in."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("driver")
    subprocess.run([compiler, "-shared", "-fPIC", "-pthread", "-o",
                    folder / "libcuda.so.1", SOURCE], check=True)
    return {"LD_LIBRARY_PATH": str(folder)}


def test_they_wait_for_their_stream(record, driver):
    events = record(DRIVER + """
    kernel = _device_range_start("kernel", stream=7)
    mark("queued")
    _device_range_end(kernel, 7)
    mark("ended")
    assert run() == 2
    mark("after")
    """, env=driver)
    assert events.lines() == ["mark queued", "mark ended", "start kernel", "end kernel",
                              "mark after"]
    start, end = events.of("start", "end")
    (mark, *_) = events.of("mark")
    assert start["tid"] == end["tid"] != mark["tid"]


def has_gpu():
    try:
        library = ctypes.CDLL("libcuda.so.1")
        return library.cuInit(0) == 0 and library.cuDeviceGet(
            ctypes.byref(ctypes.c_int()), 0) == 0
    except (OSError, AttributeError):
        return False


@pytest.mark.parametrize("which", ["the stand-in", "a GPU"])
def test_they_last_as_long_as_the_work_between_them(record, driver, which):
    """Fills of memory on a stream; the host does not wait for any of them."""
    if which == "a GPU" and not has_gpu():
        pytest.skip("no CUDA driver with a GPU here")
    events = record("""
    import ctypes
    from rangeline.torch import _device_range_end, _device_range_start, mark
    cuda = ctypes.CDLL("libcuda.so.1")
    def call(name, *arguments):
        assert getattr(cuda, name)(*arguments) == 0, name
    device, context, stream = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    memory, size = ctypes.c_uint64(), 256 << 20
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuStreamCreate", ctypes.byref(stream), 0)
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(size))
    def fill(times):
        for _ in range(times):
            call("cuMemsetD8Async", memory, ctypes.c_ubyte(1), ctypes.c_size_t(size), stream)
    handle = stream.value or 0
    fill(20)
    few = _device_range_start("few", handle)
    fill(2)
    _device_range_end(few, handle)
    many = _device_range_start("many", handle)
    fill(20)
    _device_range_end(many, handle)
    mark("queued")
    call("cuStreamSynchronize", stream)
    mark("done")
    """, env=driver if which == "the stand-in" else {})
    queued, done = (mark["t"] for mark in events.of("mark"))
    few, many = sorted(events.ranges(), key=lambda r: r["start"])
    assert (few["message"], many["message"]) == ("few", "many")
    assert queued < few["start"] < few["end"] <= many["start"] < many["end"] < done
    durations = [r["end"] - r["start"] for r in (few, many)]
    if which == "a GPU":
        # Ten times the work: thrice as long is a difference that no host function makes.
        assert durations[1] > 3 * durations[0]
    else:
        # A fill is a sleep of a millisecond, which a busy machine makes longer only.
        assert durations[0] >= 2_000_000 and durations[1] >= 20_000_000
    assert few["tid"] == many["tid"] and "end_tid" not in many


def test_handles_may_go_before_the_stream_gets_there(record, driver):
    events = record(DRIVER + """
    import gc
    for name in ("a", "b"):
        handle = _device_range_start(name)
        _device_range_end(handle)
    del handle
    open = _device_range_start("open")
    del open
    gc.collect()
    assert run() == 5
    """, env=driver)
    assert events.lines() == ["start a", "end a", "start b", "end b", "start open"]


def test_a_second_end_is_ignored(record, driver):
    events = record(DRIVER + """
    handle = _device_range_start("kernel")
    _device_range_end(handle)
    _device_range_end(handle)
    assert run() == 3
    """, env=driver)
    assert events.lines() == ["start kernel", "end kernel"]


def test_an_end_that_overtakes_its_start_leaves_nothing_open(record, driver):
    events = record(DRIVER + """
    handle = _device_range_start("kernel", 7)
    _device_range_end(handle, 13)  # refused: it ends now
    mark("between")
    assert run() == 1
    """, env=driver)
    assert events.lines() == ["mark between", "start kernel", "end kernel"]


def test_what_the_driver_refuses_happens_at_once(record, driver):
    events = record(DRIVER + """
    handle = _device_range_start("kernel", 13)
    mark("between")
    _device_range_end(handle, 13)
    assert run() == 0
    """, env=driver)
    assert events.lines() == ["start kernel", "mark between", "end kernel"]


def test_switched_off_nothing_is_queued(record, driver):
    events = record(DRIVER + """
    from rangeline import nvtx
    nvtx.set_enabled(False)
    handle = _device_range_start("kernel")
    nvtx.set_enabled(True)
    _device_range_end(handle)
    run()
    """, env=driver)
    assert events.lines() == []


def test_without_a_driver_they_happen_at_once(record, tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    events = record("""
        from rangeline.torch import _device_range_end, _device_range_start, mark
        handle = _device_range_start("kernel", stream=3)
        mark("between")
        _device_range_end(handle, stream=3)
    """, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert events.lines() == ["start kernel", "mark between", "end kernel"]
