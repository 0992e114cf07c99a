"""Intervals of means over tasks that share templates: the clustered bootstrap."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000
CONFIDENCE = 0.95
SEED = 42


class Interval(NamedTuple):
    """A mean with its confidence bounds; all three in the unit of the values."""

    mean: float
    low: float
    high: float


def clustered_interval(
    values: Sequence[float], clusters: Sequence[str], resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The mean of ``values`` (one a task) with its percentile interval, resampling whole clusters.

    ``clusters``: the template of each task. Tasks of one template are alike, so treating them as
    independent would make the interval too short. ValueError for no value.
    """
    if not values:
        raise ValueError("an interval needs at least one value")
    order = sorted(set(clusters))
    position = {name: i for i, name in enumerate(order)}
    index = np.array([position[name] for name in clusters])
    sums = np.bincount(index, weights=np.asarray(values, dtype=float), minlength=len(order))
    counts = np.bincount(index, minlength=len(order)).astype(float)
    generator = np.random.Generator(np.random.PCG64(seed))
    weights = generator.multinomial(len(order), np.full(len(order), 1 / len(order)), resamples)
    means = (weights @ sums) / (weights @ counts)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(sums.sum() / counts.sum()), float(low), float(high))
