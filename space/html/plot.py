"""A plot as HTML: its words keep their size on any screen, and it needs no script.

Places are fractions of the plot from its left and from its bottom; `first_view.css` does the rest.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from space.base.markup import Child, join, tag


class Tick(NamedTuple):
    """A mark of an axis."""

    at: float
    label: str


class Point(NamedTuple):
    """A mark in a plot; ``low`` and ``high`` are the ends of its interval, where it has one."""

    x: float
    y: float
    mark: str
    """What stands in it, such as its number in a list beside the plot."""
    words: str
    """What it says where it is pointed at."""
    low: float | None = None
    high: float | None = None
    series: int = 0


SCORES = tuple(Tick(share / 100, f"{share}") for share in (0, 25, 50, 75, 100))
"""An axis of shares in per cent."""
SERIES = 6
"""As many lines are told apart by their colours and dashes."""


def plot(
    points: Iterable[Point],
    xs: Sequence[Tick],
    title: tuple[str, str],
    label: str,
    lines: Sequence[Sequence[tuple[float, float]]] = (),
) -> Markup:
    """A plot of shares over a horizontal axis. ``title``: of both axes; ``label``: what is seen."""
    across, up = title
    inside = [
        *(_at("i", tick, "left", "rule") for tick in xs),
        *(_at("i", tick, "bottom", "rule across") for tick in SCORES),
        _lines(lines) if lines else None,
        *map(_point, points),
    ]
    return tag(
        "div",
        tag("p", up, class_="fine up"),
        tag("div", *(_at("span", tick, "bottom", "tick", tick.label) for tick in SCORES), class_="y"),
        tag("div", *inside, class_="area", role="img", aria_label=label),
        tag("div", *(_at("span", tick, "left", "tick", tick.label) for tick in xs), class_="x"),
        tag("p", across, class_="fine across"),
        class_="plot",
    )  # fmt: skip


def _at(name: str, tick: Tick, side: str, kind: str, *children: Child) -> Markup:
    return tag(name, *children, class_=kind, style=f"{side}:{100 * tick.at:.2f}%")


def _point(point: Point) -> Markup:
    place = f"left:{100 * point.x:.2f}%;bottom:{100 * point.y:.2f}%"
    dot = tag("span", point.mark, class_=f"dot s{point.series}", style=place, title=point.words)
    if point.low is None or point.high is None:
        return dot
    ends = f"bottom:{100 * point.low:.2f}%;height:{100 * (point.high - point.low):.2f}%"
    whisker = f"left:{100 * point.x:.2f}%;{ends}"
    return join([tag("i", class_=f"whisker s{point.series}", style=whisker), dot])


def _lines(lines: Sequence[Sequence[tuple[float, float]]]) -> Markup:
    drawn = (
        tag(
            "polyline",
            points=" ".join(f"{100 * x:.2f},{100 - 100 * y:.2f}" for x, y in line),
            class_=f"s{number % SERIES}",
            vector_effect="non-scaling-stroke",
        )
        for number, line in enumerate(lines)
    )
    return tag("svg", *drawn, viewBox="0 0 100 100", preserveAspectRatio="none", aria_hidden="true")
