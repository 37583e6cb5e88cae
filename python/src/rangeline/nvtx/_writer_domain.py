# SPDX-License-Identifier: Apache-2.0
"""Domains of a writer session, and the objects registered in them.

A Session or a Domain makes each once for equal arguments; they end with the session.
"""

import ctypes
import itertools

from rangeline.nvtx import _nvtxw, _schema
from rangeline.nvtx._checks import check_type, text_of
from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._dtype import numpy_dtype
from rangeline.nvtx._enums import (
    EntryKind,
    EventKind,
    PayloadEntryType,
    PredefinedScope,
)
from rangeline.nvtx._metadata import PayloadSchemaKey, metadata_of

_INT64, _FLOAT64 = 17, 44  # NVTX_PAYLOAD_ENTRY_TYPE_*
_FIRST_STATIC_SCOPE, _FIRST_DYNAMIC_SCOPE = 1 << 24, 1 << 32

_PARENTS = (
    PredefinedScope.NONE,
    PredefinedScope.ROOT,
    PredefinedScope.CURRENT_HW_MACHINE,
    PredefinedScope.CURRENT_VM,
)


class _Made:
    """The base of classes that only a session or domain instantiates."""

    _made_by = "a session"

    def __new__(cls, *args, **kwargs):
        raise TypeError(f"{cls.__name__} objects are made by {cls._made_by}")

    @classmethod
    def _make(cls, **attributes):
        made = object.__new__(cls)
        made.__dict__.update(attributes)
        return made


class RegisteredString(_Made):
    """A text registered with the backend, for use as a message. `handle` is its number.

    >>> query = domain.get_registered_string("query")
    >>> stream.write_mark(5, message=query)
    """

    _made_by = "Domain.get_registered_string()"

    def __repr__(self):
        return f"RegisteredString({self._string!r})"

    @property
    def handle(self) -> int:
        """The number for a field of PayloadEntryType.REGISTERED_STRING."""
        return self._handle


class Scope(_Made):
    """A place in the system that events and counters belong to.

    >>> domain.get_scope("gpu[0]").path
    'gpu[0]'
    """

    _made_by = "Domain.get_scope()"

    def __repr__(self):
        return f"Scope(scope_id={self._scope_id}, path={self._path!r})"

    @property
    def scope_id(self) -> int:
        """Its number in the domain."""
        return self._scope_id

    @property
    def path(self) -> str:
        """The path below its parent."""
        return self._path


class Schema(_Made):
    """A layout of events. `kind` is an EventKind, or None for other payloads.

    >>> time = nvtx.numpy_dtype("i8", entry_kind=nvtx.EntryKind.MARK)
    >>> fields = [("time", time), ("size", "i4")]
    >>> hit = domain.get_schema(fields, kind=nvtx.EventKind.MARK)
    >>> stream.write_event(hit, (5, 4096))
    """

    _made_by = "Domain.get_schema()"

    def __repr__(self):
        return (
            f"Schema(schema_id={self._schema_id}, dtype={self._dtype!r}, "
            f"kind={self._kind})"
        )

    @property
    def schema_id(self) -> int:
        """Its number in the domain."""
        return self._schema_id

    @property
    def dtype(self):
        """The NumPy dtype of an event."""
        return self._dtype

    @property
    def kind(self):
        """The EventKind, or None."""
        return self._kind


class Counter(_Made):
    """A counter, or a group of them, for a stream's samples.

    >>> load = domain.get_counter("load", float)
    >>> stream.write_counter_sample(load, 5, 0.5)
    """

    _made_by = "Domain.get_counter()"

    def __repr__(self):
        return f"Counter(name={self._name!r}, counter_id={self._counter_id})"

    @property
    def counter_id(self) -> int:
        """Its number in the domain."""
        return self._counter_id

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def dtype(self):
        """The NumPy dtype of a sample; int or float without NumPy."""
        if not isinstance(self._dtype, type):
            return self._dtype
        try:
            import numpy
        except ImportError:
            return self._dtype
        return numpy.dtype(self._dtype)

    @property
    def description(self):
        """More about it, or None."""
        return self._description

    @property
    def semantics(self):
        """Its CounterSemantics, or None."""
        return self._semantics


