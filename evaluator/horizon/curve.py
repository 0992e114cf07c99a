"""The curve S(N) = exp(−(N/τ)^k): the share of procedures of N calls that a model solves.

Independent errors with accuracy p give exactly k = 1 and τ = −1/ln p. The horizon at a level q is
H = τ (−ln q)^(1/k), so the curve is as well told by H and k: a regression with complementary log-log
link on ln N. Its likelihood is taken on a grid of ln H and ln k, so that no search can fail and no
draw decides, with a light penalty on ln k that keeps the curve finite where all short procedures are
solved and no long one.

The interval of H is the likelihood-ratio one: all values at which, k being what suits them best, the
penalised log likelihood is at most `DROP` below its maximum; that of k likewise.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.horizon.rungs import Rung

Floats = NDArray[np.float64]

SPREAD = 1.0
"""The penalty is that of a normal distribution of ln k around 0 with this standard deviation."""
DROP = 2.5
"""For many tasks 1.92 would do for 95 %. With twelve a rung that holds the truth in 93 to 98 % of the
simulated runs of an agent, and this in 96 to 99 % (`python -m tests.horizon.coverage`). Rejected: the
bootstrap over tasks, whose interval of k holds it in 87 to 90 %, as rungs that are solved whole, or not
at all, do not vary."""

_BEYOND = 64.0
"""By so much the grid reaches beyond the ladder at either end."""
_LENGTH_STEP, _EXPONENT_STEP, _EXPONENT_MOST = 0.02, 0.04, 16.0
# −ln S(N) is held where S(N) and 1 − S(N) have logarithms.
_MOST_HAZARD, _LEAST_HAZARD = 700.0, 1e-300


class Length(NamedTuple):
    """A horizon with its interval, in calls.

    ``above``: the curve stays over the level on the whole ladder; ``below``: it starts under it; then
    there is no value. An end of the interval is None where it lies beyond the ladder.
    """

    value: float | None
    low: float | None
    high: float | None
    above: bool
    below: bool


class Exponent(NamedTuple):
    """k with its interval; all None where everything was solved, or nothing."""

    value: float | None
    low: float | None
    high: float | None


def length(rungs: Sequence[Rung], level: float) -> Length:
    """The number of calls at which a model solves the share ``level`` of the procedures."""
    answered = [rung for rung in rungs if rung.tasks]
    if not answered:
        return Length(None, None, None, False, False)
    shortest, longest = answered[0].calls, answered[-1].calls
    lengths, _ = _axes(tuple(rung.calls for rung in rungs))
    value, low, high = np.exp(_peak(lengths, _likelihood(rungs, level).max(axis=1))).tolist()
    above, below = value > longest, value < shortest
    return Length(
        value=None if above or below else value,
        low=None if low < shortest else min(low, longest),
        high=None if high > longest else max(high, shortest),
        above=above,
        below=below,
    )


def exponent(rungs: Sequence[Rung]) -> Exponent:
    """The composition exponent k."""
    if not 0 < sum(rung.solved for rung in rungs) < sum(rung.tasks for rung in rungs):
        return Exponent(None, None, None)
    _, exponents = _axes(tuple(rung.calls for rung in rungs))
    return Exponent(*np.exp(_peak(exponents, _likelihood(rungs, 0.5).max(axis=0))).tolist())


def _peak(axis: Floats, profile: Floats) -> Floats:
    """Where a profile is highest, and the ends of its interval, rounded outwards to the grid."""
    inside = np.flatnonzero(profile >= profile.max() - DROP)
    low, high = max(inside[0] - 1, 0), min(inside[-1] + 1, len(axis) - 1)
    return axis[[profile.argmax(), low, high]]


def _likelihood(rungs: Sequence[Rung], level: float) -> Floats:
    """The penalised log likelihood: lengths × exponents."""
    calls = tuple(rung.calls for rung in rungs)
    solved = np.array([rung.solved for rung in rungs], dtype=np.float64)
    failed = np.array([rung.tasks for rung in rungs], dtype=np.float64) - solved
    log_solved, log_failed = _log_shares(calls, level)
    _, exponents = _axes(calls)
    return log_solved @ solved + log_failed @ failed - (exponents / SPREAD) ** 2 / 2


@lru_cache(maxsize=2)
def _log_shares(calls: tuple[int, ...], level: float) -> tuple[Floats, Floats]:
    """ln S(N) and ln(1 − S(N)): lengths × exponents × rungs."""
    lengths, exponents = _axes(calls)
    ratios = np.log(np.array(calls, dtype=np.float64)) - lengths[:, None]
    powers = np.exp(exponents)[None, :, None] * ratios[:, None, :]
    hazard = -log(level) * np.exp(np.minimum(powers, log(_MOST_HAZARD)))
    hazard = np.maximum(hazard, _LEAST_HAZARD)
    return -hazard, np.log(-np.expm1(-hazard))


def _axes(calls: tuple[int, ...]) -> tuple[Floats, Floats]:
    """The values of ln H and of ln k on the grid."""
    ends = log(calls[0] / _BEYOND), log(calls[-1] * _BEYOND)
    most = log(_EXPONENT_MOST)
    return (
        np.linspace(*ends, round((ends[1] - ends[0]) / _LENGTH_STEP) + 1),
        np.linspace(-most, most, 2 * round(most / _EXPONENT_STEP) + 1),
    )
