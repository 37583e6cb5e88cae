# SPDX-License-Identifier: Apache-2.0
"""ops() records one range per operator.

Without shapes, C code does so, as an observer of torch (_observe.py). With shapes, or
with a torch whose observers are unknown, a TorchDispatchMode sees each operator below
autograd, including the backward pass. There, the operator's range lies in one named
after the graph node being computed. The node's range covers only this one operator,
because such a mode does not see a node end, and a range left open would cross those
of hooks.

In the mode, torch.profiler.record_function(), with which optimizers and libraries label
their work, arrives as two operators; they become the two ends of a range.
"""

import contextlib
import threading

from rangeline.nvtx import DummyDomain, get_domain
from rangeline.torch import _observe


class _Labels(threading.local):
    """This thread's open record_function() ranges, outermost first, as hashes of their
    handles: torch passes a handle to each operator as a new object."""

    def __init__(self):
        self.open = []

    def enter(self, domain, label, make_handle):
        domain.push_range(message=label)
        try:
            handle = make_handle()
        except BaseException:
            domain.pop_range()
            raise
        self.open.append(hash(handle))
        return handle

    def exit(self, domain, handle):
        """Closes the handle's range and the open ones inside it, whose ends torch has
        skipped, as it does when a future ends them."""
        if hash(handle) not in self.open:
            return  # entered before the block, or already closed
        while True:
            domain.pop_range()
            if self.open.pop() == hash(handle):
                return

    def exit_all(self, domain):
        while self.open:
            domain.pop_range()
            self.open.pop()


def make_mode(domain, payload_of=None):
    """A TorchDispatchMode that pushes and pops. `payload_of`: see _shapes.py."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    node_of_thread = getattr(torch._C, "_current_autograd_node", lambda: None)
    known = {}  # by operator: (message, names of arguments); a few thousand at most
    labels = _Labels()

    def learn(func):
        schema = getattr(func, "_schema", None)
        names = [argument.name for argument in schema.arguments] if schema else []
        message = getattr(schema, "name", None) or str(func)
        return known.setdefault(func, (message, names))

    def run_label(func, message, args, kwargs):
        if message != "profiler::_record_function_exit":
            return labels.enter(domain, str(args[0]), lambda: func(*args, **kwargs))
        labels.exit(domain, args[0])
        return func(*args, **kwargs)

    def named(names, args, kwargs):
        if len(args) > len(names):
            names = [*names, *(f"arg{i}" for i in range(len(names), len(args)))]
        return [*zip(names, args), *kwargs.items()]

    class Operators(TorchDispatchMode):
        @classmethod
        def _should_skip_dynamo(cls):
            """False: in order to skip its compiler, torch would import it first."""
            return False

        def __exit__(self, *exception):
            labels.exit_all(domain)
            return super().__exit__(*exception)

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            message, names = known.get(func) or learn(func)
            if message.startswith("profiler::_record_function"):
                return run_label(func, message, args, kwargs)
            node = node_of_thread()
            payload = payload_of(named(names, args, kwargs)) if payload_of else None
            if node is not None:
                domain.push_range(message=node.name())
            domain.push_range(message=message, payload=payload)
            try:
                return func(*args, **kwargs)
            finally:
                domain.pop_range()
                if node is not None:
                    domain.pop_range()

    return Operators()


def _mode(domain, shapes):
    if not shapes:
        return make_mode(domain)
    from rangeline.torch._shapes import payload_of

    return make_mode(domain, payload_of)


class _Here(threading.local):
    """Domains for which operators of this thread are recorded."""

    def __init__(self):
        self.domains = []


_here = _Here()
_everywhere = []  # domains for which operators of all threads are recorded


def record_all(domain, payload_of=None):
    """Records operators until the program ends: those of all threads, or, if the mode
    does so, those of this one. Returns what the caller keeps."""
    if payload_of is None and _observe.start(domain, is_global=True) is not None:
        _everywhere.append(domain)
        return None
    mode = make_mode(domain, payload_of)
    mode.__enter__()
    _here.domains.append(domain)
    return mode


@contextlib.contextmanager
def ops(shapes=False, domain=None):
    """Records one range for each operator that PyTorch runs for this thread in the
    block, forward and backward, one for each node of the backward pass, and one for each
    label of torch.profiler.record_function(). If no tool records the domain, or the
    thread's operators are recorded in it already, it does nothing.

    With `shapes`, a range's payload has the sizes of the operator's tensors, which needs
    NumPy. Then only operators below autograd are recorded, each in a range of its node,
    and functions compiled by torch.compile() run uncompiled in the block.

    Example:
        >>> with ops(shapes=True):  # doctest: +SKIP
        ...     model(batch).sum().backward()
    """
    domain = get_domain(domain)
    here = _here.domains
    if isinstance(domain, DummyDomain) or domain in _everywhere or domain in here:
        yield
        return
    begun = None if shapes else _observe.start(domain)
    here.append(domain)
    try:
        with _mode(domain, shapes) if begun is None else contextlib.nullcontext():
            yield
    finally:
        if here is _here.domains:  # not on another thread, as if a generator ends there
            here.remove(domain)
            if begun is not None:
                _observe.stop(begun)
