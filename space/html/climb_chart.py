"""How many procedures models solve as these grow longer: a line for each, on an axis of doublings."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

from markupsafe import Markup

from evaluator.horizon.length_text import Ladder, by_length, length_text
from space.base.markup import tag
from space.board.entry import Entry
from space.html.chart_rows import name_of, run_link
from space.html.plot import SERIES, Point, Tick, plot

_MARGIN, _APART = 0.05, 0.01
"""How far the first length stands from the edge, and two models at one length from each other."""


def climb_chart(climbs: Sequence[Entry]) -> Markup:
    """A line for each of the models that come furthest, and the list of their horizons."""
    ladders = {entry.id: entry.result.scores["horizon"] for entry in climbs}
    answered = [entry for entry in climbs if _rungs(ladders[entry.id])]
    answered.sort(key=lambda entry: by_length(ladders[entry.id]), reverse=True)
    shown = answered[:SERIES]
    lengths = sorted({rung["calls"] for entry in shown for rung in _rungs(ladders[entry.id])})
    ticks = [Tick(_place(calls, lengths), str(calls)) for calls in lengths]
    lines = [
        [
            # The intervals of several models at one length stand side by side.
            _point(entry, rung, number, ticks[lengths.index(rung["calls"])].at + apart)
            for rung in _rungs(ladders[entry.id])
        ]
        for number, entry in enumerate(shown)
        for apart in [(number - (len(shown) - 1) / 2) * _APART]
    ]
    items = (
        tag(
            "li",
            tag("i", class_=f"key s{number}"),
            run_link(entry),
            " ",
            tag("small", f"half solved at {length_text(ladders[entry.id])} calls"),
        )
        for number, entry in enumerate(shown)
    )
    label = f"Procedures solved by their length, for {len(shown)} models; the list gives their horizons."
    drawn = plot(
        [point for line in lines for point in line],
        ticks,
        ("calls in the procedure", "solved, %"),
        label,
        [[(point.x, point.y) for point in line] for line in lines],
    )
    return tag("div", drawn, tag("ul", *items, class_="legend"), class_="beside")


def _rungs(ladder: Ladder) -> list[Mapping[str, Any]]:
    """Those that were answered."""
    return [rung for rung in ladder["rungs"] if rung["tasks"]]


def _place(calls: int, lengths: Sequence[int]) -> float:
    """Where a length stands on the axis."""
    doublings = log2(lengths[-1] / lengths[0]) or 1.0
    return _MARGIN + (1 - 2 * _MARGIN) * log2(calls / lengths[0]) / doublings


def _point(entry: Entry, rung: Mapping[str, Any], number: int, x: float) -> Point:
    solved, tasks, calls = rung["solved"], rung["tasks"], rung["calls"]
    words = f"{name_of(entry)}: {solved} of {tasks} procedures of {calls} calls solved"
    return Point(x, solved / tasks, "", words, rung["low"], rung["high"], number)


def climb_note(climbs: int) -> str:
    """How the chart is read, and what is not in it."""
    note = (
        "Procedures of growing length: how many of them are solved, with 95 % intervals. Each step of the "
        "axis is twice as many calls."
    )
    return note if climbs <= SERIES else f"{note} The {SERIES} longest of {climbs} are drawn."
