# SPDX-License-Identifier: Apache-2.0
"""The metadata that numpy_dtype() attaches to a dtype, and a key that compares them.

NumPy ignores metadata when it compares dtypes, but to NVTX a field with another unit is
a different field.
"""

from rangeline.nvtx._frozen import Frozen

# NVIDIA's package uses the same key, and objects with the same attributes, so a dtype
# made by either package works with both.
NVTX_DTYPE_METADATA_KEY_NAME = "nvidia_nvtx_payload_metadata"


class _PayloadMetadata(Frozen):
    """The arguments of numpy_dtype() that describe a field."""

    counter_semantics: "Any | None"
    entry_kind: "Any | None"
    entry_type: "Any | None"

    _defaults = dict.fromkeys(("counter_semantics", "entry_kind", "entry_type"))
    _init = __match_args__ = tuple(_defaults)

    def __init__(self, counter_semantics=None, entry_kind=None, entry_type=None):
        self._assign(counter_semantics=counter_semantics, entry_kind=entry_kind,
                     entry_type=entry_type)


NOTHING = _PayloadMetadata()


def metadata_of(dtype):
    """The metadata of `dtype` itself; never None."""
    return (dtype.metadata or {}).get(NVTX_DTYPE_METADATA_KEY_NAME, NOTHING)


def _metadata_key(dtype):
    """The metadata of `dtype` and of everything in it; None if there is none."""
    inner = ()
    if dtype.subdtype is not None:
        inner = (_metadata_key(dtype.subdtype[0]),)
    elif dtype.names is not None:
        inner = tuple(_metadata_key(dtype.fields[name][0]) for name in dtype.names)
    own = metadata_of(dtype)
    if own is NOTHING and all(key is None for key in inner):
        return None
    return own, inner


class PayloadSchemaKey:
    """The dictionary key of the schema for a dtype, its metadata included."""

    def __init__(self, dtype, counter_group=False, schema_flags=0):
        self.dtype = dtype
        self.metadata_key = _metadata_key(dtype) if hasattr(dtype, "subdtype") else None
        self._key = dtype, counter_group, schema_flags, self.metadata_key

    def __eq__(self, other):
        if type(other) is not PayloadSchemaKey:
            return NotImplemented
        return self._key == other._key

    def __hash__(self):
        return hash(self._key)

    @property
    def metadata(self):
        """The metadata of the dtype itself, or None."""
        return self.metadata_key[0] if self.metadata_key else None
