# SPDX-License-Identifier: Apache-2.0
"""CounterSemantics keeps valid arguments and refuses others."""

import copy
import dataclasses
import inspect
import pickle

import pytest

from rangeline.nvtx._counters import CounterSemantics
from rangeline.nvtx._enums import CounterInterpolation, CounterValueType


def test_defaults():
    semantics = CounterSemantics()
    assert (semantics.unit, semantics.min, semantics.max) == (None, None, None)
    assert semantics.value_type is CounterValueType.ABSOLUTE
    assert semantics.interpolation is CounterInterpolation.POINT
    assert semantics.unit_scale_numerator == semantics.unit_scale_denominator == 1


def test_a_unit_is_kept_as_bytes():
    assert CounterSemantics(unit="°C").unit == "°C".encode()
    assert CounterSemantics(unit=b"\xff").unit == b"\xff"


def test_equal_arguments_make_equal_and_equally_hashed_semantics():
    one, other = CounterSemantics("%", min=0, max=100), CounterSemantics(b"%", min=0, max=100)
    assert one == other and hash(one) == hash(other)
    assert one != CounterSemantics("%", min=0, max=99)


def test_it_cannot_be_changed_and_can_be_pickled():
    semantics = CounterSemantics("bytes", min=-1)
    with pytest.raises(AttributeError):
        semantics.unit = "bits"
    assert pickle.loads(pickle.dumps(semantics)) == semantics
    assert copy.deepcopy(semantics) == semantics
    with pytest.raises(dataclasses.FrozenInstanceError):
        del semantics.unit


def test_it_is_a_dataclass_to_those_who_ask():
    semantics = CounterSemantics("bytes", min=-1)
    assert dataclasses.is_dataclass(semantics)
    names = list(inspect.signature(CounterSemantics).parameters)
    assert [f.name for f in dataclasses.fields(semantics)] == [*names, "_limit_type"]
    assert list(CounterSemantics.__match_args__) == names
    changed = dataclasses.replace(semantics, unit="bits", min=None, max=1.5)
    assert changed == CounterSemantics("bits", max=1.5)
    assert dataclasses.asdict(changed)["unit"] == b"bits"
    if hasattr(copy, "replace"):
        assert copy.replace(semantics, unit="bits") == CounterSemantics("bits", min=-1)
    assert repr(CounterSemantics()).startswith("CounterSemantics(unit=None, value_type=")


@pytest.mark.parametrize("arguments", [
    dict(min=0, max=2**64 - 1),
    dict(min=-2**63, max=2**63 - 1),
    dict(min=-1),
    dict(max=2**64 - 1),
    dict(min=1.5, max=1.5),
    dict(min=float("-inf"), max=float("inf")),
    dict(unit_scale_numerator=2**64 - 1, unit_scale_denominator=1),
])
def test_bounds_that_64_bits_hold_are_accepted(arguments):
    semantics = CounterSemantics(**arguments)
    assert {name: getattr(semantics, name) for name in arguments} == arguments


@pytest.mark.parametrize("arguments, error, message", [
    (dict(unit=1), TypeError, "unit must be str, bytes or None, not int"),
    (dict(value_type=16), TypeError, "value_type must be a CounterValueType, not int"),
    (dict(value_type=CounterInterpolation.POINT), TypeError,
     "value_type must be a CounterValueType, not CounterInterpolation"),
    (dict(interpolation=None), TypeError,
     "interpolation must be a CounterInterpolation, not NoneType"),
    (dict(min="0"), TypeError, "min must be int, float or None, not str"),
    (dict(max=[1]), TypeError, "max must be int, float or None, not list"),
    (dict(unit_scale_numerator=1.0), TypeError,
     "unit_scale_numerator must be an int, not float"),
    (dict(unit_scale_numerator=0), ValueError,
     "unit_scale_numerator must be from 1 to 2**64 - 1, not 0"),
    (dict(unit_scale_denominator=2**64), ValueError,
     "unit_scale_denominator must be from 1 to 2**64 - 1, not 18446744073709551616"),
    (dict(min=0, max=1.0), ValueError,
     "min and max must be of one type, not int and float"),
    (dict(min=2, max=1), ValueError, "min must not exceed max, but 2 > 1"),
    (dict(min=2.5, max=1.5), ValueError, "min must not exceed max, but 2.5 > 1.5"),
    (dict(min=-1, max=2**63), ValueError,
     "min and max must fit in int64, but one is 9223372036854775808"),
    (dict(max=2**64), ValueError,
     "min and max must fit in uint64, but one is 18446744073709551616"),
    (dict(min=-2**63 - 1), ValueError,
     "min and max must fit in int64, but one is -9223372036854775809"),
    (dict(max=10**5000), ValueError,
     "min and max must fit in uint64, but one is an int of that size"),
])
def test_what_does_not_fit_is_refused_by_name(arguments, error, message):
    with pytest.raises(error) as caught:
        CounterSemantics(**arguments)
    assert str(caught.value) == message
