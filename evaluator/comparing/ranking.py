"""Between which places runs stand, as significance tells them apart, for a thousand runs in seconds."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.comparing.score_array import Floats, Indices, ScoreArray
from evaluator.comparing.significance_tests import FEWEST_DIFFERING, ROUNDING, beyond_chance
from evaluator.comparing.statistics import (
    QUANTITIES,
    RESAMPLES,
    bounds,
    contrasts,
    estimates,
    interval_ends,
    left_out,
    level_residuals,
    replicate_parts,
)
from evaluator.intervals import CONFIDENCE, small_sample_factor, wilson
from evaluator.scoring.metrics import SOLVED

_CLEAR = sqrt(2 / (1 - CONFIDENCE) - 1)
"""With a mean so many standard deviations from 0, at most 2.5 % of anything lie beyond 0 (Cantelli)."""


def overall_intervals(scores: ScoreArray, metric: str) -> tuple[Floats, Floats]:
    """Low and high of the 95 % interval of each run's score over all tasks.

    Of solved tasks Wilson's, as of any share; of the others the clustered bootstrap's (nan where a
    level has a single template).
    """
    one = scores.of(metric)
    if metric == SOLVED.key:
        n = len(one.tasks)
        ends = np.array([wilson(share * n, n)[1:] for share in one.values[:, :, 0].mean(axis=0)])
        return ends[:, 0], ends[:, 1]
    low, high = (end[0].clip(0, 1) for end in interval_ends(one, _overall(one)))
    return low, high


class RankRange(NamedTuple):
    """The ranks that runs may have: each run's best possible place and its worst."""

    first: Indices
    """1 + the number of runs that are significantly better."""
    last: Indices
    """The number of runs less those that are significantly worse."""


def rank_ranges(scores: ScoreArray, metric: str) -> RankRange:
    """Between which places each run stands among all runs by a metric.

    A run is better where the 95 % interval of the paired difference lies above 0 (`is_significant`)
    and, of solved tasks, the exact test over templates agrees (`sign_tests`).
    """
    one = scores.of(metric)
    better = _better(one, _overall(one))
    if metric == SOLVED.key:
        sums = _template_sums(one)
        for run, claimed in enumerate(better):
            better[run, claimed] = beyond_chance(sums[:, [run]] - sums[:, claimed])
    return RankRange(1 + better.sum(axis=0), len(better) - better.sum(axis=1))


def _overall(scores: ScoreArray) -> Floats:
    """The coefficients of the level means in the score over all tasks: 1 × levels."""
    overall: Floats = contrasts(scores.levels)[[QUANTITIES.index("overall")]]
    return overall


def _template_sums(scores: ScoreArray) -> Floats:
    """Templates × runs: the sums of the tasks' scores."""
    sums = np.zeros((int(scores.clusters.max()) + 1, scores.values.shape[1]))
    np.add.at(sums, scores.clusters, scores.values[:, :, 0])
    return sums


def _better(scores: ScoreArray, coefficients: Floats) -> NDArray[np.bool_]:
    """Runs × runs: whether the first is significantly better than the second.

    Where the difference is large beside the spread of its resamples no distribution can have its
    interval reach 0 (`_CLEAR`); for other pairs the resamples are counted in which the first is not ahead.
    """
    means = estimates(scores, coefficients)[0]
    order = np.argsort(-means, kind="stable")
    lead = means[order, None] - means[order]
    spreads = _pair_spreads(scores, coefficients)[np.ix_(order, order)]
    clear = lead > np.maximum(_CLEAR * spreads, ROUNDING)
    # Without a spread there is nothing to claim.
    doubtful = (lead > ROUNDING) & ~clear & np.isfinite(spreads)
    better = clear | (doubtful & _ahead(_resampled(scores, coefficients), order, doubtful))
    sums = _template_sums(scores)[:, order]
    for run, claimed in enumerate(better):
        differing = (np.abs(sums[:, claimed] - sums[:, [run]]) > ROUNDING).sum(axis=0)
        better[run, claimed] = differing >= FEWEST_DIFFERING
    back = np.argsort(order)
    is_better: NDArray[np.bool_] = better[np.ix_(back, back)]
    return is_better


class _Resampled(NamedTuple):
    """A score of each run on each resample."""

    values: NDArray[np.float32]
    """Runs × resamples."""
    low: NDArray[np.float32]
    """What all resamples of a run but half of those that an interval leaves out reach at least."""
    high: NDArray[np.float32]
    """What as many reach at most."""


def _resampled(scores: ScoreArray, coefficients: Floats) -> _Resampled:
    runs = scores.values.shape[1]
    values = np.empty((runs, RESAMPLES), dtype=np.float32)
    low, high = np.empty(runs, dtype=np.float32), np.empty(runs, dtype=np.float32)
    for part, found in replicate_parts(scores, coefficients):
        values[part] = found[0]
        low[part], high[part] = bounds(found[0], (1 + CONFIDENCE) / 2)
    return _Resampled(values, low, high)


def _ahead(resampled: _Resampled, order: Indices, pairs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Runs × runs in this order, best first: whether the first is ahead in all resamples but a few.

    Only of the pairs asked. Resamples are taken a thousand at a time, which stay in the processor's
    cache for all pairs; a pair that has its answer is not looked at again.
    """
    most = left_out(RESAMPLES)
    rounding = np.float32(ROUNDING)
    # Who is above a value in all resamples but half of those, and the other below it, is ahead.
    is_open = pairs & ~(resampled.low[order, None] - rounding > resampled.high[order])
    not_ahead = np.zeros(pairs.shape, dtype=np.int64)
    for start in range(0, RESAMPLES, 1_000):
        block = resampled.values[:, start : start + 1_000][order]
        for run in np.flatnonzero(is_open.any(axis=1)):
            # A slice that holds the open pairs of a run, rather than those alone, which would be copied.
            others = np.flatnonzero(is_open[run])
            part = slice(others[0], others[-1] + 1)
            behind = block[part] >= block[run] - rounding
            # Eight flags are added at once, each in a byte of its own: 125 times cannot overflow.
            eight = behind.view(np.uint64).sum(axis=1).view(np.uint8)
            not_ahead[run, part] += eight.reshape(-1, 8).sum(axis=1, dtype=np.int64)
        is_open &= not_ahead <= most
    return not_ahead <= most


def _pair_spreads(scores: ScoreArray, coefficients: Floats) -> Floats:
    """How far the resamples of each difference of runs spread at most: runs × runs, in their units."""
    columns = scores.values[:, :, 0]
    covariance = np.zeros((columns.shape[1], columns.shape[1]))
    for level in np.flatnonzero(coefficients[0]):
        residuals = coefficients[0, level] * level_residuals(columns, scores, int(level))
        residuals *= small_sample_factor(len(residuals))
        covariance += residuals.T @ residuals
    variance = np.diag(covariance)
    return np.sqrt(np.maximum(0, variance[:, None] + variance - 2 * covariance))
