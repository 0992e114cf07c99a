"""Rounding: significant digits, and decimals with halves away from zero."""

from decimal import ROUND_CEILING, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.values.rounding import significant, to_places


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (0.1 + 0.2, 0.3),
        (2 / 3, 0.666666666667),
        (123456789012.0, 123456789012.0),
        (123456789012.5, 123456789012.0),
        (1234567890123.4, 1234567890120.0),
        (96.8, 96.8),
        (1e-300 / 3, 3.33333333333e-301),
        (7, 7.0),
    ],
)
def test_significant(value, rounded):
    assert significant(value) == rounded


@pytest.mark.parametrize(
    ("value", "places", "rounded"),
    [
        (2.675, 2, "2.68"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (1250, -2, "1300"),
        (-0.001, 2, "0.00"),
        (1e300, 2, "1" + "0" * 300 + ".00"),
        (5e-324, 15, "0.000000000000000"),
        (Decimal("0.125"), 2, "0.13"),
    ],
)
def test_to_places(value, places, rounded):
    assert f"{to_places(value, places):f}" == rounded


def test_to_places_in_another_direction():
    assert to_places(1.01, 1, ROUND_CEILING) == Decimal("1.1")


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-15, 15))
def test_rounding_twice_changes_nothing(value, places):
    once = to_places(value, places)
    assert to_places(once, places) == once
    assert significant(significant(value)) == significant(value)
