# SPDX-License-Identifier: Apache-2.0
"""Frozen dataclasses without the module dataclasses, which imports inspect: that takes
longer than the rest of `import rangeline.nvtx`.

Callers of `dataclasses.fields()`, `replace()` or `asdict()` have imported the module
already; a dataclass made on demand then provides the fields.
"""


class _Fields:
    """The `__dataclass_...__` attributes of a Frozen class."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        import dataclasses

        fields = [
            (name, owner.__annotations__[name],
             dataclasses.field(default=default, init=name in owner._init,
                               repr=name in owner._init, compare=name in owner._init))
            for name, default in owner._defaults.items()
        ]
        made = dataclasses.make_dataclass(owner.__name__, fields, frozen=True)
        return getattr(made, self.name)


class Frozen:
    """The base class: `_defaults` has the fields, `_init` names those that the
    constructor takes, and the constructor assigns them with `_assign`."""

    __dataclass_fields__ = _Fields()
    __dataclass_params__ = _Fields()
    _defaults, _init = {}, ()

    def _assign(self, **values):
        self.__dict__.update(values)

    def _values(self):
        return tuple(getattr(self, name) for name in self._init)

    def __repr__(self):
        values = (f"{name}={getattr(self, name)!r}" for name in self._init)
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self):
        return hash(self._values())

    def __setattr__(self, name, value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __replace__(self, **changes):
        import dataclasses

        return dataclasses.replace(self, **changes)
