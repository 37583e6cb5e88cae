# SPDX-License-Identifier: Apache-2.0
"""Makes a payload of the shapes of tensors: one field per tensor, with its sizes.

    push  aten::addmm  {self={[10]}, mat1={[64, 32]}, mat2={[32, 10]}}

While torch traces a program, reading a tensor's sizes would become part of that trace.
So nothing is read while torch.jit traces, and symbolic sizes are omitted. So are tensors
that raise when asked for their sizes, as nested ones do, and subclasses may.
"""

import functools
import itertools

import numpy
import torch

# Per call: some calls have lists of hundreds, and each record type is a schema that the
# tool keeps.
_MAX_TENSORS = 8


def _sizes(value):
    """The sizes of a tensor that is no scalar; None for everything else."""
    try:
        if not isinstance(value, torch.Tensor):
            return None
        sizes = tuple(value.shape)
    except Exception:  # of any class: it must not reach the program
        return None
    return sizes if sizes and all(type(size) is int for size in sizes) else None


def _tensors(named):
    """(name, value) pairs; list items become pairs of their own: `tensors0`, ..."""
    for name, value in named:
        if issubclass(type(value), (list, tuple)):  # isinstance() may call its code
            for i, item in enumerate(value[:_MAX_TENSORS]):
                yield f"{name}{i}", item
        else:
            yield name, value


@functools.lru_cache(maxsize=1024)
def _record(fields):
    """The dtype of a record of (name, number of sizes) pairs."""
    return numpy.dtype([(name, numpy.int64, (rank,)) for name, rank in fields])


def payload_of(named):
    """The payload of (name, value) pairs, without those that have no sizes. None if
    none is left."""
    if torch.jit.is_tracing():
        return None
    # A dict: an item of `input1` and a later argument may both be called `input10`.
    found = {name: sizes for name, value in _tensors(named) if (sizes := _sizes(value))}
    if not found:
        return None
    found = dict(itertools.islice(found.items(), _MAX_TENSORS))
    fields = tuple((name, len(sizes)) for name, sizes in found.items())
    return numpy.array(tuple(found.values()), _record(fields))
