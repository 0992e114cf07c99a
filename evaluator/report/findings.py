"""Findings in words, each only as strong as its interval allows.

All numbers come in as fractions and are said in points; names come in as they are to be shown.
"""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from evaluator.scoring import text_tables as tables
from evaluator.scoring.metrics import CALLS, SOLVED, WEIGHTED

CONFIDENCE = "95 %"


class Difference(NamedTuple):
    """A paired difference (first minus second), as `significance_tests.differences` gives it."""

    value: float
    low: float
    high: float
    is_significant: bool
    detectable: float


def interval(low: float, high: float) -> str:
    """``95 % 3.1 to 12.0``, in points; says so where there are too few templates for one."""
    if isnan(low) or isnan(high):
        return "no interval: too few templates to tell"
    return f"{CONFIDENCE} {_number(low)} to {_number(high)}"


def versus(a: str, b: str, difference: Difference, score: str = SOLVED.name) -> str:
    """Who is ahead, or that nobody can be shown to be."""
    if difference.is_significant and difference.value < 0:
        mirrored = difference._replace(
            value=-difference.value, low=-difference.high, high=-difference.low
        )
        return versus(b, a, mirrored, score)
    if difference.is_significant:
        return (
            f"{a} is ahead of {b} by {_number(difference.value)} points in {score} "
            f"({interval(difference.low, difference.high)})."
        )
    return (
        f"No difference between {a} and {b} can be shown: {_signed(difference.value)} points in {score} "
        f"({interval(difference.low, difference.high)}){_smallest(difference)}."
    )


def changed(what: str, difference: Difference, score: str = SOLVED.name) -> str:
    """What a change (second condition minus first) does to one model."""
    if not difference.is_significant:
        return (
            f"{what}: no change can be shown, {_signed(difference.value)} points in {score} "
            f"({interval(difference.low, difference.high)}){_smallest(difference)}."
        )
    word, sign = ("higher", 1) if difference.value > 0 else ("lower", -1)
    low, high = sorted((sign * difference.low, sign * difference.high))
    return f"{what}: {_number(abs(difference.value))} points in {score} {word} ({interval(low, high)})."


def _smallest(difference: Difference) -> str:
    if isnan(difference.detectable) or difference.detectable <= 0:
        return ""
    return (
        f"; the smallest true difference that these tasks would show in four of five repetitions "
        f"is about {_number(difference.detectable)} points"
    )


def tied(leader: str, others: Sequence[str]) -> str:
    """Who cannot be told from the leader."""
    if not others:
        return f"Every other ranked model is significantly behind {leader}."
    shown = listed(others)
    return f"Not shown to be behind {leader}: {shown}."


def gap(model: str, value: float, low: float, high: float) -> str:
    """What the share of right calls of one model says about composed tasks against single calls."""
    if low > 0:
        verdict = (
            f"scores higher on composed tasks than on single calls, by {_number(value)} points"
        )
    elif high < 0:
        verdict = (
            f"scores lower on composed tasks than on single calls, by {_number(-value)} points"
        )
        low, high = -high, -low
    else:
        verdict = (
            f"shows no difference between composed tasks and single calls: {_signed(value)} points"
        )
    return f"{model} {verdict} in {CALLS.name} ({interval(low, high)})."


def gaps(bounds: Sequence[tuple[float, float]]) -> str:
    """How many of several models show a gap in calls right; ``bounds``: their intervals."""
    above = sum(low > 0 for low, _ in bounds)
    below = sum(high < 0 for _, high in bounds)
    open_ = len(bounds) - above - below
    return (
        f"{CALLS.name}, each of {len(bounds)} models by itself at {CONFIDENCE}: {above} score higher "
        f"on composed tasks than on single calls, {below} lower, and for {open_} neither can be "
        "shown."
    )


def mean_gap(value: float, low: float, high: float, models: int) -> str:
    """The mean gap in calls right of several models with its interval over models and tasks."""
    if low > 0:
        verdict = "composed tasks score higher than single calls"
    elif high < 0:
        verdict = "composed tasks score lower than single calls"
    else:
        verdict = "neither direction can be shown"
    return f"{_mean_gap(CALLS.name, value, low, high, models)}: {verdict}."


def paper_gap(value: float, low: float, high: float, models: int) -> str:
    """The mean gap in the paper's weighted score: a number without a verdict."""
    return (
        f"{_mean_gap(WEIGHTED.name, value, low, high, models)}. This is the paper's number; near +20 "
        "comes out for models equally good at every call, so it says nothing by itself."
    )


def _mean_gap(score: str, value: float, low: float, high: float, models: int) -> str:
    return (
        f"Mean gap of {models} models in {score}: {_signed(value)} points "
        f"({interval(low, high)}, for other models and tasks like these)"
    )


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names with commas; of many the first and how many more."""
    shown = list(names[:most])
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def count(number: int, noun: str) -> str:
    """A number of things: 1 run, 2 runs."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def percent(value: float) -> str:
    """A fraction in per cent."""
    return f"{_number(value)} %"


def _number(value: float) -> str:
    return tables.percent(value)


def _signed(value: float) -> str:
    return tables.percent(value, signed=True)
