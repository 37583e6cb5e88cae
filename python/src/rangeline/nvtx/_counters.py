# SPDX-License-Identifier: Apache-2.0
"""Checks the arguments that define a counter; CounterSemantics is one of them."""

from __future__ import annotations

from rangeline.nvtx import _schema
from rangeline.nvtx._checks import c_text, check_type, plain, shown, text_key
from rangeline.nvtx._enums import (
    CounterInterpolation,
    CounterValueType,
    PredefinedScope,
    TimestampType,
)
from rangeline.nvtx._frozen import Frozen
from rangeline.nvtx._metadata import PayloadSchemaKey

__all__ = ["CounterSemantics"]

# nvtxSemanticsCounter_t.limitType: the type of `min` and `max`.
_LIMIT_UNDEFINED, _LIMIT_I64, _LIMIT_U64, _LIMIT_F64 = range(4)


class CounterSemantics(Frozen):
    """What the values of a counter, or of a field of a group, mean.

    `unit` is text such as "bytes" or "%", kept as UTF-8. `value_type` says what a value
    counts from, `interpolation` what the value is between two samples. `min` and `max`
    are bounds for a graph's axis, both int or both float; values beyond them are still
    recorded. A value times `unit_scale_numerator / unit_scale_denominator` is in units.

    Raises TypeError for a wrong type, and ValueError for bounds that do not go together
    or that 64 bits cannot hold.

    >>> from rangeline import nvtx
    >>> percent = nvtx.CounterSemantics(unit="%", min=0, max=100)
    >>> load = nvtx.get_domain("host").get_counter("load", int, semantics=percent)
    """

    unit: str | bytes | None = None
    value_type: CounterValueType = CounterValueType.ABSOLUTE
    interpolation: CounterInterpolation = CounterInterpolation.POINT
    min: int | float | None = None
    max: int | float | None = None
    unit_scale_numerator: int = 1
    unit_scale_denominator: int = 1
    _limit_type: int

    _init = __match_args__ = (
        "unit", "value_type", "interpolation", "min", "max", "unit_scale_numerator",
        "unit_scale_denominator",
    )
    _defaults = {
        "unit": unit,
        "value_type": value_type,
        "interpolation": interpolation,
        "min": min,
        "max": max,
        "unit_scale_numerator": unit_scale_numerator,
        "unit_scale_denominator": unit_scale_denominator,
        "_limit_type": 0,
    }

    def __init__(
        self,
        unit: str | bytes | None = None,
        value_type: CounterValueType = CounterValueType.ABSOLUTE,
        interpolation: CounterInterpolation = CounterInterpolation.POINT,
        min: int | float | None = None,
        max: int | float | None = None,
        unit_scale_numerator: int = 1,
        unit_scale_denominator: int = 1,
    ) -> None:
        check_type("unit", unit, (str, bytes, type(None)), "str, bytes or None")
        check_type("value_type", value_type, CounterValueType, "a CounterValueType")
        check_type(
            "interpolation",
            interpolation,
            CounterInterpolation,
            "a CounterInterpolation",
        )
        _check_scale("unit_scale_numerator", unit_scale_numerator)
        _check_scale("unit_scale_denominator", unit_scale_denominator)
        self._assign(
            unit=None if unit is None else c_text("unit", unit),
            value_type=value_type,
            interpolation=interpolation,
            min=min,
            max=max,
            unit_scale_numerator=unit_scale_numerator,
            unit_scale_denominator=unit_scale_denominator,
            _limit_type=_limit_type(min, max),
        )


def _check_scale(name, value):
    check_type(name, value, int, "an int")
    if not 1 <= value < 1 << 64:
        raise ValueError(f"{name} must be from 1 to 2**64 - 1, not {shown(value)}")


def _limit_type(lowest, highest):
    """The type that holds both bounds."""
    limits = [limit for limit in (lowest, highest) if limit is not None]
    for name, limit in (("min", lowest), ("max", highest)):
        check_type(name, limit, (int, float, type(None)), "int, float or None")
    if len({isinstance(limit, float) for limit in limits}) > 1:
        raise ValueError(
            f"min and max must be of one type, not {type(lowest).__name__} and "
            f"{type(highest).__name__}"
        )
    if len(limits) == 2 and lowest > highest:
        raise ValueError(
            f"min must not exceed max, but {shown(lowest)} > {shown(highest)}"
        )
    if not limits:
        return _LIMIT_UNDEFINED
    if isinstance(limits[0], float):
        return _LIMIT_F64
    signed = min(limits) < 0
    first, end = (-(1 << 63), 1 << 63) if signed else (0, 1 << 64)
    for limit in limits:
        if not first <= limit < end:
            raise ValueError(
                f"min and max must fit in {'int64' if signed else 'uint64'}, "
                f"but one is {shown(limit)}"
            )
    return _LIMIT_I64 if signed else _LIMIT_U64


def get_counter(
    name,
    dtype,
    *,
    description=None,
    scope=None,
    semantics=None,
    time_domain=None,
):
    """Checks the arguments of `Domain.get_counter`; returns (key that identifies the
    counter, *arguments)."""
    texts = (str, bytes)
    dtype, attached = _schema.counter_dtype(dtype)
    check_type("name", name, texts, "str or bytes")
    check_type("description", description, (*texts, type(None)), "str, bytes or None")
    check_type(
        "scope",
        scope,
        (*texts, PredefinedScope, type(None)),
        "str, bytes, a PredefinedScope or None",
    )
    check_type(
        "semantics",
        semantics,
        (CounterSemantics, type(None)),
        "a CounterSemantics or None",
    )
    for argument, value in ("name", name), ("description", description), ("scope", scope):
        if isinstance(value, texts):
            c_text(argument, value)
    if time_domain is None:
        time_domain = TimestampType.TOOL_PROVIDED
    check_type("time_domain", time_domain, TimestampType, "a TimestampType")
    semantics = attached if semantics is None else semantics
    name, description, scope = plain(name), plain(description), plain(scope)
    row = name, dtype, description, scope, semantics, time_domain.value
    kind = dtype
    if dtype is not int and dtype is not float:
        kind = PayloadSchemaKey(dtype)
    key = text_key(name), kind, text_key(description), text_key(scope), *row[4:]
    return (key, *row)
