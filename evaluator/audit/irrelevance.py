"""Rules about requests that no tool serves (level 5). That none serves them was judged by reading."""

import re
from collections.abc import Iterator

from dataset_builder.tasks.irrelevance import OFFERED
from dataset_builder.tasks.task import Task
from evaluator.audit.rules import Context
from evaluator.traces.trace import Call, Trace

# What a tool could be tried on: figures, addresses, paths, code, references.
_VALUE = re.compile(r"\d|@|://|www\.|(?<!\w)/\w|\w\.(?:com|org|net|txt|csv|pdf)\b|[{}\[\]<>=_]")


def counts(context: Context) -> Iterator[tuple[str, str]]:
    """Ids run on."""
    for number, task in enumerate(context.suite.tasks, 1):
        if task.task_id != task.level.task_id(number):
            yield task.task_id, f"should be {task.level.task_id(number)}"


def no_call(context: Context, task: Task) -> Iterator[str]:
    """Nothing is expected, and no call is excused."""
    if task.steps:
        yield f"expects {len(task.steps)} calls"
    if task.optional_calls:
        yield "has optional calls"
    if task.metadata.get("categories"):
        yield "has categories of tools"


def nearest_named(context: Context, task: Task) -> Iterator[str]:
    """The nearest tool is of the catalogue and offered, and a sentence says why it does not serve."""
    nearest = task.metadata.get("nearest_tool")
    if nearest not in context.tools:
        yield f"the nearest tool, {nearest!r}, is not in the catalogue"
    if nearest not in task.offered:
        yield f"the nearest tool, {nearest!r}, is not offered"
    why = task.metadata.get("why")
    if not isinstance(why, str) or not why.endswith("."):
        yield "does not say in a sentence why the nearest tool does not serve"


def offers(context: Context, task: Task) -> Iterator[str]:
    """Six different tools of the catalogue are offered, as they stand there."""
    if len(set(task.offered)) != OFFERED or len(task.offered) != OFFERED:
        yield f"offers {len(set(task.offered))} different tools, not {OFFERED}"
    for name, schema in zip(task.offered, task.schemas, strict=True):
        if name not in context.tools or context.tools[name].schema_json != schema:
            yield f"offers {name} otherwise than the catalogue has it"


def no_value(context: Context, task: Task) -> Iterator[str]:
    """The prompt states no figure, address, path or code, which a tool could be called with."""
    if match := _VALUE.search(task.prompt):
        yield f"the prompt states a value: {match.group()!r}"


def silence_right(context: Context, task: Task) -> Iterator[str]:
    """No call scores 1, and a call of any offered tool 0."""
    answers = {"no call": (), **{name: (Call(name, {}),) for name in task.offered}}
    for what, calls in answers.items():
        score = context.scorer.score(task, Trace(task.task_id, calls, catalogue="task"))
        expected = float(not calls)
        if (score.score, score.step, score.strict) != (expected, expected, not calls):
            yield f"{what} scores {score.score:.2f} weighted, {score.step or 0:.2f} step"
