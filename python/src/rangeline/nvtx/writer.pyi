# SPDX-License-Identifier: Apache-2.0
# Types of rangeline.nvtx.writer; the docstrings are in its modules.
import os
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Optional, Union, final

from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._enums import (
    BatchOrdering,
    CounterNoValueReason,
    EventKind,
    PredefinedScope as PredefinedScope,
    TimestampType,
)
from rangeline.nvtx._writer_stream import (
    StreamInterleaving as StreamInterleaving,
    StreamOrdering as StreamOrdering,
    StreamSkid as StreamSkid,
)

__all__ = [
    "Backend",
    "Counter",
    "Domain",
    "PredefinedScope",
    "RegisteredString",
    "Schema",
    "Scope",
    "Session",
    "Stream",
    "StreamInterleaving",
    "StreamOrdering",
    "StreamSkid",
    "WriterError",
    "load_backend",
    "rangeline_backend",
]

_Text = Union[str, bytes]
_Color = Union[str, int, tuple[float, ...]]
_Category = Union[_Text, int]
_Message = Union[_Text, RegisteredString]
_AnyScope = Union[PredefinedScope, Scope, int]
# With NumPy also arrays and data frames.
_Rows = Any

class WriterError(Exception):
    result_code: int
    operation: Optional[str]
    def __init__(self, result_code: int, operation: Optional[str] = None) -> None: ...

class Backend:
    def close(self) -> None: ...

class RegisteredString:
    @property
    def handle(self) -> int: ...

class Scope:
    @property
    def scope_id(self) -> int: ...
    @property
    def path(self) -> str: ...

class Schema:
    @property
    def schema_id(self) -> int: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def kind(self) -> Optional[EventKind]: ...

class Counter:
    @property
    def counter_id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def description(self) -> Optional[str]: ...
    @property
    def semantics(self) -> Optional[CounterSemantics]: ...

class Domain:
    def get_registered_string(self, string: _Text) -> RegisteredString: ...
    def get_category_id(self, name: _Text) -> int: ...
    def get_scope(
        self,
        path: Optional[_Text],
        *,
        parent: Optional[Union[PredefinedScope, Scope]] = None,
    ) -> Scope: ...
    def get_schema(self, dtype: Any, *, kind: Optional[EventKind] = None) -> Schema: ...
    def get_counter(
        self,
        name: _Text,
        dtype: Any,
        *,
        description: Optional[_Text] = None,
        scope: Optional[_AnyScope] = None,
        semantics: Optional[CounterSemantics] = None,
    ) -> Counter: ...

class Stream:
    def open(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Stream: ...
    def __exit__(
        self,
        exc_type: Optional[type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
        /,
    ) -> None: ...
    def write_mark(
        self,
        timestamp: int,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
    ) -> None: ...
    def write_pushpop(
        self,
        start: int,
        end: int,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
    ) -> None: ...
    def write_startend(
        self,
        start: int,
        end: int,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
    ) -> None: ...
    def write_push(
        self,
        timestamp: int,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
    ) -> None: ...
    def write_pop(self, timestamp: int) -> None: ...
    def write_start(
        self,
        timestamp: int,
        range_id: int,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
    ) -> None: ...
    def write_end(self, timestamp: int, range_id: int) -> None: ...
    def write_event(self, schema: Schema, row: Any) -> None: ...
    def write_event_batch(
        self,
        schema: Schema,
        rows: _Rows,
        *,
        ordering: BatchOrdering = ...,
    ) -> None: ...
    def write_counter_sample(
        self, counter: Counter, timestamp: int, value: Any
    ) -> None: ...
    def write_counter_sample_no_value(
        self, counter: Counter, timestamp: int, reason: CounterNoValueReason
    ) -> None: ...
    def write_counter_batch(
        self,
        counter: Counter,
        data: _Rows,
        *,
        timestamps: Optional[Iterable[int]] = None,
        ordering: BatchOrdering = ...,
    ) -> None: ...

class Session:
    def __init__(
        self,
        name: Optional[_Text],
        *,
        backend: Backend,
        config: Optional[_Text] = None,
    ) -> None: ...
    def begin(self) -> None: ...
    def end(self) -> None: ...
    def get_domain(self, name: Optional[_Text] = None) -> Domain: ...
    def create_stream(
        self,
        name: Optional[_Text],
        *,
        domain: Optional[Union[Domain, _Text]] = None,
        scope: Optional[_AnyScope] = None,
        time_domain_id: Union[TimestampType, int] = ...,
        interleaving: StreamInterleaving = ...,
        ordering: StreamOrdering = ...,
        skid: StreamSkid = ...,
        skid_amount: int = 0,
    ) -> Stream: ...
    def __enter__(self) -> Session: ...
    def __exit__(
        self,
        exc_type: Optional[type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
        /,
    ) -> None: ...

def load_backend(path: Union[_Text, os.PathLike[str]]) -> Backend: ...
def rangeline_backend() -> str: ...
