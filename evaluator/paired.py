"""Two runs on the same tasks: differences with intervals, McNemar's test, Holm."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb, nan
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from evaluator.results import Result
from evaluator.score_array import METRICS, Floats, Indices, ScoreArray, score_array
from evaluator.statistics import (
    QUANTITIES,
    bounds,
    contrasts,
    detectable,
    estimates,
    replicates,
    standard_errors,
)

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

FEWEST_DIFFERING = 6
"""With fewer clusters that differ, no exact sign test reaches 5 %: five all one way give p = 0.0625."""
ROUNDING = 1e-6
"""A smaller difference of two means is rounding."""


DIFFERENCE = (
    *("a", "b", "metric", "quantity", "n", "difference", "low", "high"),
    *("differing", "significant", "detectable"),
)
"""The columns of `differences`."""


def differences(
    results: Sequence[Result], quantities: Sequence[str] = QUANTITIES
) -> "pd.DataFrame":
    """Each pair of results (first minus second) on the tasks that all results have.

    Columns: a, b (names of runs), metric, quantity, n (tasks), difference, low, high (95 % interval,
    clustered, not adjusted for the number of pairs), differing (templates on which the two differ),
    significant (see `is_significant`), detectable (the smallest true difference that these tasks would
    show with a power of 80 %). Where no template differs nothing is known of the spread: then low, high
    and detectable are nan.
    """
    import pandas as pd

    names = [result.name for result in results]
    rows = difference_rows(names, score_array(results), quantities)
    return pd.DataFrame(rows, columns=list(DIFFERENCE))


def difference_rows(
    names: Sequence[str], scores: ScoreArray, quantities: Sequence[str]
) -> list[tuple[object, ...]]:
    """The rows of `differences`; ``names`` of the runs in the array."""
    coefficients = contrasts(scores.levels)[[QUANTITIES.index(name) for name in quantities]]
    shape = (len(quantities), *scores.values.shape[1:])
    found = replicates(scores, coefficients).reshape(*shape, -1)
    rows: list[tuple[object, ...]] = []
    for a, b in combinations(range(len(names)), 2):
        own = scores.with_values(scores.values[:, a] - scores.values[:, b])
        value, error = estimates(own, coefficients), standard_errors(own, coefficients)
        # Resamples are spread (see `small_sample_factor`), which must not take them beyond what can be.
        reach = np.abs(coefficients).sum(axis=1)[:, None]
        low, high = (end.clip(-reach, reach) for end in bounds(found[:, a] - found[:, b]))
        for q, quantity in enumerate(quantities):
            counted = np.isin(own.levels, np.flatnonzero(coefficients[q]))
            for m, metric in enumerate(METRICS):
                differing = _differing(own.values[counted, m], own.clusters[counted])
                ends = (float(low[q, m]), float(high[q, m])) if differing else (nan, nan)
                claimed = is_significant(*ends, differing)
                said = (int(counted.sum()), float(value[q, m]), *ends, differing, claimed)
                smallest = detectable(float(error[q, m])) if differing else nan
                rows.append((names[a], names[b], metric, quantity, *said, smallest))
    return rows


def is_significant(low: float, high: float, differing: int) -> bool:
    """Whether a difference can be claimed: its interval is clear of 0, over enough templates."""
    return (low > ROUNDING or high < -ROUNDING) and differing >= FEWEST_DIFFERING


def _differing(values: Floats, clusters: Indices) -> int:
    """In how many clusters the sums of the differences are not 0."""
    return int((np.abs(np.bincount(clusters, weights=values)) > ROUNDING).sum())


# Exact tests on strict passes -----------------------------------------------------------------


def strict_tests(results: Sequence[Result]) -> "pd.DataFrame":
    """McNemar's exact test for each pair, on the tasks that all results have.

    A task is passed where all its samples are. Columns: a, b, n, only_a, only_b (tasks that only one
    passes), p, p_holm (over all pairs given).
    """
    import pandas as pd

    scores = score_array(results)
    passed = [dict(zip(scores.tasks, own == 1, strict=True)) for own in scores.values[:, :, 2].T]
    rows = []
    for (a, one), (b, other) in combinations(zip(results, passed, strict=True), 2):
        only = [sum(x[t] and not y[t] for t in x) for x, y in ((one, other), (other, one))]
        rows.append((a.name, b.name, len(scores.tasks), *only, mcnemar(one, other)))
    frame = pd.DataFrame(rows, columns=["a", "b", "n", "only_a", "only_b", "p"])
    return frame.assign(p_holm=holm(frame["p"].tolist()))


def mcnemar(one: Mapping[T, bool], other: Mapping[T, bool]) -> float:
    """The two-sided exact p of McNemar's test over the items that both have."""
    shared = one.keys() & other.keys()
    gained = sum(bool(other[item] and not one[item]) for item in shared)
    lost = sum(bool(one[item] and not other[item]) for item in shared)
    discordant = gained + lost
    tail = sum(comb(discordant, k) for k in range(min(gained, lost) + 1))
    # Integers divide exactly where 2**discordant would be no float.
    return float(min(1.0, 2 * tail / 2**discordant))


def holm(p: Sequence[float]) -> list[float]:
    """The p values adjusted after Holm for all of them being tested, in the order given."""
    adjusted = [0.0] * len(p)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        highest = max(highest, min(1.0, (len(p) - rank) * p[index]))
        adjusted[index] = highest
    return adjusted
