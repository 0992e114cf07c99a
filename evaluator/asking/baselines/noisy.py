"""An agent that errs in each call with a known probability, so that its horizon is known.

    baseline:noisy-0.99      # ln 0.5 / ln 0.99 = 69 calls

Each error makes its own call wrong for sure, and others only where no better one is found: a value that
differs, the result of another call in place of the right one, or, where nothing hangs on it, no call.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.references import dig
from evaluator.asking.baselines.oracle_and_dump import (
    PlannedCall,
    arguments_with_references,
    planned,
)
from evaluator.asking.request_reply import Request
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace

NOISY = "baseline:noisy-"
_NAME = re.compile(rf"{NOISY}(0\.\d{{0,5}}[1-9])")
_DIGIT = re.compile(r"\d(?=\D*$)")

Arguments = dict[str, Any]
ErrorRate = Callable[[int], float]
"""The probability that a call is wrong, by its 0-based place in the order of execution."""


def accuracy(model: str) -> float | None:
    """P of ``baseline:noisy-P``, between 0 and 1 and without a zero at its end; None for any other name."""
    match = _NAME.fullmatch(model)
    return float(match[1]) if match else None


def noisy(request: Request, error_rate: ErrorRate, name: str) -> list[PlannedCall]:
    """The oracle's calls with errors; the same for the same task, sample and name of the agent."""
    task = request.task
    draw = Draw(f"{name}|{task.task_id}|{task.prompt}|{request.sample}")
    wrong = {
        step.step_id
        for place, step in enumerate(task.steps)
        if draw.fraction(step.step_id) < error_rate(place)
    }
    needed = {other for step in task.steps for other in step.depends_on}
    missing = {
        each
        for each in wrong - needed
        if draw.choice(f"{each} error", ("value", "reference", "call")) == "call"
    }
    kept = replace(task, steps=tuple(each for each in task.steps if each.step_id not in missing))

    def call_of(step: Step) -> PlannedCall:
        if step.step_id in wrong:
            return _wrong_call(step, kept, draw)
        return step.tool, arguments_with_references(step, kept)

    return planned(request, kept.steps, call_of)


def _wrong_call(step: Step, task: Task, draw: Draw) -> PlannedCall:
    """A call that is wrong, if possible one that gives all that others need of it."""
    right = arguments_with_references(step, task)
    errors = [*_other_references(step, task), *_other_values(step, task)]
    failing: PlannedCall | None = None
    for argument, written, value in draw.sample(f"{step.step_id} how", errors, len(errors)):
        arguments = {**step.arguments, argument: value}
        if _is_right_for_any(step.tool, arguments, task):
            continue
        call = step.tool, {**right, argument: written}
        if _gives_what_is_needed(step, arguments, task):
            return call
        failing = failing or call
    # There is no tool of that name.
    return failing or (f"{step.tool}s", right)


def _is_right_for_any(tool: str, arguments: Arguments, task: Task) -> bool:
    """Whether a call is right for a step of the task: two errors that change places would be none."""
    trace = Trace(task.task_id, (Call(tool, arguments),))
    same_tool = [step for step in task.steps if step.tool == tool]
    alone = [replace(step, depends_on=(), edges=(), alternatives=()) for step in same_tool]
    scores = [score_task(replace(task, steps=(step,)), trace, catalogue()) for step in alone]
    return any(score.steps[0].is_right for score in scores)


def _gives_what_is_needed(step: Step, arguments: Arguments, task: Task) -> bool:
    """Whether a call runs and gives every value that flows from its step."""
    output = catalogue()[step.tool](arguments, World())
    if "error" in output:
        return False
    paths = [e.path for other in task.steps for e in other.edges if e.source == step.step_id]
    try:
        return all(dig(output, path) is not None for path in paths)
    except (LookupError, TypeError, ValueError):
        return False


Error = tuple[str, Any, Any]
"""An argument, what is written in its place, and the value that this is when all else is right."""


def _other_references(step: Step, task: Task) -> Iterator[Error]:
    """Another result of the same type in place of one that flows, from any earlier call."""
    whole = {
        edge.argument for edge in step.edges if edge.argument in step.arguments
    } - step.match.keys()
    for number, other in enumerate(task.steps, 1):
        if other.step_id == step.step_id:
            return
        for field, value in other.output.items():
            for argument in sorted(whole):
                if type(value) is type(step.arguments[argument]):
                    yield argument, f"{{{{{number}.{field}}}}}", value


def _other_values(step: Step, task: Task) -> Iterator[Error]:
    """Another value in place of one that the prompt states."""
    fed = {edge.argument.partition(".")[0] for edge in step.edges}
    for argument, value in step.arguments.items():
        if argument in fed and argument not in step.match:
            continue
        for other in _near_values(step, argument, value, task):
            yield argument, other, other


def _near_values(step: Step, argument: str, value: Any, task: Task) -> Iterator[Any]:
    """Values that one might give by mistake."""
    for other in task.steps:
        if other.tool == step.tool and other.arguments.get(argument, value) != value:
            yield other.arguments[argument]
    schema = catalogue()[step.tool].schema["function"]["parameters"]["properties"][argument]
    yield from (choice for choice in schema.get("enum", ()) if choice != value)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value * 2, value + 10)
    elif isinstance(value, str):
        yield from _near_texts(value)
    elif isinstance(value, list) and value:
        yield from (value[:-1], [*value, value[0]])


def _near_texts(text: str) -> Iterator[str]:
    yield _DIGIT.sub(lambda digit: str((int(digit[0]) + 1) % 10), text)
    yield f"{text} again"
    yield text.rpartition(" ")[0] or f"{text}s"
