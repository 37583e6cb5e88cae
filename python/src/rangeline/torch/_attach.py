# SPDX-License-Identifier: Apache-2.0
"""Adds the hooks of `rangeline profile --pytorch=MODE` to torch, until the program ends."""

import warnings

from rangeline.nvtx import DummyDomain, get_domain
from rangeline.torch._install import install

_NAMES_OF_NSYS = {"autograd-nvtx": "ops", "autograd-shapes-nvtx": "ops-shapes"}

_kept = []  # the mode, or the hooks' handles


def before_import(mode):
    """Makes torch.cuda.nvtx record on builds of torch that cannot."""
    install()


def after_import(mode):
    """Adds the hooks of the mode, if any, to the torch that has just been imported."""
    what, _, shapes = _NAMES_OF_NSYS.get(mode, mode).partition("-")
    domain = get_domain(None)
    if isinstance(domain, DummyDomain):
        return
    payload_of = _payload_of(mode) if shapes else None
    if what == "ops":
        from rangeline.torch._ops import make_mode

        _kept.append(make_mode(domain, payload_of))
        _kept[-1].__enter__()
    elif what == "modules":
        from rangeline.torch._modules import register

        _kept.extend(register(domain, payload_of))


def _payload_of(mode):
    try:
        from rangeline.torch._shapes import payload_of
    except ImportError as error:
        warnings.warn(f"profile --pytorch={mode}: without shapes: {error}",
                      RuntimeWarning, stacklevel=2)
        return None
    return payload_of
