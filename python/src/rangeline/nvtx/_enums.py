# SPDX-License-Identifier: Apache-2.0
"""Names for NVTX's constants. tests/test_enums.py compares them with the headers."""

from enum import Enum

__all__ = [
    "BatchOrdering",
    "CounterInterpolation",
    "CounterNoValueReason",
    "CounterValueType",
    "EntryKind",
    "EventKind",
    "PayloadEntryType",
    "PredefinedScope",
    "TimestampType",
]

_TIMESTAMP = 2 << 10  # NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP


class EntryKind(Enum):
    """The part that a field of a structured dtype plays in an event or a counter group.

    `RANGE_BEGIN`, `RANGE_END` and `MARK` are the times of an event, `MESSAGE` is its
    text, `COUNTER_TIMESTAMP` is the time inside the samples of a group.

    >>> from rangeline import nvtx
    >>> time = nvtx.numpy_dtype("i8", entry_kind=nvtx.EntryKind.COUNTER_TIMESTAMP)
    >>> group = nvtx.numpy_dtype([("time", time), ("queued", "i4")])
    """

    RANGE_BEGIN = (1 << 12) | _TIMESTAMP
    RANGE_END = (2 << 12) | _TIMESTAMP
    MARK = (3 << 12) | _TIMESTAMP
    MESSAGE = 1 << 10
    COUNTER_TIMESTAMP = _TIMESTAMP


class PayloadEntryType(Enum):
    """What the number in a field of a structured dtype stands for.

    >>> from rangeline import nvtx
    >>> color = nvtx.numpy_dtype("u4", entry_type=nvtx.PayloadEntryType.COLOR_ARGB)
    """

    RANGE_ID = 67  # uint64
    CATEGORY = 68  # uint32
    COLOR_ARGB = 69  # uint32
    SCOPE_ID = 70  # uint64
    REGISTERED_STRING = 80  # a handle: an unsigned integer as wide as a pointer


class EventKind(Enum):
    """The kind of the events that `rangeline.nvtx.writer` writes with a schema.

    >>> from rangeline import nvtx
    >>> nvtx.EventKind.MARK.name
    'MARK'
    """

    MARK = 4 << 3
    RANGE_PUSHPOP = 2 << 3  # push and pop in one event: two times
    RANGE_STARTEND = 3 << 3
    RANGE_PUSH = 5 << 3
    RANGE_POP = 6 << 3
    RANGE_START = 7 << 3
    RANGE_END = 8 << 3


class BatchOrdering(Enum):
    """The order of the times in a batch of events or samples.

    >>> from rangeline import nvtx
    >>> nvtx.BatchOrdering.SORTED.value
    0
    """

    SORTED = 0
    PARTIALLY_SORTED = 1 << 1  # runs, each sorted
    SORTED_PER_SCOPE = 2 << 1
    UNSORTED = 3 << 1


class PredefinedScope(Enum):
    """Places in the system that a counter or an event can belong to.

    "CURRENT" is resolved when the event or sample is taken.

    >>> from rangeline import nvtx
    >>> nvtx.PredefinedScope.CURRENT_SW_THREAD.value
    22
    """

    NONE = 0
    ROOT = 1
    CURRENT_HW_MACHINE = 2
    CURRENT_HW_SOCKET = 3
    CURRENT_HW_CPU_PHYSICAL = 4
    CURRENT_HW_CPU_LOGICAL = 5
    CURRENT_HW_INNERMOST = 15
    CURRENT_HYPERVISOR = 16
    CURRENT_VM = 17
    CURRENT_KERNEL = 18
    CURRENT_CONTAINER = 19
    CURRENT_OS = 20
    CURRENT_SW_PROCESS = 21
    CURRENT_SW_THREAD = 22
    CURRENT_SW_INNERMOST = 31


class TimestampType(Enum):
    """The clock that the timestamps of `Counter.batch_submit` come from.

    `TOOL_PROVIDED` is the clock of `Domain.get_timestamp`. The others name a clock of
    the processor, the system, a C or C++ library, or a GPU.

    >>> import time
    >>> from rangeline import nvtx
    >>> clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC
    >>> load = nvtx.get_domain("host").get_counter("load", float, time_domain=clock)
    >>> load.batch_submit([0.5, 0.7], [time.monotonic_ns(), time.monotonic_ns()])
    """

    NONE = 0
    TOOL_PROVIDED = 1
    CPU_TSC = 10
    CPU_TSC_NONVIRTUALIZED = 11
    CPU_CLOCK_GETTIME_REALTIME = 12
    CPU_CLOCK_GETTIME_REALTIME_COARSE = 13
    CPU_CLOCK_GETTIME_MONOTONIC = 14
    CPU_CLOCK_GETTIME_MONOTONIC_RAW = 15
    CPU_CLOCK_GETTIME_MONOTONIC_COARSE = 16
    CPU_CLOCK_GETTIME_BOOTTIME = 17
    CPU_CLOCK_GETTIME_PROCESS_CPUTIME_ID = 18
    CPU_CLOCK_GETTIME_THREAD_CPUTIME_ID = 19
    WIN_QPC = 30
    WIN_GSTAFT = 31
    WIN_GSTAFTP = 32
    C_TIME = 40
    C_CLOCK = 41
    C_TIMESPEC_GET = 42
    CPP_STEADY_CLOCK = 50
    CPP_HIGH_RESOLUTION_CLOCK = 51
    CPP_SYSTEM_CLOCK = 52
    CPP_UTC_CLOCK = 53
    CPP_TAI_CLOCK = 54
    CPP_GPS_CLOCK = 55
    CPP_FILE_CLOCK = 56
    GPU_GLOBALTIMER = 80


class CounterValueType(Enum):
    """What a counter's value counts from.

    >>> from rangeline import nvtx
    >>> sent = nvtx.CounterSemantics(value_type=nvtx.CounterValueType.DELTA)
    """

    ABSOLUTE = 1 << 4  # the level
    DELTA = 2 << 4  # the change since the previous sample
    DELTA_SINCE_START = 3 << 4  # the change since the first sample


class CounterInterpolation(Enum):
    """What a counter's value is between two samples.

    >>> from rangeline import nvtx
    >>> held = nvtx.CounterSemantics(interpolation=nvtx.CounterInterpolation.UNTIL_NEXT)
    """

    POINT = 1 << 8  # unknown: a value holds only at its own time
    SINCE_LAST = 2 << 8  # that of the next sample
    UNTIL_NEXT = 3 << 8  # that of the previous sample
    LINEAR = 4 << 8  # on a straight line


class CounterNoValueReason(Enum):
    """Why a sample has no value: see `Counter.sample_no_value`.

    >>> from rangeline import nvtx
    >>> load = nvtx.get_domain("host").get_counter("load", float)
    >>> load.sample_no_value(nvtx.CounterNoValueReason.UNAVAILABLE)
    """

    ZERO = 0  # the value is 0
    UNCHANGED = 1  # the value is the previous one
    UNAVAILABLE = 2  # the value could not be read: a gap
