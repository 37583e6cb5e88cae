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

_INTS = {int}


def _sizes(value):
    """The sizes of a tensor that is no scalar; None for everything else."""
    try:
        if not isinstance(value, torch.Tensor):
            return None
        sizes = tuple(value.shape)
    except Exception:  # of any class: it must not reach the program
        return None
    return sizes if set(map(type, sizes)) == _INTS else None


def _tensors(named):
    """(name, sizes) of the tensors that have any. Those of a list are numbered:
    `tensors0`, ..."""
    for name, value in named:
        if issubclass(type(value), (list, tuple)):  # isinstance() may call its code
            for i, item in enumerate(value[:_MAX_TENSORS]):
                sizes = _sizes(item)
                if sizes:
                    yield f"{name}{i}", sizes
        else:
            sizes = _sizes(value)
            if sizes:
                yield name, sizes


@functools.lru_cache(maxsize=1024)
def _record(fields):
    """The dtype of a record of (name, number of sizes) pairs."""
    return numpy.dtype([(name, numpy.int64, (rank,)) for name, rank in fields])


@functools.lru_cache(maxsize=1024)  # most calls have the sizes of an earlier one
def _array(tensors):
    # A dict: an item of `input1` and a later argument may both be called `input10`.
    tensors = dict(tensors)
    record = _record(tuple((name, len(sizes)) for name, sizes in tensors.items()))
    return numpy.array(tuple(tensors.values()), record)


def payload_of(named):
    """The payload of (name, value) pairs, without those that have no sizes. None if
    none is left."""
    if torch.jit.is_tracing():
        return None
    tensors = tuple(itertools.islice(_tensors(named), _MAX_TENSORS))
    return _array(tensors) if tensors else None
