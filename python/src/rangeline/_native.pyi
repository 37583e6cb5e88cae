# SPDX-License-Identifier: Apache-2.0
# Types of the extension. Names that begin with `torch_`, Execution, Profiler, annotated
# and domain_of are internal to rangeline.
from types import TracebackType
from typing import Any, Generic, Literal, Optional, TypeVar, Union, final, overload

from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._enums import (
    CounterNoValueReason,
    PredefinedScope,
    TimestampType,
)

_T = TypeVar("_T")
_Function = TypeVar("_Function")

# With matplotlib, also its color names and tuples.
_Color = Union[str, int, tuple[float, ...]]
_Category = Union[str, int]
# int, float, None, and with NumPy anything it can make an array of.
_Payload = Any
_Text = Union[str, bytes]
_Message = Union[_Text, RegisteredString]
# None for a DummyDomain.
_String = TypeVar("_String")
_Number = TypeVar("_Number")
_Attributes = TypeVar("_Attributes")

@final
class RegisteredString:
    def __new__(cls, domain: Domain, string: _Text) -> RegisteredString: ...
    @property
    def string(self) -> _Text: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def handle(self) -> int: ...

@final
class EventAttributes:
    def __new__(
        cls,
        domain: Union[Domain, DummyDomain],
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> EventAttributes: ...
    @property
    def domain(self) -> Union[Domain, DummyDomain]: ...
    @property
    def message(self) -> Optional[RegisteredString]: ...
    @message.setter
    def message(self, value: Optional[_Message]) -> None: ...
    @property
    def color(self) -> Optional[_Color]: ...
    @color.setter
    def color(self, value: Optional[_Color]) -> None: ...
    @property
    def category(self) -> int: ...
    @category.setter
    def category(self, value: Optional[_Category]) -> None: ...
    payload: _Payload

# The common interface of Domain and DummyDomain, generic in the types they return.
class _DomainLike(Generic[_String, _Number, _Attributes]):
    def get_registered_string(self, string: _Text) -> _String: ...
    def get_category_id(self, name: _Text) -> _Number: ...
    def get_event_attributes(
        self,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> _Attributes: ...
    def set_event_attributes(
        self,
        attributes: _Attributes,
        *,
        message: Optional[_Message] = ...,
        color: Optional[_Color] = ...,
        category: Optional[_Category] = ...,
        payload: _Payload = ...,
    ) -> None: ...
    def mark(
        self,
        attributes: Optional[_Attributes] = None,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> None: ...
    def push_range(
        self,
        attributes: Optional[_Attributes] = None,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> None: ...
    def pop_range(self) -> None: ...
    def start_range(
        self,
        attributes: Optional[_Attributes] = None,
        *,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> int: ...
    def end_range(self, range_id: int) -> None: ...
    def get_timestamp(self) -> int: ...

class Domain(_DomainLike[RegisteredString, int, EventAttributes]):
    # Returns a DummyDomain if no tool records the domain.
    def __new__(cls, name: Optional[_Text] = None) -> Domain: ...
    @property
    def name(self) -> Optional[_Text]: ...
    @property
    def handle(self) -> int: ...
    @property
    def categories(self) -> dict[_Text, int]: ...
    @overload
    def get_counter(
        self,
        name: _Text,
        dtype: type[int],
        *,
        description: Optional[_Text] = None,
        scope: Optional[Union[_Text, PredefinedScope]] = None,
        semantics: Optional[CounterSemantics] = None,
        time_domain: Optional[TimestampType] = None,
    ) -> Int64Counter: ...
    @overload
    def get_counter(
        self,
        name: _Text,
        dtype: type[float],
        *,
        description: Optional[_Text] = None,
        scope: Optional[Union[_Text, PredefinedScope]] = None,
        semantics: Optional[CounterSemantics] = None,
        time_domain: Optional[TimestampType] = None,
    ) -> Float64Counter: ...
    @overload
    def get_counter(
        self,
        name: _Text,
        dtype: Any,
        *,
        description: Optional[_Text] = None,
        scope: Optional[Union[_Text, PredefinedScope]] = None,
        semantics: Optional[CounterSemantics] = None,
        time_domain: Optional[TimestampType] = None,
    ) -> ExtCounter: ...

@final
class DummyDomain(_DomainLike[None, None, None]):
    def __new__(cls) -> DummyDomain: ...
    def get_counter(
        self,
        name: _Text,
        dtype: Any,
        *,
        description: Optional[_Text] = None,
        scope: Optional[Union[_Text, PredefinedScope]] = None,
        semantics: Optional[CounterSemantics] = None,
        time_domain: Optional[TimestampType] = None,
    ) -> DummyCounter: ...

class Counter:
    @property
    def domain(self) -> Domain: ...
    @property
    def name(self) -> _Text: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def description(self) -> Optional[_Text]: ...
    @property
    def scope(self) -> Optional[Union[_Text, PredefinedScope]]: ...
    @property
    def semantics(self) -> Optional[CounterSemantics]: ...
    @property
    def time_domain(self) -> int: ...
    def sample(self, value: Any) -> None: ...
    def batch_submit(self, values: Any, timestamps: Any) -> None: ...
    def sample_no_value(self, reason: CounterNoValueReason) -> None: ...

@final
class Int64Counter(Counter):
    def sample(self, value: int) -> None: ...
    def batch_submit(self, values: Any, timestamps: Any) -> None: ...

@final
class Float64Counter(Counter):
    def sample(self, value: float) -> None: ...
    def batch_submit(self, values: Any, timestamps: Any) -> None: ...

@final
class ExtCounter(Counter):
    def sample(self, value: Any) -> None: ...
    def batch_submit(self, values: Any, timestamps: Any = None) -> None: ...

@final
class DummyCounter:
    domain: DummyDomain
    name: None
    dtype: None
    description: None
    scope: None
    semantics: None
    time_domain: None
    def sample(self, value: Any) -> None: ...
    def sample_no_value(self, reason: CounterNoValueReason) -> None: ...
    def batch_submit(self, values: Any, timestamps: Any = None) -> None: ...

dummy_domain: DummyDomain
dummy_counter: DummyCounter

class annotate:
    def __init__(
        self,
        message: Optional[_Message] = None,
        color: Optional[_Color] = None,
        domain: Optional[_Text] = None,
        category: Optional[_Category] = None,
        payload: _Payload = None,
    ) -> None: ...
    @property
    def init_args(
        self,
    ) -> tuple[
        Optional[_Text],
        Optional[_Color],
        Optional[_Text],
        Optional[_Category],
        _Payload,
    ]: ...
    @property
    def domain(self) -> Union[Domain, DummyDomain]: ...
    @property
    def attributes(self) -> Optional[EventAttributes]: ...
    def __enter__(self: _T) -> _T: ...
    def __exit__(
        self,
        exc_type: Optional[type[BaseException]] = ...,
        exc_value: Optional[BaseException] = ...,
        traceback: Optional[TracebackType] = ...,
        /,
    ) -> Literal[False]: ...
    # To type checkers, a decorated function keeps its type.
    def __call__(self, function: _Function, /) -> _Function: ...

def mark(
    message: Optional[_Message] = None,
    color: Optional[_Color] = "blue",
    domain: Optional[_Text] = None,
    category: Optional[_Category] = None,
    payload: _Payload = None,
) -> None: ...
def push_range(
    message: Optional[_Message] = None,
    color: Optional[_Color] = None,
    domain: Optional[_Text] = None,
    category: Optional[_Category] = None,
    payload: _Payload = None,
) -> None: ...
def pop_range(domain: Optional[_Text] = None) -> None: ...
def start_range(
    message: Optional[_Message] = None,
    color: Optional[_Color] = None,
    domain: Optional[_Text] = None,
    category: Optional[_Category] = None,
    payload: _Payload = None,
) -> Optional[tuple[int, int]]: ...
def end_range(range_id: Union[tuple[int, int], Literal[0], None]) -> None: ...
def get_domain(name: Optional[_Text] = None) -> Domain: ...
def enabled() -> bool: ...
def set_enabled(enabled: bool, /) -> bool: ...

Execution: Any
annotated: Any
domain_of: Any
Profiler: Any

def start_profiler() -> None: ...
def stop_profiler() -> None: ...
def __getattr__(name: str) -> Any: ...  # names internal to rangeline
