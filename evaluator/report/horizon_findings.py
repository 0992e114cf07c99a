"""What horizons say, a plain sentence each, only as strong as the intervals allow."""

from collections.abc import Iterator, Mapping

from evaluator.horizon.effects import POSITION
from evaluator.horizon.length_text import (
    Ladder,
    calls_text,
    exponent_text,
    ladder_ends,
    length_text,
    limited_at,
)
from evaluator.report.findings import percent
from evaluator.scoring.metrics import CALLS


def horizon_findings(ladders: Mapping[str, Ladder]) -> list[str]:
    """The findings of each model, by its name as it is to be shown."""
    return [line for label, section in ladders.items() for line in _of_model(label, section)]


def _of_model(label: str, section: Ladder) -> Iterator[str]:
    ends = ladder_ends(section)
    if ends is None:
        yield f"{label} answered no procedure within its limits."
        return
    yield _length(label, section, *ends)
    yield from _exponent(label, section)
    yield from _strongest_effect(label, section)
    if (calls := limited_at(section)) is not None:
        yield (
            f"{label} was limited by context at {calls}: procedures cut off by its context or output "
            "limit are not counted as wrong."
        )


def _length(label: str, section: Ladder, shortest: int, longest: int) -> str:
    value, interval = length_text(section)
    within = f" (95 % {interval})" if interval else ""
    if section["h50"]["above"]:
        return (
            f"{label} solves more than half of the procedures of {longest} calls, the longest that it "
            f"answered: H50 {value}{within}."
        )
    if section["h50"]["below"]:
        return f"{label} solves fewer than half of the procedures of {shortest} calls: H50 {value}{within}."
    return f"{label} solves half of the procedures of {value} calls{within}."


def _exponent(label: str, section: Ladder) -> Iterator[str]:
    """Whether length itself matters, beside what independent errors would give."""
    low, high = section["exponent"]["low"], section["exponent"]["high"]
    if low is None:
        return
    k, alone = exponent_text(section), section["independent"]["h50"]
    expected = (
        f"; independent errors as in its short procedures would give {calls_text(alone)} calls"
        if alone
        else ""
    )
    if low > 1:
        yield f"{label} makes more errors in a call the longer the procedure is: k {k}{expected}."
    elif high < 1:
        yield (
            f"{label} fails in some procedures rather than with length: k {k}, below 1{expected}."
        )
    else:
        yield f"{label} shows no sign that length itself makes calls worse: k {k}."


def _strongest_effect(label: str, section: Ladder) -> Iterator[str]:
    """The two values of one dial that differ most, where their intervals do not meet."""
    effects = section["effects"]
    pairs = [
        (worse, better)
        for worse in effects
        for better in effects
        if worse["dial"] == better["dial"] and worse["high"] < better["low"]
    ]
    if not pairs:
        return
    worse, better = max(pairs, key=lambda pair: pair[1]["calls_right"] - pair[0]["calls_right"])
    dial = worse["dial"].replace("_", " ")
    place = "in the {}" if dial == POSITION else f"where {dial} is {{}}"
    yield (
        f"{label} has {percent(worse['calls_right'])} of {CALLS.name.lower()} "
        f"{place.format(worse['value'])}, and {percent(better['calls_right'])} "
        f"{place.format(better['value'])}."
    )
