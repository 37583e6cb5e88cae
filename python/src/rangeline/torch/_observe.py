# SPDX-License-Identifier: Apache-2.0
"""Records operators from C, as torch's own profilers see them.

torch calls observers in C++ (at::RecordFunction). native/profiling/py_torch_abi.h
declares them without torch's headers, so this file first compares it with the header
that every torch has beside its library: every declaration that decides how a processor
passes an argument, and no other member of the class that is passed by value. Where
anything differs, or on another processor than x86-64, ops() uses a TorchDispatchMode
instead (_ops.py).
"""

import contextlib
import functools
import os
import re
import warnings

from rangeline import _native

_RECORDED = "FUNCTION", "BACKWARD_FUNCTION", "USER_SCOPE"

# What makes up at::RecordFunctionCallback, in order. Methods that are called by name do
# not change how it is passed; whatever else it may have does, or might.
_MEMBERS = [
    "public:",
    "using StartCallback = std::unique_ptr<ObserverContext> (*)(const RecordFunction&);",
    "using EndCallback = void (*)(const RecordFunction&, ObserverContext*);",
    "explicit RecordFunctionCallback(StartCallback start, EndCallback end = nullptr) "
    ": start_(start), end_(end) {}",
    "private:",
    "StartCallback start_;",
    "EndCallback end_;",
    "double sampling_prob_ = 1.0;",
    "std::array<bool, static_cast<size_t>(RecordScope::NUM_SCOPES)> scopes_ = {};",
    "bool needs_inputs_ = false;",
    "bool needs_outputs_ = false;",
    "bool needs_ids_ = false;",
]
_METHOD = re.compile(
    r"(RecordFunctionCallback&|bool|double|StartCallback|EndCallback) \w+\([^()]*\)"
    r"( const)? \{\}")
_NAME = "const char* name() const;"
# What is not part of the mangled names of functions: the types of their results.
_FUNCTIONS = [
    "typedef uint64_t CallbackHandle;",
    "TORCH_API CallbackHandle addThreadLocalCallback(RecordFunctionCallback cb);",
    "TORCH_API CallbackHandle addGlobalCallback(RecordFunctionCallback cb);",
    "TORCH_API void removeCallback(CallbackHandle handle);",
]


class _Unknown(Exception):
    """Why the observers of this torch cannot be used."""


def _body(text, head):
    """What stands between the braces after `head`, which occurs once."""
    parts = text.split(head + " {")
    if len(parts) != 2:
        raise _Unknown(f"its header does not declare {head}")
    depth = 1
    for brace in re.finditer(r"[{}]", parts[1]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return parts[1][:brace.start()]
    raise _Unknown(f"its header does not end {head}")


def _declarations(body):
    """The declarations of a class, one by one, with empty braces."""
    while "{" in body:  # the innermost first
        body = re.sub(r"\{[^{}]*\}", "\0", body)
    found = re.findall(r"\s*(?:(?:public|private|protected):|[^;\0]*(?:\0;?|;))", body)
    found.append(body[sum(map(len, found)):])
    return [text.strip().replace("\0", "{}") for text in found if text.strip()]


def _scopes(header):
    """A byte per scope of torch: 1 if it is recorded."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", header, flags=re.DOTALL)
    text = " ".join(text.split()).replace("( ", "(").replace(" )", ")")
    members = [one for one in _declarations(_body(text, "class TORCH_API "
                                                  "RecordFunctionCallback"))
               if not _METHOD.fullmatch(one)]
    if members != _MEMBERS:
        raise _Unknown("its header declares another RecordFunctionCallback")
    if _NAME not in _declarations(_body(text, "struct TORCH_API RecordFunction")):
        raise _Unknown(f"its header does not declare {_NAME}")
    for function in _FUNCTIONS:
        if function not in text:
            raise _Unknown(f"its header does not declare {function}")
    scopes = _body(text, "enum class C10_API_ENUM RecordScope : uint8_t").split(",")
    names = [name.strip() for name in scopes if name.strip()]
    if names[0] != "FUNCTION = 0" or names[-1] != "NUM_SCOPES":
        raise _Unknown("its header declares another RecordScope")
    names[0] = "FUNCTION"
    if not all(map(str.isidentifier, names)) or not set(_RECORDED) <= set(names):
        raise _Unknown("its header declares another RecordScope")
    return bytes(name in _RECORDED for name in names[:-1])


@functools.lru_cache(maxsize=None)
def _find(torch):
    """(path of the library, bytes of scopes), or why it cannot be used, as a str."""
    if not hasattr(_native, "torch_observe"):
        return "this is not x86-64"
    try:
        folder = os.path.dirname(os.path.abspath(torch.__file__))
        with open(os.path.join(folder, "include", "ATen", "record_function.h"),
                  encoding="utf-8") as header:
            scopes = _scopes(header.read())
    except _Unknown as error:
        return str(error)
    except (AttributeError, OSError, TypeError, ValueError):
        return "its header record_function.h cannot be read"
    return os.path.join(folder, "lib", "libtorch_cpu.so"), scopes


_warned = set()


def _warn_once(text):
    if text not in _warned:
        _warned.add(text)
        with contextlib.suppress(RuntimeWarning):  # where warnings are errors
            warnings.warn(text, RuntimeWarning, stacklevel=5)


def start(domain, is_global=False):
    """Records the operators of this thread, and of its backward passes, or those of all
    threads. Returns what stop() takes; None if it cannot be done."""
    import torch

    found = _find(torch)
    begun = found if isinstance(found, str) else _native.torch_observe(
        domain, is_global, *found)
    if not isinstance(begun, str):
        return begun
    _warn_once(
        f"rangeline.torch: PyTorch {getattr(torch, '__version__', '')}: {begun}: ops is "
        "a TorchDispatchMode instead, which records only operators below autograd, costs "
        "several times as much, and runs functions of torch.compile() uncompiled")
    return None


def stop(begun):
    """Ends start(), on the same thread."""
    _native.torch_unobserve(begun)
