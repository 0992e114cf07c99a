"""Rules that need the scorer: the right answer is worth everything, silence nothing, spam next to it."""

from collections.abc import Iterator
from math import fsum

from dataset_builder.tasks.task import Task
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.audit.rules import Context
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Call, Trace

MOST_SPAM = 0.05


def oracle_perfect(context: Context, task: Task) -> Iterator[str]:
    """The expected calls score 1 in every way: with references in one turn, with values in several."""
    if not task.steps:
        return
    answers = {MULTI_TURN: tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)}
    if not context.is_legacy:
        answers[SINGLE_TURN] = tuple(
            Call(step.tool, arguments_with_references(step, task)) for step in task.steps
        )
    for protocol, calls in answers.items():
        trace = Trace(task.task_id, calls, protocol=protocol, catalogue="full")
        score = context.scorer.score(task, trace)
        # Step and strict are null where calls cannot be replayed.
        if score.score != 1 or score.step not in (1, None) or score.strict is False:
            step = "no" if score.step is None else f"{score.step:.2f}"
            yield (
                f"under {protocol} the expected calls score {score.score:.2f} weighted, "
                f"{step} step ({score.error})"
            )


def silence_zero(context: Context, task: Task) -> Iterator[str]:
    """No call scores 0, so something is expected."""
    if not task.steps:
        yield "expects no call, so an empty answer is the right one"
        return
    score = context.scorer.score(task, Trace(task.task_id, catalogue="full"))
    if score.score or score.step or score.strict:
        yield f"an empty answer scores {score.score:.2f} weighted, {score.step or 0:.2f} step"


def spam_low(context: Context) -> Iterator[tuple[str, str]]:
    """Calling every tool of the full catalogue without arguments scores at most 5 % overall."""
    calls = tuple(Call(name, {}) for name in context.tools)
    scores = [
        context.scorer.score(task, Trace(task.task_id, calls, catalogue="full")).score
        for task in context.suite.tasks
        if task.steps
    ]
    mean = fsum(scores) / max(1, len(scores))
    if mean > MOST_SPAM:
        yield "", f"calling every tool without arguments scores {mean:.3f}"
