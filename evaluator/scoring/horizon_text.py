"""A horizon as plain text for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

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
    last = section["rungs"][-1]["calls"] if section["rungs"] else None
    first = section["rungs"][0]["calls"] if section["rungs"] else None
    figures = [
        ("H50, calls", length_text(section["h50"], first, last)),
        ("H80, calls", length_text(section["h80"], first, last)),
        ("composition exponent k", _number_with_ends(section["exponent"], "{:.2f}")),
        ("independent errors would give H50", _independent(section["independent"])),
    ]
    return f"{columns([head, *rungs], right=range(6))}\n\n{columns(figures)}"


def horizon_rows(scores: Sequence[Mapping[str, Any]]) -> str:
    """Runs of procedures as a table, a line each, in their own order: their lengths are no ranking."""
    rows = [("model", "H50, calls", "H80, calls", "k", "asked up to", "protocol")]
    for each in scores:
        section = each["horizon"]
        lengths = [rung["calls"] for rung in section["rungs"]] or [0]
        ends = lengths[0], lengths[-1]
        rows.append(
            (
                each["model"] or "unnamed model",
                length_text(section["h50"], *ends),
                length_text(section["h80"], *ends),
                _number_with_ends(section["exponent"], "{:.2f}"),
                str(lengths[-1]),
                section["protocol"],
            )
        )
    return columns(rows)


def length_text(length: Mapping[str, Any], first: int | None, last: int | None) -> str:
    """A horizon with its interval: ``69 (51 to 98)``, ``> 256``, ``< 4``."""
    low = "" if length["low"] is None else f"{length['low']:.0f}"
    high = "" if length["high"] is None else f"{length['high']:.0f}"
    if length["above"]:
        return f"> {last}" if low in ("", str(last)) else f"> {last} (at least {low})"
    if length["below"]:
        return f"< {first}" if high in ("", str(first)) else f"< {first} (at most {high})"
    if length["value"] is None:
        return "–"
    return f"{length['value']:.0f} ({low or f'< {first}'} to {high or f'> {last}'})"


def _number_with_ends(value: Mapping[str, Any], form: str) -> str:
    if value["value"] is None:
        return "–"
    number, low, high = (form.format(value[name]) for name in ("value", "low", "high"))
    return f"{number} ({low} to {high})"


def _independent(independent: Mapping[str, Any]) -> str:
    if independent["h50"] is None:
        return "–"
    return f"{independent['h50']:.0f} (p = {independent['p']:.4f})"
