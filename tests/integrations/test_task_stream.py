"""The stream: the same tasks everywhere, resumed and shared out without overlap, nothing published."""

import hashlib
import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Level
from dataset_builder.tools import catalogue
from evaluator.integrations.task_stream import RESERVED_SEEDS, TaskStream
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace

ROOT = Path(__file__).parents[2]
MIXED = {"L0": 1, "L1": 2, "L2": 1, "L3": 1, "P8": 1}
STREAM = TaskStream(7, MIXED)


def digest(seed: int) -> str:
    rows = [task.to_row() for task in islice(TaskStream(seed, MIXED).tasks(), 40)]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def test_the_same_seed_gives_the_same_stream_in_another_process() -> None:
    code = "from tests.integrations.test_task_stream import digest; print(digest(7))"
    other = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == digest(7) != digest(8)


def test_a_task_hangs_on_its_index_alone() -> None:
    forwards = [STREAM[index].to_row() for index in range(30)]
    again = TaskStream(7, dict(reversed(MIXED.items())))
    assert [again[index].to_row() for index in reversed(range(30))] == forwards[::-1]
    assert STREAM[10**12].prompt


@given(
    start=st.integers(0, 10**6),
    more=st.integers(0, 50),
    workers=st.integers(1, 9),
)
@settings(max_examples=20, deadline=None)
def test_shares_are_all_tasks_once_wherever_they_go_on(start: int, more: int, workers: int) -> None:
    stream = TaskStream(7, {"L0": 1})
    shares = [
        [task.task_id for task in islice(stream.tasks(start, worker, workers), 3)]
        for worker in range(workers)
    ]
    made = sorted(task_id for share in shares for task_id in share)
    whole = sorted(task.task_id for task in islice(stream.tasks(start), 3 * workers))
    assert made == whole
    first = next(stream.tasks(start + more * workers, 0, workers)).task_id
    assert first in {task.task_id for task in islice(stream.tasks(start, 0, workers), more + 1)}


def test_nothing_held_out_is_trained_on_under_any_seed() -> None:
    trained = {
        task.prompt for seed in (1, 2) for task in islice(TaskStream(seed, MIXED).tasks(), 400)
    }
    held_out = {task.prompt for task in islice(TaskStream(1, MIXED, held_out=True).tasks(), 200)}
    assert len(held_out) > 150
    assert not held_out & trained


def test_no_prompt_is_published() -> None:
    published = {task.prompt: task for task in load_suite().tasks}
    # Where templates have few values, a stream would come to those of the suite.
    tools = {task.expected_tools[0] for task in published.values() if task.level is Level.NODE}
    narrow = [TaskStream(9, {"L0": 1}, tools=[name]) for name in sorted(tools)]
    drawn = {task.prompt for stream in narrow for task in islice(stream.tasks(), 20)}
    assert not published.keys() & drawn


def test_every_task_can_be_solved_and_bears_no_canary() -> None:
    kinds = set()
    for task in islice(STREAM.tasks(), 60):
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
        assert score_task(task, Trace(task.task_id, calls), catalogue()).strict
        assert STREAM.task(task.task_id) == task
        assert "canary" not in json.dumps(task.to_row())
        kinds.add((task.level, len(task.steps) if task.level is Level.PROCEDURE else 0))
    assert kinds == {(level, 0) for level in Level if level < 4} | {(Level.PROCEDURE, 8)}


def test_the_seeds_of_all_kept_answers_are_reserved() -> None:
    names = [path.stem for path in (ROOT / "docs/validation").glob("*.jsonl")]
    seeds = {int(re.findall(r"[0-9]+", name)[0]) for name in names}
    assert seeds == set(RESERVED_SEEDS)


@pytest.mark.parametrize("seed", RESERVED_SEEDS)
def test_a_published_seed_is_refused(seed: int) -> None:
    with pytest.raises(InputError, match=f"seed {seed} is published") as refused:
        TaskStream(seed)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("seed", "mix", "told"),
    [
        (-1, {"L0": 1}, "expected a whole number"),
        (True, {"L0": 1}, "expected a whole number"),
        ("42", {"L0": 1}, "expected a whole number"),
        (1, {}, "the mix is empty"),
        (1, {"L4": 1}, "expected L0 to L3"),
        (1, {"P0": 1}, "expected L0 to L3"),
        (1, {"P1025": 1}, "at most 1024"),
        (1, {"L0": 0}, "a weight above 0"),
        (1, {"L0": float("inf")}, "a weight above 0"),
        (1, {"L0": float("nan")}, "a weight above 0"),
    ],
)
def test_what_cannot_be_had_is_said(seed: int, mix: dict[str, float], told: str) -> None:
    with pytest.raises(InputError, match=told):
        TaskStream(seed, mix)


def test_what_is_not_of_the_stream_is_said() -> None:
    for index in (-1, 1.0, True):
        with pytest.raises(InputError, match="expected a whole number from 0"):
            STREAM[index]  # type: ignore[index]
    for task_id in ("L0_node_0001", "", "P_0000.s7x", "L0_node_0000.s8", "L3_dag_00000.s7"):
        with pytest.raises(InputError, match="no task of this stream"):
            STREAM.task(task_id)
    with pytest.raises(InputError, match="expected 0 to 3"):
        STREAM.tasks(worker=4, workers=4)
    with pytest.raises(InputError, match="leave tools out"):
        TaskStream(1, {"P8": 1}, tools=["calculator"])
    with pytest.raises(InputError, match="needs these tools alone"):
        TaskStream(1, {"L0": 1}, tools=["nothing"])
