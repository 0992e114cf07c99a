"""The four levels as small pictures of dots, which are calls, and lines, along which values flow."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from dataset_builder.tasks.task import SUITE_LEVELS, Level
from space.base.markup import tag

_WIDTH, _HEIGHT, _DOT = 76, 44, 5


class _Shape(NamedTuple):
    """What a level looks like: places of its calls, and pairs of them along which a value flows."""

    calls: Sequence[tuple[int, int]]
    flows: Sequence[tuple[int, int]]
    words: str


_SHAPES = {
    Level.NODE: _Shape([(38, 22)], [], "one call"),
    Level.CHAIN: _Shape([(16, 22), (60, 22)], [(0, 1)], "a call that needs the one before"),
    Level.PARALLEL: _Shape(
        [(16, 9), (16, 35), (60, 22)], [(0, 2), (1, 2)], "calls side by side, then joined"
    ),
    Level.DAG: _Shape(
        [(10, 9), (10, 35), (38, 9), (38, 35), (66, 22)],
        [(0, 2), (1, 3), (0, 3), (2, 4), (3, 4)],
        "calls that branch and merge",
    ),
}


def level_pictures() -> Markup:
    """A list of the levels: picture, name, and what it means in a few words."""
    return tag("ul", *map(_item, SUITE_LEVELS), class_="levels")


def _item(level: Level) -> Markup:
    shape = _SHAPES[level]
    name = tag("b", level.title, " ", tag("small", f"L{level.value}"))
    return tag("li", _picture(shape), tag("span", name, " ", tag("span", shape.words)))


def _picture(shape: _Shape) -> Markup:
    lines = []
    for start, end in shape.flows:
        (x1, y1), (x2, y2) = shape.calls[start], shape.calls[end]
        lines.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2))
    dots = (tag("circle", cx=x, cy=y, r=_DOT) for x, y in shape.calls)
    size = {"width": _WIDTH, "height": _HEIGHT}
    return tag("svg", *lines, *dots, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", aria_hidden="true", **size)
