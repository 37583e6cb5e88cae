# SPDX-License-Identifier: Apache-2.0
"""Adds the hooks of `rangeline profile --pytorch=MODE[,MODE]` to torch, until the program
ends."""

import warnings

from rangeline.nvtx import DummyDomain, get_domain
from rangeline.torch import _libraries
from rangeline.torch._install import install

_NAMES_OF_NSYS = {"autograd-nvtx": "ops", "autograd-shapes-nvtx": "ops-shapes",
                  "functions-trace": "modules", "functions-trace-shapes": "modules-shapes"}

_kept = []  # the mode of torch, and the hooks' handles


def before_import(mode):
    """Makes torch.cuda.nvtx record on builds of torch that cannot."""
    install()


def after_import(mode):
    """Adds the hooks of the modes, if any, to the torch that has just been imported."""
    domain = get_domain(None)
    if isinstance(domain, DummyDomain):
        return
    modes = [_NAMES_OF_NSYS.get(one, one) for one in mode.split(",")]
    _libraries.watch(bool({"modules", "modules-shapes"} & set(modes)))
    for what, add in ("modules", _add_modules), ("ops", _add_ops):
        if {what, what + "-shapes"} & set(modes):
            add(domain, what + "-shapes" in modes, mode)


def _add_ops(domain, shapes, mode):
    from rangeline.torch import _emit, _ops

    _emit.is_covered = True
    _kept.append(_ops.record_all(domain, _payload_of(mode) if shapes else None))


def _add_modules(domain, shapes, mode):
    from rangeline.torch import _training
    from rangeline.torch._modules import register

    _kept.extend(register(domain, _payload_of(mode) if shapes else None))
    _training.record()


def _payload_of(mode):
    try:
        from rangeline.torch._shapes import payload_of
    except ImportError as error:
        warnings.warn(f"profile --pytorch={mode}: without shapes: {error}",
                      RuntimeWarning, stacklevel=2)
        return None
    return payload_of
