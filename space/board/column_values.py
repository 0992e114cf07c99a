"""What stands in a column of the board for a run, before it is written as text."""

from collections.abc import Callable
from math import isnan
from typing import Any

from evaluator.comparing.places import Place
from evaluator.scoring.metrics import Metric
from evaluator.scoring.text_tables import percent
from space.base.tiers import BASELINE
from space.board.entry import Entry

Value = Callable[[Entry, Place], Any]
"""Text, a number, or None where nothing is known."""


def points(value: float | None) -> float | None:
    """A fraction in per cent with one decimal."""
    return None if value is None else round(100 * value, 1) + 0.0


def score_at(*keys: str) -> Value:
    """A score in per cent, by the keys that lead to it in the score JSON."""

    def value(entry: Entry, place: Place) -> Any:
        field: Any = entry.result.scores
        for key in keys:
            field = field[key]
        return points(field)

    return value


def diagnostic(key: str, digits: int) -> Value:
    """A diagnostic of the score JSON, rounded."""

    def value(entry: Entry, place: Place) -> Any:
        number = entry.result.scores["diagnostics"].get(key)
        return None if number is None else round(number, digits)

    return value


def spent(key: str, digits: int) -> Value:
    """A mean of what was spent (`evaluator.scoring.spending`), rounded."""

    def value(entry: Entry, place: Place) -> Any:
        number = getattr(entry.spending, key)
        return None if number is None else round(number, digits)

    return value


def about(key: str) -> Value:
    """A text of the run's description."""
    return lambda entry, place: entry.about[key]


def declared(key: str) -> Value:
    """What all rows declare, or that they do not."""
    return lambda entry, place: entry.result.scores[key] or "undeclared"


def between(low: float | None, high: float | None, signed: bool = False) -> str:
    """An interval in per cent; nothing where there is none."""
    ends = (percent(low, signed), percent(high, signed))
    return "" if "–" in ends else (" to " if signed else "–").join(ends)


def interval_end(metric: Metric, end: int) -> Value:
    """An end of a score's own interval in per cent, whatever is ranked by."""

    def value(entry: Entry, place: Place) -> Any:
        bound = place.intervals[metric.key][end]
        return None if isnan(bound) else points(bound)

    return value


def fresh_gap(entry: Entry, place: Place) -> str:
    """Public minus fresh tasks with its interval; empty where none were asked."""
    if entry.fresh is None:
        return ""
    interval = between(entry.fresh["low"], entry.fresh["high"], signed=True)
    return f"{percent(entry.fresh['difference'], signed=True)} ({interval})"


def status_text(entry: Entry, place: Place) -> str:
    """Why a run is not ranked, or what was said of it since."""
    if entry.tier == BASELINE:
        return "reference"
    if entry.status:
        return f"{entry.status}: {entry.status_reason}"
    return f"same calls as {entry.same_as}" if entry.same_as else ""
