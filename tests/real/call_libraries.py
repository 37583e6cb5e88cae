#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""call_libraries.py FOLDER - calls one function of each of NVIDIA's libraries there.

Without a GPU each call fails, but still annotates itself. Prints the names of the
functions called; run.sh sets the libraries' *_NVTX_LEVEL variables.
"""

import ctypes
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])


def load(name):
    """The library, or None. It stays loaded, because later ones need it."""
    for path in sorted(FOLDER.rglob(name)):
        try:
            return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            print(f"{name}: {error}", file=sys.stderr)
    return None


def create(library, function):
    """Calls a function that creates a handle."""
    found = load(library)
    if found is not None:
        getattr(found, function)(ctypes.byref(ctypes.c_void_p()))
        print(function)


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_char * 128)]


def create_communicator():
    nccl = load("libnccl.so.2")
    if nccl is None:
        return
    unique = UniqueId()
    nccl.ncclGetUniqueId(ctypes.byref(unique))
    nccl.ncclCommInitRank.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int]
    nccl.ncclCommInitRank(ctypes.byref(ctypes.c_void_p()), 1, unique, 0)
    print("ncclCommInitRank")
    # Without a communicator it fails, too, but records its arguments first.
    nccl.ncclAllReduce.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_size_t] + [
        ctypes.c_int] * 2 + [ctypes.c_void_p] * 2
    nccl.ncclAllReduce(None, None, 1000, 7, 2, None, None)  # 1000 floats, the maximum
    print("ncclAllReduce")


for needed in ("libcudart.so.12", "libnvJitLink.so.12"):
    load(needed)
create("libcublasLt.so.12", "cublasLtCreate")
create("libcublas.so.12", "cublasCreate_v2")
create("libcusparse.so.12", "cusparseCreate")
create("libcusolver.so.11", "cusolverDnCreate")
create("libcudnn.so.9", "cudnnCreate")
create_communicator()
