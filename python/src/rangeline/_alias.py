# SPDX-License-Identifier: Apache-2.0
"""Gives a package of rangeline another import name: `nvtx` for `rangeline.nvtx`.

A submodule is the same module under both names; whichever name comes first loads it.
"""

import importlib
import sys


class _Submodules:
    """Finds and loads ALIAS.x as TARGET.x."""

    def __init__(self, alias, target):
        self.prefix, self.target = f"{alias}.", f"{target}."

    def find_spec(self, fullname, path=None, target=None):
        # `python -m ALIAS` needs __main__ as a separate module, so it is not aliased.
        if not fullname.startswith(self.prefix) or fullname.endswith(".__main__"):
            return None
        import importlib.util  # not needed by `import nvtx` alone

        real = self.target + fullname[len(self.prefix):]
        if importlib.util.find_spec(real) is None:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def create_module(self, spec):
        module = importlib.import_module(self.target + spec.name[len(self.prefix):])
        spec.loader_state = module.__spec__  # which the import system is about to replace
        return module

    def exec_module(self, module):
        module.__spec__ = module.__spec__.loader_state


def lend(alias, target):
    """Makes `import ALIAS`, submodules included, mean TARGET; returns TARGET.

    Call it from the module named ALIAS while that is being imported.

    >>> lend("nvtx", "rangeline.nvtx")  # doctest: +SKIP
    """
    module = importlib.import_module(target)
    sys.meta_path.insert(0, _Submodules(alias, target))
    sys.modules[alias] = module
    return module