class Domain(_Made):
    """A session's domain: strings, categories, scopes, schemas and counters.

    >>> with writer.Session("import", backend=backend) as session:
    ...     domain = session.get_domain("db")
    """

    _made_by = "Session.get_domain()"

    @classmethod
    def _register(cls, session, name):
        attributes = _nvtxw.DomainAttributes(
            struct_size=ctypes.sizeof(_nvtxw.DomainAttributes),
            name=None if name is None else name.encode(),
        )
        handle = ctypes.c_void_p()
        session._call(
            "DomainRegister",
            session._handle,
            ctypes.byref(attributes),
            ctypes.byref(handle),
        )
        return cls._make(
            _session=session,
            _handle=handle,
            _is_valid=True,
            _strings={},
            _categories={},
            _taken_categories=set(),
            _category_ids=itertools.count(1),
            _scopes={},
            _known={},  # of _schema.py
            _schemas={},
            _counters={},
            _event_schemas={},  # of _writer_stream.py
        )

    def _check_valid(self):
        if not self._is_valid:
            raise RuntimeError("domain is no longer valid: its session has ended")

    def _call(self, name, *arguments):
        self._check_valid()
        self._session._call(name, self._handle, *arguments)

    def _kept(self, table, key, make):
        """The table's entry for the key; made on first use."""
        with self._session._lock:
            self._check_valid()
            if key not in table:
                table[key] = make()
            return table[key]

    def get_registered_string(self, string) -> RegisteredString:
        """Registers a text with the backend; returns the same object for equal texts.

        >>> domain.get_registered_string("query")
        RegisteredString('query')
        """
        text = text_of("string", string)

        def make():
            handle = ctypes.c_void_p()
            self._call("StringRegister", text.encode(), ctypes.byref(handle))
            return RegisteredString._make(
                _domain=self, _string=text, _handle=handle.value or 0
            )

        return self._kept(self._strings, text, make)

    def get_category_id(self, name) -> int:
        """Returns the number of a named category: from 1, skipping numbers that events
        have already used directly.

        >>> domain.get_category_id("io")
        1
        """
        text = text_of("name", name)

        def make():
            number = next(
                n for n in self._category_ids if n not in self._taken_categories
            )
            self._call("CategoryRegister", number, text.encode())
            return number

        return self._kept(self._categories, text, make)

    def get_scope(self, path, *, parent=None) -> Scope:
        """Returns a place in the system, below another or below the root.

        >>> machine = nvtx.PredefinedScope.CURRENT_HW_MACHINE
        >>> gpu = domain.get_scope("gpu[0]", parent=machine)
        """
        check_type(
            "parent",
            parent,
            (PredefinedScope, Scope, type(None)),
            "a PredefinedScope, a Scope or None",
        )
        if isinstance(parent, PredefinedScope) and parent not in _PARENTS:
            raise ValueError(
                "parent must be NONE, ROOT, CURRENT_HW_MACHINE or CURRENT_VM, "
                f"not {parent.name}"
            )
        text = None if path is None else text_of("path", path)
        parent_id = self._scope_id(PredefinedScope.ROOT if parent is None else parent)

        def make():
            attributes = _nvtxw.ScopeAttributes(
                struct_size=ctypes.sizeof(_nvtxw.ScopeAttributes),
                path=None if text is None else text.encode(),
                parent=parent_id,
            )
            number = ctypes.c_uint64()
            self._call("ScopeRegister", ctypes.byref(attributes), ctypes.byref(number))
            return Scope._make(_domain=self, _scope_id=number.value, _path=text)

        return self._kept(self._scopes, (text, parent_id), make)

    def _scope_id(self, scope, parameter="scope"):
        """The number of a scope: None, predefined, registered or static."""
        if scope is None:
            return PredefinedScope.NONE.value
        if isinstance(scope, PredefinedScope):
            return scope.value
        if isinstance(scope, Scope):
            if scope._domain is not self:
                raise ValueError(f"{parameter} is of another domain")
            return scope._scope_id
        if isinstance(scope, int) and not isinstance(scope, bool):
            if not _FIRST_STATIC_SCOPE <= scope < _FIRST_DYNAMIC_SCOPE:
                raise ValueError(
                    f"{parameter} must be a static scope's number, from 2**24 to "
                    f"2**32 - 1, not {scope}"
                )
            return scope
        raise TypeError(
            f"{parameter} must be a PredefinedScope, a Scope, an int or None, "
            f"not {type(scope).__name__}"
        )

    def _register_schema(self, kind, flags, size, entries):
        """`register` of _schema.py."""
        attributes = _nvtxw.schema_attributes(kind, flags, size, entries)
        number = ctypes.c_uint64()
        self._call("SchemaRegister", ctypes.byref(attributes), ctypes.byref(number))
        return number.value

    def get_schema(self, dtype, *, kind=None) -> Schema:
        """Returns a layout for `Stream.write_event` and `write_event_batch`.

        `numpy_dtype(..., entry_kind=...)` marks the fields that are the message or the
        times that the `kind` needs; RANGE_START and RANGE_END also need a field of
        PayloadEntryType.RANGE_ID. TypeError or ValueError if they do not fit the kind.

        >>> time = nvtx.numpy_dtype("i8", entry_kind=nvtx.EntryKind.MARK)
        >>> hit = domain.get_schema([("time", time)], kind=nvtx.EventKind.MARK)
        """
        check_type("kind", kind, (EventKind, type(None)), "an EventKind or None")
        dtype = numpy_dtype(dtype)
        if kind is not None:
            _check_event(kind, dtype)
        key = PayloadSchemaKey(dtype, schema_flags=0 if kind is None else kind.value)

        def make():
            number = _schema.of_event(self._register_schema, self._known, dtype, kind)
            return Schema._make(
                _domain=self, _schema_id=number, _dtype=dtype, _kind=kind
            )

        return self._kept(self._schemas, key, make)

    def get_counter(
        self, name, dtype, *, description=None, scope=None, semantics=None
    ) -> Counter:
        """Returns a counter or a group of them, the same object for equal arguments.

        `dtype` is int, float or a NumPy dtype; a structured one is a group, one field
        of which may be the samples' time (EntryKind.COUNTER_TIMESTAMP).

        >>> load = domain.get_counter(
        ...     "load", float, semantics=nvtx.CounterSemantics(unit="%"))
        """
        text = text_of("name", name)
        more = None if description is None else text_of("description", description)
        check_type(
            "semantics",
            semantics,
            (CounterSemantics, type(None)),
            "a CounterSemantics or None",
        )
        dtype, attached = _schema.counter_dtype(dtype)
        semantics = attached if semantics is None else semantics
        scope_id = self._scope_id(scope)
        time_field = _time_field(dtype)
        key = dtype if isinstance(dtype, type) else PayloadSchemaKey(dtype)

        def make():
            schema = {int: _INT64, float: _FLOAT64}.get(dtype)
            if schema is None:
                schema = _schema.of_counter(self._register_schema, self._known, dtype)[
                    0
                ]
            return self._register_counter(
                text, dtype, more, scope_id, semantics, schema, time_field
            )

        return self._kept(self._counters, (text, key, more, scope_id, semantics), make)

    def _register_counter(
        self, name, dtype, description, scope_id, semantics, schema, time_field
    ):
        struct = None if semantics is None else _nvtxw.counter_semantics(semantics)
        attributes = _nvtxw.CounterAttributes(
            struct_size=ctypes.sizeof(_nvtxw.CounterAttributes),
            schema=schema,
            name=name.encode(),
            description=None if description is None else description.encode(),
            scope=scope_id,
            semantics=None if struct is None else ctypes.addressof(struct),
        )
        number = ctypes.c_uint64()
        self._call("CounterRegister", ctypes.byref(attributes), ctypes.byref(number))
        return Counter._make(
            _domain=self,
            _counter_id=number.value,
            _schema_id=schema,
            _name=name,
            _dtype=dtype,
            _description=description,
            _semantics=semantics,
            _time_field=time_field,
        )


