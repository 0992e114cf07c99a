"""A horizon as plain text for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.horizon.length_text import NONE, exponent_text, ladder_ends, length_text
from evaluator.scoring.text_tables import columns, percent


def horizon_text(section: Mapping[str, Any]) -> str:
    """The rungs, both horizons, the exponent, and what independent errors would give."""
    rungs = [
        (
            str(rung["calls"]),
            str(rung["tasks"]),
            percent(rung["solved"] / rung["tasks"]) if rung["tasks"] else "–",
            f"{percent(rung['low'])}–{percent(rung['high'])}" if rung["tasks"] else "–",
            percent(rung["calls_right"]),
            str(rung["limited"] or ""),
        )
        for rung in section["rungs"]
    ]
    head = ("calls", "procedures", "solved", "95 %", "calls right", "limited")
    figures = [
        ("H50, calls", str(length_text(section))),
        ("H80, calls", str(length_text(section, "h80"))),
        ("composition exponent k", exponent_text(section)),
        ("independent errors would give H50", _independent(section["independent"])),
    ]
    return f"{columns([head, *rungs], right=range(6))}\n\n{columns(figures)}"


def horizon_rows(scores: Sequence[Mapping[str, Any]]) -> str:
    """Runs of procedures as a table, a line each, in their own order: their lengths are no ranking."""
    rows = [("model", "H50, calls", "H80, calls", "k", "asked up to", "protocol")]
    for each in scores:
        section = each["horizon"]
        ends = ladder_ends(section)
        rows.append(
            (
                each["model"] or "unnamed model",
                str(length_text(section)),
                str(length_text(section, "h80")),
                exponent_text(section),
                str(ends[1]) if ends else NONE,
                section["protocol"],
            )
        )
    return columns(rows)


def _independent(independent: Mapping[str, Any]) -> str:
    if independent["h50"] is None:
        return "–"
    return f"{independent['h50']:.0f} (p = {independent['p']:.4f})"
