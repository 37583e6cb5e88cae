# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Optional, Union, overload

_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Paths = Union[_Path, Iterable[_Path]]
_Pattern = Union[str, int, Iterable[Union[str, int]]]

__all__ = ["Reports", "Rows", "Table", "Trace", "Tree", "View", "open"]

class Table:
    columns: tuple[str, ...]
    def __init__(self, paths: list[bytes], title: str, table: int,
                 options: dict[str, Any]) -> None: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def head(self, n: int = 10) -> list[Any]: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...

class Tree(Table): ...

class Rows(Sequence[dict[str, Any]]):
    columns: tuple[str, ...]
    def __init__(self, title: str, rows: list[dict[str, Any]]) -> None: ...
    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...

class Reports(Mapping[str, Rows]):
    def __init__(self, arguments: list[str]) -> None: ...
    def __contains__(self, name: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Rows: ...

class View:
    def _repr_html_(self) -> str: ...

class Trace:
    def __init__(self, path: _Paths) -> None: ...
    def __enter__(self) -> Trace: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def paths(self) -> list[str]: ...
    @property
    def info(self) -> dict[str, Any]: ...
    @property
    def reports(self) -> Reports: ...
    def ranges(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> Table: ...
    def marks(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
    ) -> Table: ...
    def counters(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
    ) -> Table: ...
    def events(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
    ) -> Table: ...
    def gpu(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> Table: ...
    def cuda_calls(
        self,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> Table: ...
    def summary(
        self,
        window: Optional[int] = None,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
    ) -> Table: ...
    def tree(
        self,
        window: Optional[int] = None,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
    ) -> Tree: ...
    def diff(
        self,
        after: Union[Trace, _Paths],
        on: str = "median",
        rename: Union[str, Iterable[str]] = (),
    ) -> Rows: ...
    def check(self) -> Rows: ...
    def export(
        self,
        path: _Path,
        format: Optional[str] = None,
        replace: bool = False,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> None: ...
    def to_html(
        self,
        path: _Path,
        replace: bool = False,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> None: ...
    def view(
        self,
        height: int = ...,
        *,
        name: _Pattern = ...,
        domain: Union[None, _Pattern, Iterable[Optional[str]]] = ...,
        category: _Pattern = ...,
        thread: _Pattern = ...,
        process: _Pattern = ...,
        payload: _Pattern = ...,
        rename: _Pattern = ...,
        window: Optional[int] = ...,
        min_duration: float = ...,
    ) -> View: ...

def open(path: _Paths) -> Trace: ...
