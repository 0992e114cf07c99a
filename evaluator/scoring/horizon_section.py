"""What scored procedures say of a model's horizon: the section ``horizon`` of a score JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataset_builder.tasks.task import Level, Task
from evaluator.horizon.outcome import Dial, Outcome
from evaluator.scoring.attempts import Attempt
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Trace


def is_procedure(task: Task) -> bool:
    """Whether a task is on the ladder of the horizon."""
    return task.level is Level.PROCEDURE


def horizon_section(
    attempts: Sequence[Attempt], traces: Sequence[Trace], signature: str, protocol: str | None
) -> dict[str, Any]:
    """What ``comptoolbench horizon --json`` prints of one model's attempts at procedures.

    What infrastructure kept from being answered says nothing of the model and is left out.
    """
    from evaluator.horizon.horizon import horizon

    by_key = {(trace.task_id, trace.sample): trace for trace in traces}
    outcomes = []
    for each in attempts:
        if each.score is not None and not each.is_failed:
            trace = by_key[each.task.task_id, each.sample]
            is_limited = is_limited_by(trace, each.score)
            outcomes.append(outcome_of(each.task, each.score, is_limited=is_limited))
    model = traces[0].model if traces else ""
    return horizon(outcomes).to_json(signature, model, protocol or "")


def is_limited_by(trace: Trace, score: TaskScore) -> bool:
    """Whether the model's context or output ended before its answer did, with no wrong call until then.

    The call in which an answer was cut off may be broken; one that was wrong before it was the
    model's own. So a model that repeats itself until it is cut off is not excused.
    """
    if score.strict or not was_cut_off(trace):
        return False
    right = sum(step.is_right for step in score.steps)
    return score.counted - right <= 1


def was_cut_off(trace: Trace) -> bool:
    """Whether an answer met the limit of the model's context or of its output."""
    if trace.error is not None and trace.error["kind"] == "context_overflow":
        return True
    reasons = trace.extra.get("finish_reasons")
    return isinstance(reasons, list) and bool(reasons) and reasons[-1] in ("length", "max_tokens")


def outcome_of(task: Task, score: TaskScore, *, is_limited: bool = False) -> Outcome:
    """The outcome of a scored procedure; of dials in groups the names are joined: ``reach_mean``."""
    return Outcome(
        right=tuple(step.is_right for step in score.steps),
        is_solved=score.strict is True,
        calls_right=score.step or 0.0,
        is_limited=is_limited,
        dials=dict(_plain(task.metadata.get("dials", {}))),
    )


def _plain(dials: Mapping[str, Any]) -> Iterator[tuple[str, Dial]]:
    for name, value in dials.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}_{part}", each) for part, each in _plain(value))
        elif isinstance(value, Dial):
            yield name, value
