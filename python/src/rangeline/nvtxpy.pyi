# SPDX-License-Identifier: Apache-2.0
from contextlib import _GeneratorContextManager
from typing import Any, Callable, Optional, TypeVar, Union

_F = TypeVar("_F", bound=Callable[..., Any])
_Color = Union[int, str, None]
_Category = Union[int, str, None]

__all__ = [
    "colors",
    "getstats",
    "profile_mark",
    "profile_range",
    "profile_range_nvtx_only",
    "profile_range_pop",
    "profile_range_push",
    "profiled",
    "start_profiler",
    "stats_table",
    "stop_profiler",
]

class colors:
    red: int
    green: int
    blue: int
    yellow: int
    magenta: int
    cyan: int
    white: int
    black: int

def profile_range_push(message: str, color: _Color = None, payload: Any = None,
                       category: _Category = None) -> None: ...
def profile_range_pop() -> int: ...
def profile_mark(message: str, color: _Color = None, payload: Any = None,
                 category: _Category = None) -> None: ...
def getstats(reset: bool = False) -> dict[str, list[Union[int, float]]]: ...
def stats_table() -> str: ...
def profile_range_nvtx_only(
        name: str, color: _Color = None, payload: Any = None,
        category: _Category = None) -> _GeneratorContextManager[None]: ...
def profile_range(name: str, color: _Color = None, payload: Any = None,
                  category: _Category = None) -> _GeneratorContextManager[None]: ...
def profiled(name: str, color: _Color = None, payload: Any = None,
             category: _Category = None) -> Callable[[_F], _F]: ...
def start_profiler() -> None: ...
def stop_profiler() -> None: ...
