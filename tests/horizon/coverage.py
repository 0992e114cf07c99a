"""Agents whose horizon is known, and how often the intervals hold it.

`python -m tests.horizon.coverage 500` prints the table for so many seeds.
"""

import sys
from collections.abc import Callable, Sequence
from math import exp, log

import numpy as np

from evaluator.horizon.horizon import Horizon, horizon
from evaluator.horizon.outcome import Outcome

LADDER = (4, 8, 16, 32, 64, 128, 256)
PER_RUNG = 12

Rates = Callable[[int], np.ndarray]
"""The probability of an error in each call of a procedure of so many calls."""


def independent_errors(p: float) -> Rates:
    """Every call is right with probability p: k = 1."""
    return lambda calls: np.full(calls, 1 - p)


def curve(tau: float, k: float) -> Rates:
    """Errors as a procedure of this curve has them: evenly spread, more or fewer with its length."""
    return lambda calls: np.full(calls, 1 - exp(-((calls / tau) ** k) / calls))


def doubling(rate: float) -> Rates:
    """The error rate doubles with each 32 calls."""
    return lambda calls: np.minimum(rate * 2 ** (np.arange(calls) / 32), 1)


def outcomes(rates: Rates, seed: int, per_rung: int = PER_RUNG) -> list[Outcome]:
    """What an agent does on the ladder, which ends after the first rung with less than a tenth solved."""
    generator = np.random.Generator(np.random.PCG64(seed))
    made: list[Outcome] = []
    for calls in LADDER:
        right = generator.random((per_rung, calls)) >= rates(calls)
        made += [Outcome(tuple(row.tolist()), bool(row.all()), float(row.mean())) for row in right]
        if right.all(axis=1).sum() < per_rung / 10:
            break
    return made


def horizons(rates: Rates, seeds: Sequence[int], per_rung: int = PER_RUNG) -> list[Horizon]:
    """An agent's horizon as each seed's run tells it."""
    return [horizon(outcomes(rates, seed, per_rung)) for seed in seeds]


def holds(low: float | None, high: float | None, truth: float) -> bool:
    """Whether an interval, open where it has no end, holds a value."""
    return (low is None or low <= truth) and (high is None or truth <= high)


def covered(found: Sequence[Horizon], h50: float, h80: float, k: float) -> tuple[int, int, int]:
    """In how many runs the intervals of H50, H80 and k hold the truth."""
    return (
        sum(holds(each.h50.low, each.h50.high, h50) for each in found),
        sum(holds(each.h80.low, each.h80.high, h80) for each in found),
        sum(holds(each.exponent.low, each.exponent.high, k) for each in found),
    )


def curve_length(tau: float, k: float, level: float) -> float:
    """The number of calls at which the curve has come down to a level."""
    return tau * (-log(level)) ** (1 / k)


def main() -> None:
    """Print the share of seeds whose intervals hold the truth, by agent."""
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    agents = [
        (f"p = {p}", independent_errors(p), -1 / log(p), 1.0) for p in (0.9, 0.97, 0.99, 0.999)
    ]
    agents += [
        (f"tau = {tau}, k = {k}", curve(tau, k), tau, k)
        for tau, k in ((20, 0.5), (100, 0.5), (60, 0.7), (60, 1.5), (100, 2.0), (40, 4.0))
    ]
    print(
        "agent                  H50    H80      k   holds H50   H80     k   k > 1  k < 1  median k"
    )
    for name, rates, tau, k in agents:
        h50, h80 = curve_length(tau, k, 0.5), curve_length(tau, k, 0.8)
        _print_row(name, horizons(rates, seeds), h50, h80, k)
    for rate in (0.001, 0.003):
        found = horizons(doubling(rate), seeds)
        h50, h80 = (32 * log(1 - log(q) / rate / 32 * log(2)) / log(2) for q in (0.5, 0.8))
        _print_row(f"doubling from {rate}", found, h50, h80, float("nan"))


def _print_row(name: str, found: Sequence[Horizon], h50: float, h80: float, k: float) -> None:
    n = len(found)
    shares = [count / n for count in covered(found, h50, h80, k)]
    above = sum((each.exponent.low or 0) > 1 for each in found) / n
    below = sum((each.exponent.high or 9) < 1 for each in found) / n
    values = [each.exponent.value for each in found if each.exponent.value is not None]
    print(
        f"{name:20} {h50:6.1f} {h80:6.1f} {k:6.2f}      {shares[0]:6.3f} {shares[1]:6.3f} {shares[2]:6.3f}"
        f"  {above:6.3f} {below:6.3f}  {np.median(values):6.2f}"
    )


if __name__ == "__main__":
    main()
