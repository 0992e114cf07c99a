"""Where it breaks: the share of calls right by how a procedure was made, and by position in it."""

from collections.abc import Collection, Iterator, Sequence
from math import fsum
from statistics import median
from typing import NamedTuple

from evaluator.horizon.outcome import Outcome
from evaluator.horizon.share_interval import share_interval
from evaluator.intervals import small_sample_factor

POSITION = "position"
QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
LOW, HIGH = "low", "high"
"""Below and above the median of the procedures of the same length."""

_Count = tuple[float, int]
"""Of one procedure: calls right, and calls."""


class Effect(NamedTuple):
    """The share of the calls right in the n procedures where a dial had a value, with its interval.

    The variance is that between procedures, since the calls of one share their fate.
    """

    dial: str
    value: str
    calls_right: float
    low: float
    high: float
    n: int


def effects(outcomes: Sequence[Outcome]) -> list[Effect]:
    """The effects of the dials that took several values, by name, then of the position."""
    answered = [each for each in outcomes if not each.is_limited]
    table = []
    for dial in sorted({name for each in answered for name in each.dials}):
        counts: dict[str, list[_Count]] = {}
        for value, outcome in _values(dial, answered):
            right = outcome.calls_right * outcome.calls
            counts.setdefault(value, []).append((right, outcome.calls))
        if len(counts) > 1:
            table += [_effect(dial, value, counts[value]) for value in _ordered(counts)]
    for number, quarter in enumerate(QUARTERS):
        parts = [_part(each.right, number) for each in answered]
        if any(parts):
            counts_here = [(float(sum(part)), len(part)) for part in parts if part]
            table.append(_effect(POSITION, quarter, counts_here))
    return table


def _values(dial: str, outcomes: Sequence[Outcome]) -> Iterator[tuple[str, Outcome]]:
    """The value of a dial in each procedure.

    Numbers are told from their rung's median, since most grow with the length; those at it are left
    out.
    """
    numbers: dict[int, list[tuple[float, Outcome]]] = {}
    for outcome in outcomes:
        value = outcome.dials.get(dial)
        if isinstance(value, str):
            yield value, outcome
        elif value is not None:
            numbers.setdefault(outcome.calls, []).append((value, outcome))
    for rung in numbers.values():
        middle = median(value for value, _ in rung)
        yield from ((LOW if v < middle else HIGH, each) for v, each in rung if v != middle)


def _ordered(values: Collection[str]) -> list[str]:
    return [LOW, HIGH] if set(values) == {LOW, HIGH} else sorted(values)


def _part(right: Sequence[bool], quarter: int) -> Sequence[bool]:
    """A quarter of the calls."""
    size = len(right) / len(QUARTERS)
    return right[round(quarter * size) : round((quarter + 1) * size)]


def _effect(dial: str, value: str, counts: Sequence[_Count]) -> Effect:
    """The share of all calls, as a ratio of two sums over procedures."""
    n, calls = len(counts), sum(calls for _, calls in counts)
    share = fsum(right for right, _ in counts) / calls
    variance = fsum((right - share * own) ** 2 for right, own in counts) / calls**2
    if n > 1:
        variance *= small_sample_factor(n) ** 2
    return Effect(dial, value, *share_interval(share, variance, n), n)
