# SPDX-License-Identifier: Apache-2.0
"""What `rangeline profile --pytorch` adds to libraries for PyTorch, when they are imported.

* DeepSpeed's accelerator for CPUs has functions for ranges that do nothing. They become
  like those for CUDA, with the domain DeepSpeed.
* PyTorch Lightning calls methods of a module, such as training_step(), which no hook of
  torch sees. With `modules`, they are ranges like calls of modules.
* The threads of torch's data loaders have names, those of workers with their numbers.
"""

import functools
import importlib.machinery
import inspect
import sys

from rangeline import _native
from rangeline.nvtx import get_domain

_STEPS = "training_step", "validation_step", "test_step", "predict_step"


def _add_to_deepspeed(module):
    def range_push(self, msg, domain=None, category=None):
        return _native.torch_range_push(msg, domain=domain, category=category)

    def range_pop(self, domain=None):
        return _native.torch_range_pop(domain=domain)

    accelerator = module.CPU_Accelerator
    accelerator.range_push, accelerator.range_pop = range_push, range_pop
    accelerator.supports_nvtx_domain = True


def _in_range(method, name):
    @functools.wraps(method)
    def step(self, *args, **kwargs):
        domain = get_domain(None)
        domain.push_range(message=f"{type(self.lightning_module).__name__}.{name}")
        try:
            return method(self, *args, **kwargs)
        finally:
            domain.pop_range()

    return step


def _add_to_lightning(module):
    for name in _STEPS:
        setattr(module.Strategy, name, _in_range(getattr(module.Strategy, name), name))


def _name_threads(module, function, name):
    """Names each thread that runs `function`: `name`, with its arguments filled in."""
    run = getattr(module, function)
    signature = inspect.signature(run)
    name.format_map(signature.parameters)  # KeyError if it has no such argument

    @functools.wraps(run)
    def named(*args, **kwargs):
        arguments = signature.bind(*args, **kwargs).arguments
        _native.torch_name_thread(name.format_map(arguments))
        return run(*args, **kwargs)

    setattr(module, function, named)


def _name_workers(module):
    _name_threads(module, "_worker_loop", "DataLoader worker {worker_id}")


def _name_pinning(module):
    _name_threads(module, "_pin_memory_loop", "DataLoader pin_memory")


def _call(add, module):
    try:
        add(module)
    except (AttributeError, KeyError):
        pass  # a release that has other classes or arguments


class _AtImport:
    """Calls a function with each of these modules, once it has been imported."""

    def __init__(self, calls):
        self.calls = calls

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in self.calls:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            self.surround(spec.loader, self.calls[fullname])
        return spec

    @staticmethod
    def surround(loader, call):
        execute = loader.exec_module

        def exec_module(module):
            execute(module)
            _call(call, module)

        loader.exec_module = exec_module


def watch(with_modules):
    """Waits for the libraries; `with_modules` if calls of modules are recorded."""
    calls = {"deepspeed.accelerator.cpu_accelerator": _add_to_deepspeed,
             "torch.utils.data._utils.pin_memory": _name_pinning,
             "torch.utils.data._utils.worker": _name_workers}
    if with_modules:
        calls["lightning.pytorch.strategies.strategy"] = _add_to_lightning
        calls["pytorch_lightning.strategies.strategy"] = _add_to_lightning
    sys.meta_path.insert(0, _AtImport(calls))
    for name in calls.keys() & sys.modules.keys():
        _call(calls[name], sys.modules[name])
