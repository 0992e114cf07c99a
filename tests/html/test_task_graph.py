"""The picture of a task: every step and every value on it, nothing on top of anything else."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations

import pytest

from dataset_builder.published.load_suite import published_suite
from dataset_builder.tasks.task import Edge, Task
from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace
from space.html.graph_layout import layers
from space.html.graph_states import graph_words
from space.html.task_graph import graph

SUITE = published_suite()
BY_PATTERN = {task.metadata["pattern"]: task for task in SUITE.tasks}
Box = tuple[float, float, float, float]


def picture(task: Task, calls: tuple[Call, ...] | None = None) -> ET.Element:
    score = None
    if calls is not None:
        score = score_task(task, Trace(task.task_id, calls), catalogue())
    return ET.fromstring(graph(task, score))


def boxes(svg: ET.Element, kind: str) -> list[Box]:
    """The frames of steps or labels: left, top, right, bottom."""
    found = []
    for group in svg.iter("g"):
        if group.attrib["class"].split()[0] == kind:
            rect = group.find("rect")
            assert rect is not None
            x, y, width, height = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("pattern", sorted(BY_PATTERN))
def test_everything_has_a_place_of_its_own(pattern: str) -> None:
    for task in SUITE.tasks:
        if task.metadata["pattern"] != pattern:
            continue
        svg = picture(task)
        steps, labels = boxes(svg, "step"), boxes(svg, "label")
        assert len(steps) == len(task.steps)
        assert len(labels) == sum(len(step.edges) for step in task.steps)
        assert not any(overlap(*pair) for pair in combinations([*steps, *labels], 2)), task.task_id
        width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
        for box in (*steps, *labels):
            assert box[0] >= 0
            assert box[1] >= 0
            assert box[2] <= width
            assert box[3] <= height


@pytest.mark.parametrize("task", BY_PATTERN.values(), ids=BY_PATTERN)
def test_a_step_stands_below_all_that_it_needs(task: Task) -> None:
    drawn = layers(task)
    layer = {stop.source: stop.layer for row in drawn.stops for stop in row if stop.is_step}
    assert sorted(layer) == list(range(len(task.steps)))
    position = {step.step_id: i for i, step in enumerate(task.steps)}
    needed = {(position[s], i) for i, step in enumerate(task.steps) for s in step.depends_on}
    assert set(drawn.routes) == needed
    for (source, target), route in drawn.routes.items():
        assert [stop.layer for stop in route] == list(range(layer[source], layer[target] + 1))


def test_the_words_say_what_the_picture_says() -> None:
    for task in SUITE.tasks:
        words = graph_words(task)
        assert words.count(" is ") >= len(task.steps)
        for step in task.steps:
            assert step.tool in words
            for edge in step.edges:
                assert f"{edge.path} of {edge.source.replace('_', ' ')} as {edge.argument}" in words
    svg = picture(SUITE.tasks[-1])
    assert svg.attrib["role"] == "img"
    assert svg.attrib["aria-label"] == graph_words(SUITE.tasks[-1])


def test_states_are_told_by_signs_and_strokes() -> None:
    task = BY_PATTERN["diamond"]
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
    whole = picture(task, calls)
    said = "".join(whole.itertext())
    assert said.count("✓ right") == len(task.steps)
    assert "✗" not in said
    # The second step is left out: it has no call, and what it should pass on does not flow.
    part = picture(task, (calls[0], *calls[2:]))
    said = "".join(part.itertext())
    assert said.count("✗ no call") == 1
    lost = sum(edge.source == task.steps[1].step_id for step in task.steps for edge in step.edges)
    assert len(re.findall(r"✗ \w+ .*? → ", said)) >= lost > 0
    states = [path.attrib["class"] for path in part.iter("path")]
    assert "flow wrong" in states
    assert "flow right" in states


def test_hostile_names_and_values_stay_text() -> None:
    task = BY_PATTERN["chain"]
    nasty = '</svg><script>alert(1)</script>"\u202e'
    edge = replace(task.steps[1].edges[0], path="x", argument=nasty)
    steps = (
        replace(task.steps[0], tool=nasty, output={"x": nasty * 1000}),
        replace(task.steps[1], edges=(edge,)),
    )
    drawn = graph(replace(task, steps=steps))
    assert "<script" not in drawn
    assert "\u202e" not in ET.fromstring(drawn).findall(".//text")[0].itertext().__next__()
    assert len(drawn) < 5_000


def test_rows_of_another_suite_with_odd_dependencies_are_drawn() -> None:
    task = BY_PATTERN["chain"]
    odd = replace(task.steps[0], depends_on=("step_2", "step_9", "step_1"))
    edges = (Edge("a", "step_9", "b"),)
    steps = (odd, replace(task.steps[1], edges=edges, depends_on=("step_1",)))
    svg = ET.fromstring(graph(replace(task, steps=steps)))
    assert len(boxes(svg, "step")) == 2
    assert boxes(svg, "label") == []
