# SPDX-License-Identifier: Apache-2.0
"""Backends of the writer, and sessions, which usually write one file each."""

import ctypes
import os
import threading
from pathlib import Path

from rangeline.nvtx import _nvtxw
from rangeline.nvtx._checks import check_type, text_of
from rangeline.nvtx._enums import TimestampType
from rangeline.nvtx._writer_domain import Domain
from rangeline.nvtx._writer_stream import (
    Stream,
    StreamInterleaving,
    StreamOrdering,
    StreamSkid,
)

_libraries = {}  # path -> _nvtxw.Library; a library is never unloaded
_libraries_lock = threading.RLock()


class Backend:
    """A library that sessions write to, made by `load_backend`.

    >>> backend = writer.load_backend("/path/to/libbackend.so")
    >>> backend.close()
    """

    def __init__(self, library):
        check_type("library", library, _nvtxw.Library, "what load_backend() has loaded")
        self._library = library
        self._lock = threading.RLock()
        self._sessions = set()

    def _call(self, name, *arguments):
        if self._library is None:
            raise RuntimeError("backend is closed")
        self._library.call(name, *arguments)

    def close(self):
        """Ends the active sessions and releases the library.

        Calling it is optional: backends stay until the process ends. If a session
        cannot be ended, its exception is raised after the others have ended, and the
        backend stays open.

        >>> backend.close()
        """
        with self._lock:
            if self._library is None:
                return
            _each(session.end for session in list(self._sessions))
            library, self._library = self._library, None
        with _libraries_lock:
            library.n_users -= 1
            if library.n_users == 0:
                library.finalize()


def load_backend(path) -> Backend:
    """Loads a backend: a shared library with the interface of NVTXW, version 2.

    OSError if it cannot be loaded, WriterError if it is no such library.

    >>> backend = writer.load_backend("/path/to/libbackend.so")
    """
    path = os.fspath(Path(os.fsdecode(path)).expanduser().resolve())
    with _libraries_lock:
        library = _libraries.get(path)
        if library is None:
            library = _nvtxw.Library(path)
        if library.n_users == 0:
            library.begin()
        _libraries[path] = library
        library.n_users += 1
        return Backend(library)


def _each(calls):
    """Makes all calls, then raises the first exception, if any."""
    error = None
    for call in calls:
        try:
            call()
        except Exception as raised:  # pylint: disable=broad-except # it is raised below
            error = error or raised
    if error is not None:
        raise error


class Session:
    """A backend's unit of output, usually a file. `with` begins and ends it.

    `name` may name the file; `config` has lines `key=value` for the backend, which
    ignores keys that it does not know.

    >>> with writer.Session("import", backend=backend) as session:
    ...     domain = session.get_domain("db")
    """

    def __init__(self, name, *, backend, config=None):
        check_type("backend", backend, Backend, "a Backend")
        self._name = None if name is None else text_of("name", name).encode()
        self._config = None if config is None else text_of("config", config).encode()
        self._backend = backend
        self._lock = threading.RLock()
        self._handle = None
        self._streams = set()
        self._domains = {}

    def _call(self, name, *arguments):
        self._backend._call(name, *arguments)

    def _check_active(self):
        if self._handle is None:
            raise RuntimeError("session is not active")

    def begin(self):
        """Begins the session; RuntimeError if it is active.

        >>> session.begin()
        """
        # Here and in end(), take the backend's lock first, as close() does: the other
        # order would deadlock with it.
        with self._backend._lock, self._lock:
            if self._handle is not None:
                raise RuntimeError("session is already active")
            attributes = _nvtxw.SessionAttributes(
                struct_size=ctypes.sizeof(_nvtxw.SessionAttributes),
                name=self._name,
                config=self._config,
            )
            handle = ctypes.c_void_p()
            self._call("SessionBegin", ctypes.byref(attributes), ctypes.byref(handle))
            self._handle = handle
            self._backend._sessions.add(self)

    def end(self):
        """Closes the open streams and ends the session, its domains and their objects;
        RuntimeError if it is not active.

        >>> session.end()
        """
        with self._backend._lock, self._lock:
            self._check_active()
            handle = self._handle

            def forget():
                self._handle = None
                self._streams.clear()
                for domain in self._domains.values():
                    domain._is_valid = False
                self._domains.clear()
                self._backend._sessions.discard(self)
                self._call("SessionEnd", handle)

            _each([*(stream.close for stream in list(self._streams)), forget])

    def get_domain(self, name=None) -> Domain:
        """Returns a domain of the session, the same object for equal names. None and ""
        are the default domain.

        >>> session.get_domain("db") is session.get_domain("db")
        True
        """
        text = None if name is None else text_of("name", name) or None
        with self._lock:
            self._check_active()
            if text not in self._domains:
                self._domains[text] = Domain._register(self, text)
            return self._domains[text]

    def create_stream(
        self,
        name,
        *,
        domain=None,
        scope=None,
        time_domain_id=TimestampType.NONE.value,
        interleaving=StreamInterleaving.NONE,
        ordering=StreamOrdering.UNKNOWN,
        skid=StreamSkid.NONE,
        skid_amount=0,
    ) -> Stream:
        """Returns a stream, to be opened by `with` or `Stream.open`.

        Its events belong to `domain` (a Domain or its name) and `scope`;
        `time_domain_id`, a TimestampType or a number, is the clock of their times. The
        other arguments say how far the events are sorted by time.

        >>> clock = nvtx.TimestampType.CPU_CLOCK_GETTIME_REALTIME
        >>> stream = session.create_stream("log", domain="db", time_domain_id=clock)
        """
        check_type(
            "interleaving", interleaving, StreamInterleaving, "a StreamInterleaving"
        )
        check_type("ordering", ordering, StreamOrdering, "a StreamOrdering")
        check_type("skid", skid, StreamSkid, "a StreamSkid")
        check_type(
            "time_domain_id",
            time_domain_id,
            (TimestampType, int),
            "a TimestampType or an int",
        )
        with self._lock:
            self._check_active()
            if not isinstance(domain, Domain):
                domain = self.get_domain(domain)
            elif domain._session is not self:
                raise ValueError("domain is of another session")
            domain._check_valid()
            clock = getattr(time_domain_id, "value", time_domain_id)
            order = interleaving, ordering, skid, skid_amount
            return Stream._make_one(self, name, domain, scope, clock, order)

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, *exception):
        with self._backend._lock, self._lock:
            if self._handle is not None:  # Backend.close() may have ended it
                self.end()
