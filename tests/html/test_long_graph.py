"""Long procedures as pictures: a row for each step or group, nothing on top of anything else."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest

from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.tasks.task import Level, Suite, Task
from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace
from space.board.board import Board
from space.html.long_graph import MOST_ROWS, group_size
from space.html.task_graph import MOST_BOXES, graph
from space.html.task_list import task_rows, task_table
from space.html.task_page import task_page
from space.html.task_query import TaskAddress, TaskQuery, choices, select
from tests.samples.small_suite import small_suite


@lru_cache(maxsize=8)
def procedure(calls: int) -> Task:
    return make_procedure(calls, Dials(form="prose"), seed=7)


def rows(svg: ET.Element) -> list[ET.Element]:
    return [g for g in svg.iter("g") if g.attrib["class"].startswith("row ")]


@pytest.mark.parametrize("calls", [9, 16, 32, 64])
def test_each_step_has_a_row_of_its_own(calls: int) -> None:
    task = procedure(calls)
    svg = ET.fromstring(graph(task))
    drawn = rows(svg)
    assert len(drawn) == calls
    heights = [float(row.find("text").attrib["y"]) for row in drawn]  # type: ignore[union-attr]
    assert all(b - a >= 16 for a, b in pairwise(heights))
    for i, (row, step) in enumerate(zip(drawn, task.steps, strict=True), 1):
        words = "".join(row.itertext())
        assert words.startswith(f"{i} {step.tool}")
        for source in step.depends_on:
            assert f" of {source.removeprefix('step_')}" in words
    flows = [path for path in svg.iter("path") if path.attrib["class"].startswith("flow")]
    assert len(flows) == sum(len(step.depends_on) for step in task.steps)


def test_a_dot_stands_to_the_right_of_all_that_it_needs() -> None:
    task = procedure(32)
    dots = [row.find("circle").attrib["cx"] for row in rows(ET.fromstring(graph(task)))]  # type: ignore[union-attr]
    for i, step in enumerate(task.steps):
        for source in step.depends_on:
            assert float(dots[int(source.removeprefix("step_")) - 1]) < float(dots[i])


@pytest.mark.parametrize("calls", [MOST_ROWS + 1, 128, 256])
def test_more_steps_than_rows_are_grouped(calls: int) -> None:
    assert group_size(MOST_ROWS) == 1
    svg = ET.fromstring(graph(procedure(calls)))
    drawn = rows(svg)
    assert MOST_ROWS / 4 < len(drawn) <= MOST_ROWS / 2
    first, last = ("".join(row.itertext()) for row in (drawn[0], drawn[-1]))
    assert first.startswith(f"1–{group_size(calls)}")
    assert f"–{calls}" in last
    assert float(svg.attrib["height"]) < 900
    assert len(svg.attrib["aria-label"]) < 100


def test_how_far_a_run_got_is_said_by_signs() -> None:
    task = procedure(16)
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
    missing = replace(Trace(task.task_id, calls[:-1]), model="m")
    words = ["".join(row.itertext()) for row in rows(picture(task, missing))]
    assert words[0].startswith("✓ 1 ")
    assert words[-1].startswith("✗ 16 ")
    states = [row.attrib["class"] for row in rows(picture(task, missing))]
    assert states == ["row right"] * 15 + ["row missing"]


def test_groups_count_what_is_right() -> None:
    task = procedure(128)
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps[:-1])
    words = ["".join(row.itertext()) for row in rows(picture(task, Trace(task.task_id, calls)))]
    assert words[0].startswith("1–4, 4 right")
    assert words[-1].startswith("125–128, 3 right")


def picture(task: Task, trace: Trace) -> ET.Element:
    return ET.fromstring(graph(task, score_task(task, trace, catalogue())))


def test_hostile_names_stay_text() -> None:
    task = procedure(16)
    nasty = '</svg><script>alert(1)</script>"\u202e' * 50
    steps = tuple(replace(step, tool=nasty) for step in task.steps)
    drawn = graph(replace(task, steps=steps))
    assert "<script" not in drawn
    for row in rows(ET.fromstring(drawn)):
        assert len("".join(row.itertext())) < 200
        assert "\u202e" not in "".join(row.itertext())


def test_expected_calls_are_folded_away_where_there_are_many() -> None:
    short, long = task_page(procedure(MOST_BOXES)), task_page(procedure(16))
    assert 'class="steps"' not in short
    assert long.count('class="steps"') == 2
    assert "1 to 8: " in long
    assert "9 to 16: " in long
    for page in (short, long):
        assert "Procedure" in page


def test_the_list_has_the_procedures_of_a_suite_by_their_level() -> None:
    small = small_suite()
    numbered = replace(procedure(9), task_id=Level.PROCEDURE.task_id(1))
    suite = Suite(small.version, small.seed, (*small.tasks, numbered))
    listed = task_rows(Board(()), suite, None)
    levels = choices(listed)[0]
    assert "Procedure" in levels
    assert "L0" in levels
    (only,) = select(listed, TaskQuery((("Procedure",), (), (), (), ())))
    assert only.task.task_id == "P_0001"
    assert "P_0001" in task_table([only], None, TaskAddress())
