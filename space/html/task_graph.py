"""A task's graph as a picture: its steps in layers from top to bottom, and on the lines what flows."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from dataset_builder.tasks.task import Step, Task
from dataset_builder.values.references import dig
from evaluator.scoring.verdict import TaskScore
from space.base.markup import tag
from space.base.sanitize import clean
from space.html.graph_layout import Layers, Line, Stop, layers
from space.html.graph_states import (
    PLAIN,
    RIGHT,
    STATES,
    WRONG,
    flow_state,
    graph_words,
    step_state,
    worst,
)
from space.html.long_graph import long_graph

BOX_WIDTH, BOX_HEIGHT = 186, 44
_COLUMN, _PASSING = 206, 34
"""Pixels that a step takes in its layer, and that a line takes which passes through the layer."""
_GUTTER, _LABEL, _MARGIN, _HEAD = 34, 19, 8, 8
"""The height between layers without labels, and of a label; the margin; an arrow's head."""
_CHARACTER = 6.7
"""The width of a character of a label, in monospaced type of 11 pixels."""
_LONGEST_VALUE, _LONGEST_LABEL, _LONGEST_LITERALS = 24, 56, 30

MOST_BOXES = 8
"""Of more steps a picture with boxes is wider than what people look at."""


_SIGNS = {RIGHT: "✓ ", WRONG: "✗ ", PLAIN: ""}
"""Before what flows, whether it did."""


class _Label(NamedTuple):
    """What flows along a line, and whether it did."""

    text: str
    state: str


class _Point(NamedTuple):
    x: float
    y: float


def graph(task: Task, score: TaskScore | None = None) -> Markup:
    """An SVG element of the steps and of what flows; with a score, how far a run got.

    Signs and strokes say what the colours say, and `graph_words` what the picture says.
    """
    if len(task.steps) > MOST_BOXES:
        return long_graph(task, score)
    drawn = layers(task)
    labels = {line: _labels(task, line, score) for line in drawn.routes}
    longest = max(
        (len(label.text) for line_labels in labels.values() for label in line_labels), default=0
    )
    rooms = [sum(map(_room, layer)) for layer in drawn.stops]
    width = max(*rooms, longest * _CHARACTER + 12, BOX_WIDTH) + 2 * _MARGIN
    places = _places(drawn, width, labels)
    parts = [
        part for line in drawn.routes for part in _draw_line(drawn, line, places, labels[line])
    ]
    parts += _draw_labels(drawn, places, labels, width)
    parts += [
        _draw_step(
            f"{i + 1} {task.steps[i].tool}",
            step_state(score, i),
            _literals(task.steps[i]),
            places[stop],
        )
        for layer in drawn.stops
        for stop in layer
        for i in [stop.source] * stop.is_step
    ]
    words = graph_words(task, score)
    height = max(point.y for point in places.values()) + BOX_HEIGHT + _MARGIN
    size = {"width": round(width), "height": round(height)}
    box = f"0 0 {round(width)} {round(height)}"
    return tag("svg", *parts, role="img", aria_label=words, viewBox=box, class_="graph", **size)


def _labels(task: Task, line: Line, score: TaskScore | None) -> list[_Label]:
    source, step = task.steps[line[0]], task.steps[line[1]]
    labels = []
    for number, edge in enumerate(step.edges):
        if edge.source != source.step_id:
            continue
        state = flow_state(score, line[1], number)
        sign = _SIGNS[state]
        value = _short(dig(dict(source.output), edge.path))
        text = f"{sign}{edge.path}{f' {value}' if value else ''} → {edge.argument}"
        labels.append(_Label(clean(text, _LONGEST_LABEL), state))
    return labels


def _short(value: Any) -> str:
    """A value as it fits on a line; nothing for an output that the suite does not tell."""
    try:
        return clean(json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)
    except TypeError:
        return ""


# Places ---------------------------------------------------------------------------------------


def _room(stop: Stop) -> int:
    return _COLUMN if stop.is_step else _PASSING


def _places(drawn: Layers, width: float, labels: dict[Line, list[_Label]]) -> dict[Stop, _Point]:
    """The middle of the upper edge of each stop."""
    places: dict[Stop, _Point] = {}
    y = float(_MARGIN)
    for number, layer in enumerate(drawn.stops):
        if number:
            y += BOX_HEIGHT + _GUTTER + _LABEL * sum(len(labels[i]) for i in _into(drawn, number))
        x = (width - sum(map(_room, layer))) / 2
        for stop in layer:
            places[stop] = _Point(x + _room(stop) / 2, y)
            x += _room(stop)
    return places


