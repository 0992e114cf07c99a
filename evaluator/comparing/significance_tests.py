"""Two runs on the same tasks: differences with intervals, exact tests, Holm."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, log, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaluator.comparing.mcnemar import mcnemar
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import Floats, Indices, ScoreArray, score_array
from evaluator.comparing.statistics import (
    QUANTITIES,
    bounds,
    contrasts,
    detectable,
    estimates,
    replicates,
    standard_errors,
)
from evaluator.intervals import CONFIDENCE
from evaluator.scoring.metrics import CALLS, GAPS, METRICS, SOLVED

if TYPE_CHECKING:
    import pandas as pd

FEWEST_DIFFERING = 6
"""With fewer clusters that differ, no exact sign test reaches 5 %: five all one way give p = 0.0625."""
ROUNDING = 1e-6
"""A smaller difference of two means is rounding."""
_UNITS = 60
"""Passes are counted in sixtieths of a task, which is exact for up to six samples."""

DIFFERENCE = (
    *("a", "b", "metric", "quantity", "n", "difference", "low", "high"),
    *("differing", "significant", "detectable"),
)
"""The columns of `differences`."""
_STRICT = ("a", "b", "n", "only_a", "only_b", "p", "p_holm")


def differences(
    results: Sequence[Result], quantities: Sequence[str] = QUANTITIES
) -> "pd.DataFrame":
    """Each pair of results (first minus second) on the tasks that all results have.

    Columns: a, b (names of runs), metric, quantity, n (tasks), difference, low, high (95 % interval,
    clustered, not adjusted for the number of pairs), differing (templates on which the two differ),
    significant (see `is_significant`; of solved tasks the `sign_tests` has to agree; missing for gaps in
    other scores than calls right, which are no evidence), detectable (the smallest true difference that
    these tasks would show with a power of 80 %). Where no template differs nothing is known of the
    spread: then low, high and detectable are nan.
    """
    import pandas as pd

    names = [result.name for result in results]
    rows = difference_rows(names, score_array(results), quantities)
    return pd.DataFrame(rows, columns=list(DIFFERENCE))


def difference_rows(
    names: Sequence[str], scores: ScoreArray, quantities: Sequence[str] = QUANTITIES
) -> list[dict[str, Any]]:
    """The rows of `differences`; ``names`` of the runs in the array."""
    coefficients = contrasts(scores.levels)[[QUANTITIES.index(name) for name in quantities]]
    shape = (len(quantities), *scores.values.shape[1:])
    resampled = replicates(scores, coefficients).reshape(*shape, -1)
    rows = []
    for a, b in combinations(range(len(names)), 2):
        paired = scores.with_values(scores.values[:, a] - scores.values[:, b])
        value, error = estimates(paired, coefficients), standard_errors(paired, coefficients)
        # Resamples are spread (see `small_sample_factor`), which must not take them beyond what can be.
        reach = np.abs(coefficients).sum(axis=1)[:, None]
        low, high = (end.clip(-reach, reach) for end in bounds(resampled[:, a] - resampled[:, b]))
        for q, quantity in enumerate(quantities):
            counted = np.isin(paired.levels, np.flatnonzero(coefficients[q]))
            for m, metric in enumerate(METRICS):
                sums = _template_sums(paired.values[counted, m], paired.clusters[counted])
                differing = int((np.abs(sums) > ROUNDING).sum())
                ends = (float(low[q, m]), float(high[q, m])) if differing else (nan, nan)
                claimed = _claimed(metric, quantity, is_significant(*ends, differing), sums)
                said = (int(counted.sum()), float(value[q, m]), *ends, differing, claimed)
                smallest = detectable(float(error[q, m])) if differing else nan
                row = (names[a], names[b], metric, quantity, *said, smallest)
                rows.append(dict(zip(DIFFERENCE, row, strict=True)))
    return rows


def is_significant(low: float, high: float, differing: int) -> bool:
    """Whether a difference can be claimed: its interval is clear of 0, over enough templates."""
    return (low > ROUNDING or high < -ROUNDING) and differing >= FEWEST_DIFFERING


def _claimed(metric: str, quantity: str, is_clear: bool, sums: Floats) -> bool | None:
    """What may be said of a difference; nothing of gaps that would come out of equally good calls."""
    if quantity in GAPS:
        return is_clear if metric == CALLS.key else None
    return is_clear and (metric != SOLVED.key or bool(beyond_chance(sums[:, None])[0]))


def _template_sums(values: Floats, clusters: Indices) -> Floats:
    """The sum of the differences of each template."""
    sums: Floats = np.bincount(clusters, weights=values).astype(np.float64)
    return sums


# Exact tests on solved tasks ------------------------------------------------------------------


def beyond_chance(sums: Floats) -> NDArray[np.bool_]:
    """For each column (templates × pairs of runs): whether the `sign_tests` give at most 5 %."""
    squares = (sums**2).sum(axis=0)
    # Hoeffding's inequality settles the clear ones: P(|sum| >= t) <= 2 exp(-t² / 2 Σd²).
    is_beyond: NDArray[np.bool_] = sums.sum(axis=0) ** 2 > 2 * log(2 / (1 - CONFIDENCE)) * squares
    is_beyond[~is_beyond] = sign_tests(sums[:, ~is_beyond]) <= 1 - CONFIDENCE
    return is_beyond


def sign_tests(sums: Floats) -> Floats:
    """The two-sided p of each column of differences, one for each template, in tasks (samples averaged).

    Were two runs equally good, each template's difference could as well have the other sign: p is the
    share of all choices of signs that give a sum at least as large. Exact for clustered tasks with up
    to six samples; for single ones it is McNemar's test.
    """
    units = np.rint(_UNITS * sums).astype(np.int64)
    step = np.maximum(np.gcd.reduce(units, axis=0), 1)
    sizes, totals = np.abs(units) // step, np.abs(units.sum(axis=0)) // step
    # How often each size occurs, a row for each column.
    width = int(sizes.max(initial=0)) + 1
    cells = sizes + width * np.arange(units.shape[1])
    counts = np.bincount(cells.ravel(), minlength=width * units.shape[1]).reshape(-1, width)
    found = zip(counts[:, 1:].tolist(), totals.tolist(), strict=True)
    return np.array([_sign_share(tuple(row), total) for row, total in found], dtype=np.float64)


@lru_cache(maxsize=10_000)
def _sign_share(counts: tuple[int, ...], total: int) -> float:
    """How probable a sum of at least ``total``, up or down, is with random signs.

    ``counts``: how many differences there are of size 1, 2 and so on.
    """
    chances = np.ones(1)
    for size, count in enumerate(counts, 1):
        if count:
            chances = np.convolve(chances, _sums_of(size, count))
    # From all signs being minus to all being plus.
    reach = (len(chances) - 1) // 2
    return float(chances[np.abs(np.arange(-reach, reach + 1)) >= total].sum())


@lru_cache(maxsize=1_000)
def _sums_of(size: int, count: int) -> Floats:
    """The chance of each sum of ``count`` differences of one size, from -size × count upwards."""
    chances = np.zeros(2 * size * count + 1)
    chances[:: 2 * size] = [comb(count, plus) / 2**count for plus in range(count + 1)]
    return chances


def strict_tests(results: Sequence[Result]) -> "pd.DataFrame":
    """McNemar's exact test for each pair, on the tasks that all results have.

    A task is solved where all its samples are. Columns: a, b, n, only_a, only_b (tasks that only one
    solves), p, p_holm (over all pairs given).
    """
    import pandas as pd

    return pd.DataFrame(strict_rows(results), columns=list(_STRICT))


def strict_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The rows of `strict_tests`."""
    scores = score_array(results)
    solved = scores.of(SOLVED.key).values[:, :, 0]
    passed = [dict(zip(scores.tasks, run == 1, strict=True)) for run in solved.T]
    rows, p = [], []
    for (a, one), (b, other) in combinations(zip(results, passed, strict=True), 2):
        only = [int(sum(x[t] and not y[t] for t in x)) for x, y in ((one, other), (other, one))]
        rows.append((a.name, b.name, len(scores.tasks), *only))
        p.append(mcnemar(one, other))
    return [
        dict(zip(_STRICT, (*row, *chances), strict=True))
        for row, *chances in zip(rows, p, holm(p), strict=True)
    ]


def holm(p: Sequence[float]) -> list[float]:
    """The p values adjusted after Holm for all of them being tested, in the order given."""
    adjusted = [0.0] * len(p)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        highest = max(highest, min(1.0, (len(p) - rank) * p[index]))
        adjusted[index] = highest
    return adjusted
