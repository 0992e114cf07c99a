"""A horizon in a few words: "58 (41–83)", "> 256", "< 4", "limited by context at 128"."""

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

Ladder = Mapping[str, Any]
"""The section ``horizon`` of a score JSON (specification: Horizon)."""
NONE = "–"


def ladder_ends(section: Ladder) -> tuple[int, int] | None:
    """The shortest and the longest rung that was answered; None where none was."""
    calls = [rung["calls"] for rung in section["rungs"] if rung["tasks"]]
    return (calls[0], calls[-1]) if calls else None


class LengthText(NamedTuple):
    """A length and its interval; the interval is empty where it says nothing more."""

    value: str
    interval: str = ""

    def __str__(self) -> str:
        return f"{self.value} ({self.interval})" if self.interval else self.value


def length_text(section: Ladder, name: str = "h50") -> LengthText:
    """H50 or H80 in calls; what lies beyond the ladder is told as such."""
    ends = ladder_ends(section)
    if ends is None:
        return LengthText(NONE)
    length = section[name]
    shorter, longer = f"< {ends[0]}", f"> {ends[1]}"
    low = shorter if length["low"] is None else calls_text(length["low"])
    high = longer if length["high"] is None else calls_text(length["high"])
    interval = f"{low}{' to ' if {low, high} & {shorter, longer} else '–'}{high}"
    # The interval of what lies beyond the ladder says more only where it reaches into it.
    outside = (shorter, longer, *map(calls_text, ends))
    if length["above"]:
        return LengthText(longer, "" if low in outside else interval)
    if length["below"]:
        return LengthText(shorter, "" if high in outside else interval)
    return LengthText(calls_text(length["value"]), interval)


def calls_text(calls: float) -> str:
    """A number of calls: whole from ten on, else with one decimal."""
    return f"{calls:.0f}" if calls >= 9.95 else f"{calls:.1f}"


def exponent_text(section: Ladder) -> str:
    """The composition exponent k with its interval."""
    value, low, high = (section["exponent"][end] for end in ("value", "low", "high"))
    return NONE if value is None else f"{value:.2f} ({low:.2f}–{high:.2f})"


def limited_at(section: Ladder) -> int | None:
    """The shortest rung at which the model's context or output limit cut answers off."""
    return next((rung["calls"] for rung in section["rungs"] if rung["limited"]), None)


def limit_text(section: Ladder) -> str:
    """ "limited by context at 128", or nothing."""
    calls = limited_at(section)
    return "" if calls is None else f"limited by context at {calls}"


def by_length(section: Ladder) -> tuple[float, float]:
    """What runs are sorted by, the longest H50 first; beyond the ladder, by what was right on it."""
    length = section["h50"]
    calls = inf if length["above"] else 0.0 if length["below"] else length["value"]
    right = sum((rung["calls_right"] or 0.0) * rung["tasks"] for rung in section["rungs"])
    return (-1.0 if calls is None else calls, right)
