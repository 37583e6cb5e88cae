# SPDX-License-Identifier: Apache-2.0
"""The import path of domains and attributes in NVIDIA's package, `nvtx._lib.lib`."""

from rangeline._native import (
    Domain,
    DummyDomain,
    EventAttributes,
    RegisteredString,
    domain_of,
    dummy_counter,
    dummy_domain,
    get_domain,
)
from rangeline.nvtx._enums import (
    BatchOrdering,
    EntryKind,
    EventKind,
    PayloadEntryType,
    PredefinedScope,
)
from rangeline.nvtx._warning import NvtxWarning

__all__ = [
    "BatchOrdering",
    "Domain",
    "DummyDomain",
    "EntryKind",
    "EventAttributes",
    "EventKind",
    "NvtxWarning",
    "PayloadEntryType",
    "PredefinedScope",
    "RegisteredString",
    "dummy_counter",
    "dummy_domain",
    "end_range",
    "initialize",
    "mark",
    "pop_range",
    "push_range",
    "start_range",
]


# What `nvtx.nvtx` calls: functions of EventAttributes and a Domain's handle.


def initialize() -> None:
    """Lets a tool attach now, not at the first event."""
    get_domain()


def mark(attributes: EventAttributes, domain: int) -> None:
    """`Domain.mark` of the domain with this handle."""
    domain_of(domain).mark(attributes)


def push_range(attributes: EventAttributes, domain: int) -> None:
    """`Domain.push_range` of the domain with this handle."""
    domain_of(domain).push_range(attributes)


def pop_range(domain: int) -> None:
    """`Domain.pop_range` of the domain with this handle."""
    domain_of(domain).pop_range()


def start_range(attributes: EventAttributes, domain: int) -> tuple[int, int]:
    """`Domain.start_range` of the domain with this handle: the id and the handle."""
    return domain_of(domain).start_range(attributes), domain


def end_range(range_id: int, domain: int) -> None:
    """`Domain.end_range` of the domain with this handle."""
    domain_of(domain).end_range(range_id)
