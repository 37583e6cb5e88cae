# SPDX-License-Identifier: Apache-2.0
"""Our enumerations have the numbers of the C headers."""

import re
from pathlib import Path

import pytest

from rangeline.nvtx import _enums

HEADERS = Path(__file__).parents[2] / "include" / "nvtx3"
DEFINE = re.compile(r"^#define (NVTX_\w+)\s+(?:\\\n\s*)?(.+?)\s*(?:/\*.*)?$", re.MULTILINE)


def macros():
    text = "".join(path.read_text() for path in sorted(HEADERS.glob("*.h")))
    numbers = {}
    for name, body in DEFINE.findall(text):
        if re.fullmatch(r"\d+|\(\d+ << \d+\)", body):
            numbers[name] = eval(body)
    return numbers


PREFIXES = {
    _enums.PayloadEntryType: "NVTX_PAYLOAD_ENTRY_TYPE_",
    _enums.EventKind: "NVTX_PAYLOAD_SCHEMA_FLAG_",
    _enums.BatchOrdering: "NVTX_BATCH_FLAG_",
    _enums.PredefinedScope: "NVTX_SCOPE_",
    _enums.TimestampType: "NVTX_TIMESTAMP_TYPE_",
    _enums.CounterValueType: "NVTX_COUNTER_FLAG_VALUETYPE_",
    _enums.CounterInterpolation: "NVTX_COUNTER_FLAG_INTERPOLATION_",
    _enums.CounterNoValueReason: "NVTX_COUNTER_SAMPLE_",
}
OTHER_NAMES = {
    "NVTX_PAYLOAD_ENTRY_TYPE_REGISTERED_STRING":
        "NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE",
    "NVTX_BATCH_FLAG_SORTED": "NVTX_BATCH_FLAG_TIME_SORTED",
    "NVTX_BATCH_FLAG_PARTIALLY_SORTED": "NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY",
    "NVTX_BATCH_FLAG_SORTED_PER_SCOPE": "NVTX_BATCH_FLAG_TIME_SORTED_PER_SCOPE",
}


@pytest.mark.parametrize(
    "member",
    [member for enum in PREFIXES for member in enum],
    ids=lambda member: f"{type(member).__name__}.{member.name}",
)
def test_a_member_has_the_number_of_its_macro(member):
    name = PREFIXES[type(member)] + member.name
    assert member.value == macros()[OTHER_NAMES.get(name, name)]


def test_an_entry_kind_joins_a_time_with_what_it_is_the_time_of():
    flags = {name[len("NVTX_PAYLOAD_ENTRY_FLAG_"):]: value
             for name, value in macros().items()
             if name.startswith("NVTX_PAYLOAD_ENTRY_FLAG_")}
    assert {kind.name: kind.value for kind in _enums.EntryKind} == {
        "RANGE_BEGIN": flags["RANGE_BEGIN"] | flags["TIMESTAMP"],
        "RANGE_END": flags["RANGE_END"] | flags["TIMESTAMP"],
        "MARK": flags["MARK"] | flags["TIMESTAMP"],
        "MESSAGE": flags["EVENT_MESSAGE"],
        "COUNTER_TIMESTAMP": flags["TIMESTAMP"],
    }
