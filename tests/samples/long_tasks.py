"""Tasks of any length, woven from many tasks of a suite, and answers to them with many flaws."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Level, Step, Task
from dataset_builder.tools import catalogue
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Trace
from tests.differential.mutations import Draft, numbered, right_answer

_STEP = re.compile(r"\bstep_(\d+)\b")


def long_task(calls: int, seed: int) -> Task:
    """A task of exactly so many calls; the steps of its parts are mixed, each after its sources."""
    rng = random.Random(f"long task {seed}")
    tasks = list(CompositionEngine(seed, counts=(calls, calls, calls, calls)).generate())
    rng.shuffle(tasks)
    parts: list[Task] = []
    left = calls
    for task in tasks:
        if len(task.steps) <= left and not _is_stateful(task):
            parts.append(task)
            left -= len(task.steps)
    assert left == 0, f"the suite has too few tasks for {calls} calls"
    # Each part's steps in their order, the parts mixed.
    turns = [number for number, part in enumerate(parts) for _ in part.steps]
    rng.shuffle(turns)
    places: list[dict[str, str]] = [{} for _ in parts]
    for place, number in enumerate(turns, 1):
        places[number][f"step_{len(places[number]) + 1}"] = f"step_{place}"
    steps = [
        _renumbered(step, places[number])
        for number, part in enumerate(parts)
        for step in part.steps
    ]
    steps.sort(key=lambda step: int(step.step_id.removeprefix("step_")))
    return replace(
        parts[0],
        task_id=f"P_{seed:04}",
        level=Level.DAG,
        prompt="\n".join(part.prompt for part in parts),
        steps=tuple(steps),
        metadata={
            **parts[0].metadata,
            "optional_calls": [call for part in parts for call in part.optional_calls],
        },
    )


def _is_stateful(task: Task) -> bool:
    """Whether a step acts on the episode's state: mixed with others it might give another output."""
    return any(catalogue()[step.tool].is_stateful for step in task.steps)


def _renumbered(step: Step, places: Mapping[str, str]) -> Step:
    def renumber(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renumber(item) for key, item in value.items()}
        if isinstance(value, list):
            return [renumber(item) for item in value]
        if isinstance(value, str) and "{{" in value:
            return _STEP.sub(lambda found: places[found[0]], value)
        return value

    return replace(
        step,
        step_id=places[step.step_id],
        depends_on=tuple(places[source] for source in step.depends_on),
        edges=tuple(replace(edge, source=places[edge.source]) for edge in step.edges),
        alternatives=tuple(
            replace(other, arguments=renumber(other.arguments), match=renumber(other.match))
            for other in step.alternatives
        ),
    )


def flawed_answer(task: Task, seed: int, flaws: float = 0.0, extra: int = 0) -> Trace:
    """The right calls, of which a share is left out, wrong or out of its place, and further calls."""
    rng = random.Random(f"flawed answer {seed}")
    drafts = right_answer(task)
    for _ in range(round(flaws * len(drafts))):
        _spoil(drafts, rng)
    for _ in range(extra):
        again = rng.choice(drafts)
        drafts.insert(rng.randrange(len(drafts) + 1), Draft(None, again.name, again.arguments))
    return Trace(task.task_id, tuple(numbered(drafts)), protocol=SINGLE_TURN, catalogue="full")


def _spoil(drafts: list[Draft], rng: random.Random) -> None:
    place, other = rng.randrange(len(drafts)), rng.randrange(len(drafts))
    way = rng.randrange(4)
    if way == 0:
        del drafts[place]
    elif way == 1:
        drafts[place], drafts[other] = drafts[other], drafts[place]
    elif drafts[place].arguments:
        name = rng.choice(sorted(drafts[place].arguments))
        wrong = "{{1.no_such_field}}" if way == 2 else 4711
        drafts[place].arguments = {**drafts[place].arguments, name: wrong}
