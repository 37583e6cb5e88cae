# SPDX-License-Identifier: Apache-2.0
"""install() makes torch.cuda.nvtx record on builds of PyTorch that cannot.

torch.cuda.nvtx is a thin layer over the module torch._C._nvtx, which only CUDA builds
have; with others it raises RuntimeError. install() adds that module to torch._C: just
before torch.cuda.nvtx is imported or, if it already is, at once. It also replaces
torch.autograd.profiler.emit_nvtx there (_emit.py), and start() and stop() of
torch.cuda.profiler, which programs call around it: `-c cudaProfilerApi` reacts to them.
"""

import importlib
import importlib.machinery
import sys
import types

from rangeline import _native

_ABSENT = object()


def _make_core():
    """A module with the names and functions of torch._C._nvtx."""
    core = types.ModuleType("torch._C._nvtx", "Ranges and marks, recorded by rangeline.")
    core.rangePushA = _native.torch_range_push
    core.rangePop = _native.torch_range_pop
    core.rangeStartA = _native.torch_range_start
    core.rangeEnd = _native.torch_range_end
    core.markA = _native.torch_mark
    core.deviceRangeStart = _native.torch__device_range_start
    core.deviceRangeEnd = _native.torch__device_range_end
    return core


_core = _make_core()
_undo = []  # the calls that undo install(), newest last


class _AtImport:
    """Adds our module to torch._C when torch.cuda.nvtx is about to be imported, and
    replaces functions of other modules once they have been."""

    def __init__(self, force):
        self.force = force

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "torch.cuda.nvtx" and fullname not in _REPLACE:
            return None
        _place(self.force)
        if fullname == "torch.cuda.nvtx":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                _REPLACE[fullname](module)

            spec.loader.exec_module = exec_module
        return spec


def _set(module, name, value):
    before = getattr(module, name, _ABSENT)
    setattr(module, name, value)
    if before is _ABSENT:
        _undo.append(lambda: delattr(module, name))
    else:
        _undo.append(lambda: setattr(module, name, before))


def _place(force):
    """Puts our module where torch looks for it, unless torch has one."""
    torch_c = sys.modules.get("torch._C")
    if torch_c is None or getattr(torch_c, "_nvtx", _ABSENT) is _core:
        return
    if hasattr(torch_c, "_nvtx") and not force:
        return
    _set(torch_c, "_nvtx", _core)
    before = sys.modules.get("torch._C._nvtx")
    sys.modules["torch._C._nvtx"] = _core  # for `import torch._C._nvtx`
    if before is None:
        _undo.append(lambda: sys.modules.pop("torch._C._nvtx", None))
    else:
        _undo.append(lambda: sys.modules.update({"torch._C._nvtx": before}))
    if "torch.cuda.nvtx" in sys.modules:
        _set(sys.modules["torch.cuda.nvtx"], "_nvtx", _core)


def _has_ours():
    return getattr(sys.modules.get("torch._C"), "_nvtx", _ABSENT) is _core


def _replace_emit_nvtx(profiler):
    if _has_ours() and not hasattr(profiler.emit_nvtx, "_is_rangeline"):
        from rangeline.torch._emit import make_emit_nvtx

        _set(profiler, "emit_nvtx", make_emit_nvtx(profiler.emit_nvtx))


def _replace_profiler(profiler):
    if _has_ours() and profiler.start is not _native.torch_profiler_start:
        _set(profiler, "start", _native.torch_profiler_start)
        _set(profiler, "stop", _native.torch_profiler_stop)


_REPLACE = {"torch.autograd.profiler": _replace_emit_nvtx,
            "torch.cuda.profiler": _replace_profiler}


def install(force=False):
    """Makes torch.cuda.nvtx, torch._C._nvtx, torch.autograd.profiler.emit_nvtx and
    torch.cuda.profiler work on builds of PyTorch without NVTX, whether torch is already
    imported or not. CUDA builds have NVTX and are left alone unless `force`. A second
    call changes nothing.

    Example:
        >>> import rangeline.torch
        >>> rangeline.torch.install()
    """
    if not any(isinstance(finder, _AtImport) for finder in sys.meta_path):
        finder = _AtImport(force)
        sys.meta_path.insert(0, finder)
        _undo.append(lambda: sys.meta_path.remove(finder))
    _place(force)
    for name, replace in _REPLACE.items():
        if name in sys.modules:
            replace(sys.modules[name])


def uninstall():
    """Undoes install().

    Example:
        >>> rangeline.torch.install()
        >>> rangeline.torch.uninstall()
    """
    while _undo:
        _undo.pop()()
    nvtx = sys.modules.get("torch.cuda.nvtx")
    if getattr(nvtx, "_nvtx", None) is _core:  # imported while ours was in place
        importlib.reload(nvtx)
