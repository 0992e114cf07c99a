"""A model that is equally good at every call, whatever the level: what gaps of scores mean nothing."""

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Step, Suite, Task
from dataset_builder.tools import catalogue
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.comparing.results import Result, template_of
from evaluator.scoring.score_traces import score
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Call, Trace


def null_result(suite: Suite, seed: int, skill: float = 0.7) -> Result:
    """Each call is right with the same chance; a failed one has half of its arguments wrong.

    Wrong values are those of other tasks, so that the call still works; what flows from it flows on.
    """
    name = f"null-{seed}"
    draw = random.Random(seed)
    traces = [_trace(task, name, draw, skill) for task in suite.tasks]
    return Result(name, score(traces, suite), {}, template_of(suite))


def _trace(task: Task, model: str, draw: random.Random, skill: float) -> Trace:
    calls = []
    for step in task.steps:
        arguments = arguments_with_references(step, task)
        if draw.random() >= skill:
            arguments = _spoilt(step, arguments, draw)
        calls.append(Call(step.tool, arguments))
    return Trace(task.task_id, tuple(calls), model, protocol=SINGLE_TURN, catalogue="full")


def _spoilt(step: Step, arguments: Mapping[str, Any], draw: random.Random) -> dict[str, Any]:
    """Half of the arguments that can be wrong, rounded up; those that take no value from a call first."""
    fed = {edge.argument.split(".")[0] for edge in step.edges}
    wrong = {name: _others(step, name) for name in arguments}
    names = [name for name in arguments if wrong[name]]
    draw.shuffle(names)
    names.sort(key=lambda name: name in fed)
    chosen = names[: (len(arguments) + 1) // 2]
    return {**arguments, **{name: draw.choice(wrong[name]) for name in chosen}}


def _others(step: Step, name: str) -> list[Any]:
    """Values of the argument in other tasks that are not this step's by the argument's kind."""
    kind = catalogue()[step.tool].parameters[name].kind
    if kind.is_free or step.match.get(name, {}).get("rule") == "open":
        return []
    own = step.arguments[name]
    return [value for value in _values().get((step.tool, name), ()) if repr(value) != repr(own)]


@lru_cache(maxsize=1)
def _values() -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for seed in range(1, 6):
        for task in CompositionEngine(seed).generate():
            for step in task.steps:
                for name, value in step.arguments.items():
                    found.setdefault((step.tool, name), {})[repr(value)] = value
    return {key: list(values.values()) for key, values in found.items()}
