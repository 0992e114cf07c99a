"""A long procedure's graph as a picture: a row for each step, its dot in the column of its layer.

Where there are more steps than rows that can be read, a row stands for a group of steps that follow
each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dataset_builder.tasks.task import Task
from evaluator.scoring.verdict import TaskScore
from space.base.markup import tag
from space.base.sanitize import clean
from space.html.graph_layout import Line, depths, lines_of
from space.html.graph_states import (
    PLAIN,
    RIGHT,
    STATES,
    flow_state,
    graph_words,
    step_state,
    worst,
)

MOST_ROWS = 64
_ROW, _DOT, _MARGIN = 24, 5, 12
"""The height of a row, the radius of a dot, and what stays free around, in pixels."""
_COLUMN, _COLUMNS = 14, 330
"""The width of a layer, and the most that all take together."""
_CHARACTER, _SMALL = 7.3, 6.7
"""The width of a character of monospaced type, 12 and 11 pixels high."""
_LONGEST_NAME, _LONGEST_TAKES = 40, 96


@dataclass(frozen=True)
class _Row:
    """One step, or steps that follow each other."""

    name: str
    takes: str
    state: str


@dataclass(frozen=True)
class _Rows:
    rows: Sequence[_Row]
    lines: dict[Line, str]
    """The state of what flows from one row to a later one."""


def long_graph(task: Task, score: TaskScore | None = None) -> Markup:
    """An SVG element of the steps from top to bottom, each below and to the right of all that it needs."""
    size = group_size(len(task.steps))
    drawn = _grouped(task, score, size) if size > 1 else _stepwise(task, score)
    layer = depths(len(drawn.rows), sorted(drawn.lines, key=lambda line: line[1]))
    column = min(_COLUMN, _COLUMNS / (max(layer) + 1))
    dots = [(_MARGIN + column * depth, _MARGIN + _ROW * (i + 0.5)) for i, depth in enumerate(layer)]
    left = max(x for x, _ in dots) + 2 * _MARGIN
    width = left + max(_CHARACTER * len(r.name) + _SMALL * len(r.takes) for r in drawn.rows) + 24
    height = 2 * _MARGIN + _ROW * len(drawn.rows)
    parts = [
        _draw_row(row, i, dots, [line for line in drawn.lines.items() if line[0][1] == i], left)
        for i, row in enumerate(drawn.rows)
    ]
    words = graph_words(task, score)
    if size > 1:
        words = f"The {len(task.steps)} steps in {len(drawn.rows)} groups; the calls stand below."
    box = f"0 0 {round(width)} {round(height)}"
    sides = {"width": round(width), "height": round(height)}
    return tag("svg", *parts, role="img", aria_label=words, viewBox=box, class_="graph", **sides)


def group_size(steps: int) -> int:
    """How many steps a row stands for: 1 up to `MOST_ROWS`, then so many that half as many rows do."""
    return 1 if steps <= MOST_ROWS else -(-steps // (MOST_ROWS // 2))


def _stepwise(task: Task, score: TaskScore | None) -> _Rows:
    position = {step.step_id: i for i, step in enumerate(task.steps)}
    rows, lines = [], dict.fromkeys(lines_of(task), PLAIN)
    for i, step in enumerate(task.steps):
        state = step_state(score, i)
        sign = STATES[state].partition(" ")[0]
        flows: dict[int, list[str]] = {}
        for number, edge in enumerate(step.edges):
            source = position.get(edge.source, i)
            if (source, i) in lines:
                flows.setdefault(source, []).append(edge.path)
                lines[source, i] = worst([lines[source, i], flow_state(score, i, number)])
        takes = ", ".join(f"{' + '.join(paths)} of {s + 1}" for s, paths in flows.items())
        name = clean(f"{f'{sign} ' if sign else ''}{i + 1} {step.tool}", _LONGEST_NAME)
        rows.append(_Row(name, clean(f"← {takes}", _LONGEST_TAKES) if takes else "", state))
    return _Rows(rows, lines)


def _grouped(task: Task, score: TaskScore | None, size: int) -> _Rows:
    steps = range(len(task.steps))
    groups = [steps[start : start + size] for start in steps[::size]]
    single = _stepwise(task, score)
    lines: dict[Line, str] = {}
    for (source, target), state in single.lines.items():
        line = (source // size, target // size)
        if line[0] != line[1]:
            lines[line] = worst([lines.get(line, PLAIN), state])
    rows = []
    for group in groups:
        states = [single.rows[position].state for position in group]
        right = f", {states.count(RIGHT)} right" if score else ""
        tools = ", ".join(dict.fromkeys(task.steps[position].tool for position in group))
        sources = sorted(source + 1 for source, target in single.lines if target in group)
        outside = [source for source in dict.fromkeys(sources) if source <= group[0]]
        takes = f" ← {', '.join(map(str, outside))}" if outside else ""
        name = f"{group[0] + 1}–{group[-1] + 1}{right}"
        rows.append(_Row(name, clean(f"{clean(tools, 44)}{takes}", _LONGEST_TAKES), worst(states)))
    return _Rows(rows, lines)


# Drawing --------------------------------------------------------------------------------------


def _draw_row(
    row: _Row,
    number: int,
    dots: Sequence[tuple[float, float]],
    into: Sequence[tuple[Line, str]],
    left: float,
) -> Markup:
    """The lines into a row, its dot and its words."""
    x, y = dots[number]
    parts = [_draw_line(dots[source], (x, y), state) for (source, _), state in into]
    leader = f"M{x + 2 * _DOT:.0f} {y:.0f}H{left - _DOT:.0f}"
    parts.append(tag("path", d=leader, class_="leader"))
    parts.append(tag("circle", cx=round(x), cy=round(y), r=_DOT))
    takes = tag("tspan", row.takes, dx=10, class_="takes") if row.takes else ""
    parts.append(tag("text", row.name, takes, x=round(left), y=round(y + 4)))
    return tag("g", *parts, class_=f"row {row.state}")


def _draw_line(start: tuple[float, float], end: tuple[float, float], state: str) -> Markup:
    """Down from one dot, then across to the other, which stands further to the right."""
    (x, y), (to_x, to_y) = start, end
    bend = min(to_x - x, _ROW / 2)
    path = f"M{x:.0f} {y + _DOT:.0f}V{to_y - bend:.0f}q0 {bend:.0f} {bend:.0f} {bend:.0f}"
    return tag("path", d=f"{path}H{to_x - _DOT:.0f}", class_=f"flow {state}")
