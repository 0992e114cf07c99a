"""The fitted curve on agents whose horizon is known."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.horizon.curve import exponent, length
from evaluator.horizon.horizon import horizon
from evaluator.horizon.rungs import Rung
from evaluator.intervals import wilson
from tests.horizon.coverage import (
    LADDER,
    PER_RUNG,
    covered,
    curve,
    curve_length,
    doubling,
    holds,
    horizons,
    independent_errors,
    outcomes,
)

SEEDS = range(100)
LEAST = 93


def ladder(*solved: int, tasks: int = PER_RUNG) -> list[Rung]:
    """Rungs from 4 on, of which so many tasks each were solved."""
    rungs = []
    for calls, number in zip(LADDER, solved, strict=False):
        _, low, high = wilson(number, tasks)
        rungs.append(Rung(calls, tasks, number, low, high, None, 0))
    return rungs


@pytest.mark.parametrize("p", [0.9, 0.97, 0.99, 0.999])
def test_intervals_hold_the_truth_of_independent_errors(p: float) -> None:
    tau = -1 / log(p)
    found = horizons(independent_errors(p), SEEDS)
    h50, h80 = curve_length(tau, 1, 0.5), curve_length(tau, 1, 0.8)
    assert min(covered(found, h50, h80, 1)) >= LEAST


@pytest.mark.parametrize(("tau", "k"), [(100, 0.5), (60, 1.5), (100, 2.0), (40, 4.0)])
def test_intervals_hold_the_truth_of_other_exponents(tau: float, k: float) -> None:
    found = horizons(curve(tau, k), SEEDS)
    h50, h80 = curve_length(tau, k, 0.5), curve_length(tau, k, 0.8)
    assert min(covered(found, h50, h80, k)) >= LEAST


def test_beyond_the_ladder_nothing_is_precise() -> None:
    for found in horizons(independent_errors(0.999), SEEDS):
        assert found.h50.above or found.h50.high is None
        assert found.h50.above is (found.h50.value is None)
        assert found.h50.low is not None
        assert found.h50.low <= 256


def test_an_error_rate_that_doubles_shows_in_the_exponent() -> None:
    found = horizons(doubling(0.001), SEEDS)
    assert sum((each.exponent.value or 0) > 1 for each in found) >= 98
    assert sum((each.exponent.low or 0) > 1 for each in found) >= 75
    longer = horizons(doubling(0.001), SEEDS, per_rung=48)
    assert sum((each.exponent.low or 0) > 1 for each in longer) >= 98
    # Against independent errors, where as many claims of it are false as the interval allows.
    equal = horizons(independent_errors(0.99), SEEDS)
    assert sum((each.exponent.low or 0) > 1 for each in equal) <= 5


def test_all_solved_is_above_and_nothing_solved_below() -> None:
    oracle, silence = horizon(outcomes(independent_errors(1), 1)), ladder(0)
    for found in (oracle.h50, oracle.h80):
        assert found == (None, 256, None, True, False)
    for level in (0.5, 0.8):
        assert length(silence, level) == (None, None, 4, False, True)
    assert oracle.exponent == exponent(silence) == (None, None, None)


def test_separated_outcomes_stay_finite() -> None:
    rungs = ladder(12, 12, 12, 0)
    found = length(rungs, 0.5)
    assert found.value is not None
    assert 16 < found.value < 32
    assert holds(found.low, found.high, found.value)
    k = exponent(rungs)
    assert k.low is not None
    assert k.high is not None
    assert 1 < k.low < k.high < 16


def test_without_an_answer_nothing_is_known() -> None:
    nothing = [Rung(4, 0, 0, None, None, None, 12)]
    assert length(nothing, 0.5) == length([], 0.5) == (None, None, None, False, False)
    assert exponent([]) == exponent(nothing) == (None, None, None)


def test_a_rung_that_was_limited_counts_for_nothing() -> None:
    rungs = ladder(12, 12, 9, 5)
    limited = [*rungs, Rung(64, 0, 0, None, None, None, 12)]
    one, other = length(rungs, 0.5), length(limited, 0.5)
    assert one.above is other.above is False
    # The grid reaches further where there are more rungs, so its points differ by half a step.
    assert one.value == pytest.approx(other.value, rel=0.02)
    assert exponent(limited) == exponent(rungs)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=7))
def test_what_is_said_is_consistent(solved: list[int]) -> None:
    rungs = ladder(*solved)
    longest = rungs[-1].calls
    for level in (0.5, 0.8):
        value, low, high, above, below = length(rungs, level)
        assert (value is None) is (above or below)
        assert not (above and below)
        assert all(end is None or 4 <= end <= longest for end in (value, low, high))
        assert value is None or holds(low, high, value)
    k = exponent(rungs)
    assert (k.value is None) is (sum(solved) in (0, 12 * len(solved)))
    if k.value is not None:
        assert holds(k.low, k.high, k.value)
