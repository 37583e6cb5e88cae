# SPDX-License-Identifier: Apache-2.0
"""Writes events that were collected elsewhere.

`rangeline.nvtx` records what happens now. This module takes events and counter samples
with their times, from a log or another tool, and writes them to a *backend*: a shared
library with the NVTXW interface. `rangeline_backend()` is the path of ours, which
writes traces for `rangeline stats` and the other commands; other tools have their own.

    Backend --> Session --> Domain: strings, categories, scopes, schemas, counters
                        --> Stream: events and samples of one domain, in one time domain

Different threads may write different streams at the same time.

>>> from rangeline.nvtx import TimestampType, writer
>>> backend = writer.load_backend(writer.rangeline_backend())
>>> with writer.Session("import", backend=backend) as session:
...     clock = TimestampType.CPU_CLOCK_GETTIME_REALTIME
...     with session.create_stream("log", domain="db", time_domain_id=clock) as stream:
...         stream.write_pushpop(1_700_000_000_000, 1_700_000_005_000, message="query")
"""

from rangeline import _library
from rangeline.nvtx._enums import PredefinedScope
from rangeline.nvtx._nvtxw import WriterError
from rangeline.nvtx._writer_domain import (
    Counter,
    Domain,
    RegisteredString,
    Schema,
    Scope,
)
from rangeline.nvtx._writer_session import (
    Backend,
    Session,
    load_backend,
)
from rangeline.nvtx._writer_stream import (
    Stream,
    StreamInterleaving,
    StreamOrdering,
    StreamSkid,
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


def rangeline_backend() -> str:
    """Returns the path of the backend that writes Rangeline's traces.

    It belongs to the command `rangeline` of this package or of PATH; FileNotFoundError
    if there is none. A process writes one trace. Its path is `output` in the `config`
    of the first session, else `RANGELINE_OUTPUT`, else that session's name, in the
    working directory. If a tool records the process, the events go to that tool.

    >>> from rangeline.nvtx import writer
    >>> backend = writer.load_backend(writer.rangeline_backend())
    """
    return _library.find("librangeline-writer.so")
