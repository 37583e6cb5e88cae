# SPDX-License-Identifier: Apache-2.0
"""modules() records one range per call of a module, through torch's global hooks.

A range is named after the module's path from the outermost module called, and its
class: `Net.layers.0 (Linear)`. Each thread keeps a list of open modules, so that a
module's end closes its own range even if torch skipped the end of an inner one.
Modules that are called during a backward pass, as checkpoints call them again, have the
category `recomputed`.
"""

import contextlib
import threading
import weakref

from rangeline.nvtx import DummyDomain, get_domain


class _Names:
    """The names of modules, set at the first call of their outermost module. Keyed by
    identity, because a module may redefine equality."""

    def __init__(self):
        self.of_id = {}  # id: (weak reference, name), as long as the module lives

    def find(self, module):
        reference, name = self.of_id.get(id(module), (None, None))
        return name if reference is not None and reference() is module else None

    def add(self, module, name):
        key = id(module)
        reference = weakref.ref(module, lambda _: self.of_id.pop(key, None))
        self.of_id[key] = reference, name
        return name

    def of(self, module, is_outermost):
        name = self.find(module)
        if name is not None:
            return name
        root = type(module).__name__
        if is_outermost:
            for path, inner in module.named_modules():
                if path and self.find(inner) is None:
                    self.add(inner, f"{root}.{path} ({type(inner).__name__})")
        return self.add(module, root)


class _Hooks:
    """The hooks that torch calls before and after each module."""

    def __init__(self, domain, payload_of):
        import torch

        self.domain, self.payload_of = domain, payload_of
        self.is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", bool)
        # -1 outside backward passes; from torch 2.0 on
        self.backward_pass = getattr(torch._C, "_current_graph_task_id", lambda: -1)
        self.names, self.thread = _Names(), threading.local()

    def open(self):
        """The modules of this thread whose ranges are open, outermost first."""
        if not hasattr(self.thread, "open"):
            self.thread.open = []
        return self.thread.open

    def before(self, module, args):
        if self.is_compiling():
            return
        open_modules = self.open()
        payload = None
        if self.payload_of is not None:
            payload = self.payload_of((f"input{i}", a) for i, a in enumerate(args))
        self.domain.push_range(
            message=self.names.of(module, not open_modules), payload=payload,
            category="recomputed" if self.backward_pass() != -1 else None)
        open_modules.append(module)

    def after(self, module, args, output):
        if self.is_compiling():
            return
        open_modules = self.open()
        if not any(other is module for other in open_modules):
            return  # the call began before the hooks were registered
        while True:
            self.domain.pop_range()
            if open_modules.pop() is module:
                return


def register(domain, payload_of=None):
    """Registers the hooks and returns their handles. `payload_of`: see _shapes.py."""
    import torch.nn.modules.module as torch_modules

    hooks = _Hooks(domain, payload_of)
    before = torch_modules.register_module_forward_pre_hook(hooks.before)
    try:  # always_call covers modules that raise; from torch 2.0 on
        after = torch_modules.register_module_forward_hook(hooks.after, always_call=True)
    except TypeError:
        after = torch_modules.register_module_forward_hook(hooks.after)
    return before, after


@contextlib.contextmanager
def modules(shapes=False, domain=None):
    """Records one range for each call of a torch.nn.Module in the block, in all
    threads. With `shapes`, a range's payload has the sizes of the tensors passed to the
    module; this needs NumPy. If no tool records the domain, no hooks are registered.

    Example:
        >>> with modules():  # doctest: +SKIP
        ...     model(batch)
    """
    domain = get_domain(domain)
    if isinstance(domain, DummyDomain):
        yield
        return
    payload_of = None
    if shapes:
        from rangeline.torch._shapes import payload_of
    handles = register(domain, payload_of)
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
