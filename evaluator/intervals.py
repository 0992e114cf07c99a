"""Intervals that need no resampling: Wilson's for shares, and what small samples add. Imports no room."""

from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean with its confidence bounds; all three in the unit of the values."""

    mean: float
    low: float
    high: float


def wilson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """The share of successes with Wilson's score interval.

    ``successes`` may be a fraction, where each of the n tasks counts the mean of its samples; so may
    n, where a variance stands for so many tasks.
    """
    z = normal_quantile(confidence)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def small_sample_factor(clusters: int) -> float:
    """By how much the resamples of a level spread too little: the bootstrap takes few clusters for many.

    sqrt(K / (K − 1)), as the resampled variance lacks one degree of freedom, times Student's quantile
    over the normal one, as the variance itself is estimated.
    """
    if clusters < 2:
        return float("nan")
    z = normal_quantile(CONFIDENCE)
    return sqrt(clusters / (clusters - 1)) * (_student_quantile(z, clusters - 1) / z)


def normal_quantile(confidence: float) -> float:
    """How many standard errors an interval of this confidence reaches to either side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _student_quantile(z: float, freedom: int) -> float:
    """Student's quantile where the normal one is z, by Fisher's expansion (1 % off at four degrees)."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + fsum(term / freedom**power for power, term in enumerate(terms, 1))
