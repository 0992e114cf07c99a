"""McNemar's exact test, of the same items answered twice."""

from collections.abc import Mapping
from math import comb
from typing import TypeVar

T = TypeVar("T")


def mcnemar(one: Mapping[T, bool], other: Mapping[T, bool]) -> float:
    """The two-sided exact p of McNemar's test over the items that both have."""
    shared = one.keys() & other.keys()
    gained = sum(bool(other[item] and not one[item]) for item in shared)
    lost = sum(bool(one[item] and not other[item]) for item in shared)
    discordant = gained + lost
    tail = sum(comb(discordant, k) for k in range(min(gained, lost) + 1))
    # Integers divide exactly where 2**discordant would be no float.
    return float(min(1.0, 2 * tail / 2**discordant))
