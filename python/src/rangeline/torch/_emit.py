# SPDX-License-Identifier: Apache-2.0
"""torch.autograd.profiler.emit_nvtx for builds of PyTorch that have no CUDA: their own
raises. Operators are recorded as ops() does."""

import contextlib

from rangeline.torch._ops import ops

is_covered = False  # `rangeline profile --pytorch=ops` records all operators already


def make_emit_nvtx(original):
    """The class that takes the place of torch's."""

    class emit_nvtx(original):
        __doc__ = original.__doc__
        _is_rangeline = True

        def __enter__(self):
            if not self.enabled:
                return None
            if self.entered:
                raise RuntimeError("emit_nvtx is entered already: make another one")
            self.entered = True
            self._ops = contextlib.nullcontext() if is_covered else ops(
                shapes=self.record_shapes)
            self._ops.__enter__()
            return self

        def __exit__(self, *exception):
            if self.enabled:
                self._ops.__exit__(*exception)
            return False

    emit_nvtx.__module__ = original.__module__
    emit_nvtx.__qualname__ = original.__qualname__
    return emit_nvtx