# The times that an event of each kind has, and whether it has a range id.
_TIMES = {
    EventKind.MARK: ((EntryKind.MARK,), False),
    EventKind.RANGE_PUSHPOP: ((EntryKind.RANGE_BEGIN, EntryKind.RANGE_END), False),
    EventKind.RANGE_STARTEND: ((EntryKind.RANGE_BEGIN, EntryKind.RANGE_END), False),
    EventKind.RANGE_PUSH: ((EntryKind.RANGE_BEGIN,), False),
    EventKind.RANGE_POP: ((EntryKind.RANGE_END,), False),
    EventKind.RANGE_START: ((EntryKind.RANGE_BEGIN,), True),
    EventKind.RANGE_END: ((EntryKind.RANGE_END,), True),
}


def _check_event(kind, dtype):
    """Raises unless the dtype's fields are what an event of the kind needs."""
    if dtype.names is None:
        raise TypeError(f"an event's dtype must be structured, not {dtype}")
    if not dtype.isnative or dtype.hasobject:
        raise TypeError(
            f"an event's dtype must be of native, fixed-size fields, not {dtype}"
        )
    times, has_id = _TIMES[kind]
    found = [metadata_of(dtype.fields[name][0]) for name in dtype.names]
    required = {part: int(part in times) for part in EntryKind}
    del required[EntryKind.MESSAGE]
    required[PayloadEntryType.RANGE_ID] = int(has_id)
    for part, count in required.items():
        given = sum(part in (field.entry_kind, field.entry_type) for field in found)
        if given != count:
            raise ValueError(
                f"a dtype for {kind} must have {count or 'no'} field of {part}, "
                f"not {given}"
            )
    for field in found:
        if field.entry_kind in times and field.entry_type is not None:
            raise ValueError(
                f"a field cannot be {field.entry_kind} and {field.entry_type}"
            )


def _time_field(dtype):
    """The name of the field that is a sample's time, or None."""
    found = []
    for name in getattr(dtype, "names", None) or ():
        part = metadata_of(dtype.fields[name][0]).entry_kind
        if part is EntryKind.COUNTER_TIMESTAMP:
            found.append(name)
        elif part is not None:
            raise ValueError(f"the field {name!r} of a counter cannot be {part}")
    if len(found) > 1:
        raise ValueError("a counter can have one field of EntryKind.COUNTER_TIMESTAMP")
    return found[0] if found else None
