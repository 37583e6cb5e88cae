"""The layer over torch._C._nvtx that users call."""
import contextlib

try:
    from torch._C import _nvtx
except ImportError:

    class _Stub:
        def rangePushA(self, msg):
            raise RuntimeError("NVTX functions not installed.")

        rangePop = markA = rangePushA

    _nvtx = _Stub()


def range_push(msg):
    return _nvtx.rangePushA(msg)


def range_pop():
    return _nvtx.rangePop()


def range_start(msg):
    return _nvtx.rangeStartA(msg)


def range_end(range_id):
    _nvtx.rangeEnd(range_id)


def _device_range_start(msg, stream=0):
    return _nvtx.deviceRangeStart(msg, stream)


def _device_range_end(range_handle, stream=0):
    _nvtx.deviceRangeEnd(range_handle, stream)


def mark(msg):
    return _nvtx.markA(msg)


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
