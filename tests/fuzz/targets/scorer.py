"""The scorer: whatever a row says, its scores are shares, and only what is right in all is solved."""

from collections.abc import Iterator
from math import isclose

from dataset_builder.tasks.task import Level
from dataset_builder.tools import catalogue
from evaluator.explaining.explanation import Explanation
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Trace, TraceProblems
from space.html.answer_page import answer_page
from tests.fuzz.answers import rows, tasks
from tests.fuzz.checks import json_of, settled


def seeds() -> Iterator[bytes]:
    """A row each."""
    return rows()


def check(data: bytes) -> None:
    """The scores of a row, and the page that explains them."""
    try:
        trace = Trace.from_row(json_of(data))
    except TraceProblems:
        return
    task = tasks().get(trace.task_id)
    if task is None:
        return
    score = settled(lambda: score_task(task, trace, catalogue()))
    shares = (score.score, score.step, score.sequence, score.arguments, score.completeness)
    assert all(share is not None and 0 <= share <= 1 for share in shares), score
    assert 0 <= score.economy <= 1, score
    assert score.data_flow is None or 0 <= score.data_flow <= 1, score
    assert bool(score.strict) == (score.error is None), score
    if score.strict:
        assert score.step == 1, score
        assert isclose(score.score, 1), score
    if task.level is not Level.IRRELEVANT:
        _check_parts(score)
        page = answer_page(Explanation(task, trace, score), trace.model)
        assert "<script" not in page.lower()


def _check_parts(score: TaskScore) -> None:
    aligned = [step.call for step in score.steps if step.call is not None]
    assert len(set(aligned)) == len(aligned), "a call stands for two steps"
    right = sum(step.is_right for step in score.steps)
    assert score.step == right / max(len(score.steps), score.counted)