def _into(drawn: Layers, layer: int) -> list[Line]:
    """The lines that end in a layer."""
    return [line for line, route in drawn.routes.items() if route[-1].layer == layer]


def _port(drawn: Layers, line: Line, places: dict[Stop, _Point]) -> _Point:
    """Where a line meets the box that it leads to: lines into one box stand side by side."""
    end = drawn.routes[line][-1]
    into = sorted(
        (other for other in drawn.routes if other[1] == line[1]),
        key=lambda other: places[drawn.routes[other][-2]].x,
    )
    share = (into.index(line) + 1) / (len(into) + 1) - 0.5
    return _Point(places[end].x + share * 0.7 * BOX_WIDTH, places[end].y)


# Drawing --------------------------------------------------------------------------------------


def _draw_line(
    drawn: Layers, line: Line, places: dict[Stop, _Point], labels: Sequence[_Label]
) -> list[Markup]:
    """A line past the layers between its ends, and its head. It is broken where a value did not flow."""
    first, *between, _ = drawn.routes[line]
    at = _Point(places[first].x, places[first].y + BOX_HEIGHT)
    path = f"M{at.x:.0f} {at.y:.0f}"
    for stop in between:
        path += _curve(at, places[stop]) + f"V{places[stop].y + BOX_HEIGHT:.0f}"
        at = _Point(places[stop].x, places[stop].y + BOX_HEIGHT)
    x, y = _port(drawn, line, places)
    path += _curve(at, _Point(x, y - _HEAD))
    state = worst(label.state for label in labels)
    head = f"M{x - 5:.0f} {y - _HEAD:.0f}h10L{x:.0f} {y:.0f}Z"
    return [
        tag("path", d=path, class_=f"flow {state}"),
        tag("path", d=head, class_=f"head {state}"),
    ]


def _curve(start: _Point, end: _Point) -> str:
    middle = (start.y + end.y) / 2
    return f"C{start.x:.0f} {middle:.0f} {end.x:.0f} {middle:.0f} {end.x:.0f} {end.y:.0f}"


def _draw_labels(
    drawn: Layers, places: dict[Stop, _Point], labels: dict[Line, list[_Label]], width: float
) -> list[Markup]:
    """Each label on its line, above the layer where that ends, at a height of its own."""
    parts = []
    for layer in range(1, len(drawn.stops)):
        into = sorted(_into(drawn, layer), key=lambda line: _port(drawn, line, places).x)
        top = places[drawn.stops[layer - 1][0]].y + BOX_HEIGHT
        bottom = places[drawn.stops[layer][0]].y - _HEAD
        y = top + _GUTTER / 2
        for line in into:
            start, end = places[drawn.routes[line][-2]].x, _port(drawn, line, places).x
            for label in labels[line]:
                half = (len(label.text) * _CHARACTER + 8) / 2
                t = (y - top) / (bottom - top)
                x = start + (end - start) * t * t * (3 - 2 * t)
                x = min(max(x, half + 2), width - half - 2)
                parts.append(_draw_label(label, x, y, half))
                y += _LABEL
    return parts


def _draw_label(label: _Label, x: float, y: float, half: float) -> Markup:
    back = tag("rect", x=round(x - half), y=round(y - 8), width=round(2 * half), height=16, rx=3)
    text = tag("text", label.text, x=round(x), y=round(y + 4), text_anchor="middle")
    return tag("g", back, text, class_=f"label {label.state}")


def _literals(step: Step) -> str:
    """The arguments of a call that nothing flows into, as they fit into its box."""
    flowing = {edge.argument.partition(".")[0] for edge in step.edges}
    literals = (
        f"{name}: {value if isinstance(value, str) else _short(value)}"
        for name, value in step.arguments.items()
        if name not in flowing
    )
    return clean(", ".join(literals), _LONGEST_LITERALS)


def _draw_step(name: str, state: str, literals: str, at: _Point) -> Markup:
    """A box with the tool's name and, below it, how far a run got; without a run, what the call says."""
    below, kind = (STATES[state], "state") if state != PLAIN else (literals, "literals")
    left, middle = round(at.x - BOX_WIDTH / 2), round(at.x)
    box = tag("rect", x=left, y=round(at.y), width=BOX_WIDTH, height=BOX_HEIGHT, rx=6)
    first = round(at.y + (18 if below else 27))
    lines = [tag("text", clean(name, 26), x=middle, y=first, text_anchor="middle")]
    if below:
        second = round(at.y + 35)
        lines.append(tag("text", below, x=middle, y=second, text_anchor="middle", class_=kind))
    return tag("g", box, *lines, class_=f"step {state}")
