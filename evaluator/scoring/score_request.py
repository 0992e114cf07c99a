"""The score of an answer to a request that no tool serves: right is to make no call (level 5). Pure."""

from collections.abc import Collection, Sequence

from dataset_builder.tasks.task import Task
from dataset_builder.tools.replay import Executed
from evaluator.scoring.error_classes import INFRASTRUCTURE, error_class
from evaluator.scoring.verdict import EXTRA, CallVerdict, TaskScore
from evaluator.traces.trace import Trace


def score_request(
    task: Task, trace: Trace, executed: Sequence[Executed], offered: Collection[str]
) -> TaskScore:
    """1 without a call, else 0; of what is expected, which is nothing, all is there.

    A call that the provider refused, since it does not parse, was one. What infrastructure kept from
    being answered is 0 and marked.
    """
    calls = tuple(_verdict(call, offered) for call in executed)
    fault = None if trace.error is None else str(trace.error["kind"])
    has_called = bool(calls) or fault == "malformed_call"
    answered = float(not trace.is_infrastructure_failure)
    right = 0.0 if has_called else answered
    score = TaskScore(
        task_id=task.task_id,
        sample=trace.sample,
        level=int(task.level),
        score=right,
        step=right,
        strict=right == 1,
        sequence=answered,
        arguments=answered,
        completeness=answered,
        data_flow=None,
        economy=right,
        error=INFRASTRUCTURE if trace.is_infrastructure_failure else None,
        counted=len(calls),
        fault=fault,
        steps=(),
        calls=calls,
    )
    wrong = has_called and not trace.is_infrastructure_failure
    return score._replace(error=error_class(score)) if wrong else score


def _verdict(call: Executed, offered: Collection[str]) -> CallVerdict:
    return CallVerdict(
        name=call.name,
        is_malformed=call.arguments is None,
        arguments=call.arguments,
        output=call.output,
        error=call.error,
        role=EXTRA,
        step_id=None,
        is_offered=call.name in offered,
        is_counted=True,
    )
