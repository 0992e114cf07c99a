"""Ranks of many runs against every pair being counted in full, and resamples in parts against all at once."""

import numpy as np
import pytest

from evaluator.comparing.ranking import rank_ranges
from evaluator.comparing.score_array import Floats, ScoreArray
from evaluator.comparing.significance_tests import difference_rows, sign_tests
from evaluator.comparing.statistics import (
    bounds,
    contrasts,
    interval_ends,
    left_out,
    replicates,
)
from evaluator.intervals import CONFIDENCE
from evaluator.scoring.metrics import METRICS
from tests.comparing.score_arrays import LEVELS, array_of


def of_runs(number: int, spread: float) -> ScoreArray:
    """So many runs whose skills lie from one half to ``spread`` above, their scores in quarters."""
    generator = np.random.default_rng(number)
    skills = 0.5 + spread * generator.random(number)
    shares = generator.binomial(4, skills, (len(LEVELS), number)) / 4
    values = {"strict": np.floor(shares), "step": shares, "weighted": shares**2}
    return array_of(np.stack([values[metric] for metric in METRICS], axis=2))


def ahead(scores: ScoreArray, metric: str) -> Floats:
    """Runs × runs: whether the first is ahead in the difference of the two as pairs are compared."""
    runs = scores.values.shape[1]
    rows = difference_rows([str(run) for run in range(runs)], scores, ["overall"])
    better = np.zeros((runs, runs))
    for row in rows:
        if row["metric"] == metric and row["significant"]:
            a, b = row["a"], row["b"]
            first, second = (a, b) if row["difference"] > 0 else (b, a)
            better[int(first), int(second)] = 1
    return better


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("spread", [0.02, 0.15, 0.45])
def test_ranks_are_those_of_the_pairs(metric: str, spread: float) -> None:
    scores = of_runs(30, spread)
    better = ahead(scores, metric)
    ranks = rank_ranges(scores, metric)
    assert ranks.first.tolist() == (1 + better.sum(axis=0)).tolist()
    assert ranks.last.tolist() == (30 - better.sum(axis=1)).tolist()
    # Some pairs are told apart and others are not, but for runs that are nearly alike.
    assert 0 < better.sum() < 30 * 29 / 2 or spread < 0.1


@pytest.mark.parametrize("columns", [1, 23, 24, 25, 48, 49, 70])
def test_parts_make_up_the_whole(columns: int) -> None:
    scores = of_runs(70, 0.4).of("step")
    scores = scores.with_values(scores.values[:, :columns])
    coefficients = contrasts(scores.levels)
    resampled = replicates(scores, coefficients)
    assert resampled.shape == (len(coefficients), columns, 10_000)
    for found, whole in zip(interval_ends(scores, coefficients), bounds(resampled), strict=True):
        assert np.array_equal(found, whole)
    # Each column is drawn as it would be by itself.
    last = scores.with_values(scores.values[:, -1:])
    assert np.allclose(resampled[:, -1:], replicates(last, coefficients), rtol=0, atol=1e-12)


@pytest.mark.parametrize("resamples", [99, 1_000, 9_999, 10_000])
def test_two_half_ends_leave_out_no_more_than_one_end(resamples: int) -> None:
    """What lets a pair go uncounted whose ends do not meet."""
    assert 2 * left_out(resamples, (1 + CONFIDENCE) / 2) <= left_out(resamples)


@pytest.mark.parametrize("resamples", [1, 20, 39, 40, 999, 10_000])
def test_the_ends_of_an_interval_are_those_of_sorted_resamples(resamples: int) -> None:
    values = np.random.default_rng(resamples).integers(-30, 30, (3, 4, resamples)) / 7
    values[2, 3] = np.nan
    before = values.copy()
    low, high = bounds(values)
    ordered, out = np.sort(values, axis=-1), left_out(resamples)
    assert np.array_equal(low, ordered[..., out], equal_nan=True)
    assert np.array_equal(high, ordered[..., resamples - 1 - out], equal_nan=True)
    assert np.array_equal(values, before, equal_nan=True)
    # They do not keep all resamples in memory.
    assert low.base is None
    assert high.base is None


def test_signs_of_several_pairs_are_tested_as_those_of_each() -> None:
    sums = np.random.default_rng(3).integers(-3, 4, (9, 40)) / 3
    alone = [sign_tests(sums[:, [pair]])[0] for pair in range(40)]
    assert sign_tests(sums).tolist() == alone
    assert sign_tests(sums[:, :0]).tolist() == []
    assert sign_tests(np.zeros((9, 2))).tolist() == [1.0, 1.0]
