"""What scored procedures say of a model's horizon: the section ``horizon`` of a score JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataset_builder.tasks.task import Task
from evaluator.horizon.outcome import Dial, Outcome
from evaluator.scoring.attempts import Attempt
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Trace


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
            outcomes.append(outcome_of_trace(each.task, trace, each.score))
    model = traces[0].model if traces else ""
    return horizon(outcomes).to_json(signature, model, protocol or "")


def outcome_of_trace(task: Task, trace: Trace, score: TaskScore) -> Outcome:
    """The outcome of a scored trace.

    It is limited where the model's context or output ended before its answer did, with no wrong call
    until then. The call in which an answer was cut off may be broken; one that was wrong before it
    was the model's own, so a model that repeats itself until it is cut off is not excused.
    """
    wrong = score.counted - sum(step.is_right for step in score.steps)
    is_limited = not score.strict and wrong <= 1 and cut_off_by(trace) is not None
    return outcome_of(task, score, is_limited=is_limited)


def cut_off_by(trace: Trace) -> str | None:
    """What cut an answer off: the model's ``context`` or its ``output``; None where nothing did."""
    if trace.error is not None and trace.error["kind"] == "context_overflow":
        return "context"
    reasons = trace.extra.get("finish_reasons")
    has_ended_early = isinstance(reasons, list) and reasons[-1:] == ["length"]
    return "output" if has_ended_early else None


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
