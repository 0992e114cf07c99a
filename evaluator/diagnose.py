"""Why a task was not passed: its error class (contracts, section 6) and the reasons in words."""

import json
from collections.abc import Iterator
from typing import Any

from dataset_builder.references import Unresolved
from evaluator.arguments import ArgumentVerdict, is_similar
from evaluator.verdict import StepVerdict, TaskScore

INFRASTRUCTURE = "infrastructure"
MISSING = "missing"
"""A task without a row is no error of the model's either; both stand beside the classes."""

ERROR_CLASSES = (
    "E10_format_error",
    "E2_no_call",
    "E6_hallucinated_tool",
    "E1_wrong_tool",
    "E8_partial_completion",
    "E3_wrong_order",
    "E9_data_flow_error",
    "E4_wrong_arguments",
    "E7_unnecessary_tool",
)
"""In the order in which they are tried."""


def error_class(score: TaskScore) -> str:
    """The first class that fits a task that is not a strict pass."""
    is_partial = any(step.call is None for step in score.steps)
    # What is left over has no step that it could stand for: it is a tool that nobody asked for.
    has_other = any(call.step_id is None and call.is_counted for call in score.calls)
    fits = (
        score.fault == "malformed_call" or any(call.is_malformed for call in score.calls),
        not score.calls,
        any(not call.is_offered for call in score.calls),
        is_partial and has_other,
        is_partial,
        score.sequence < 1,
        any(not edge.is_exact for step in score.steps for edge in step.edges),
        any(not _is_right(step, score) for step in score.steps),
        True,
    )
    return next(name for name, does in zip(ERROR_CLASSES, fits, strict=True) if does)


def _is_right(step: StepVerdict, score: TaskScore) -> bool:
    # Calls that cannot be replayed have the tolerant reading alone.
    return is_similar(step.similarity) if score.strict is None else step.is_right


def reasons(score: TaskScore) -> list[str]:
    """What went wrong, one short sentence each; empty for a strict pass without a flaw."""
    if score.error == INFRASTRUCTURE:
        return [f"The request failed ({score.fault}); the model is not to blame."]
    found = [*_fault(score), *_calls(score), *_steps(score)]
    if score.sequence < 1 and not any(step.call is None for step in score.steps):
        found.append("The calls do not stand in an order in which each follows what it depends on.")
    return found


def _fault(score: TaskScore) -> Iterator[str]:
    if score.fault == "malformed_call":
        yield "The provider refused a call that the model wrote: it does not parse."
    elif score.fault is not None:
        yield f"The answer broke off ({score.fault})."
    if not score.calls:
        yield "There is no call."


def _calls(score: TaskScore) -> Iterator[str]:
    for number, call in enumerate(score.calls, 1):
        if not call.is_offered:
            yield f"Call {number}: {_short(call.name)} was not offered."
        elif call.is_malformed:
            yield f"Call {number} ({call.name}): the arguments are no JSON object."
        elif call.step_id is None and call.is_counted:
            yield f"Call {number} ({call.name}): nobody asked for it."


def _steps(score: TaskScore) -> Iterator[str]:
    for step in score.steps:
        if step.pair is None:
            yield f"{step.step_id} ({step.tool}) has no call."
            continue
        if step.call is not None and step.pair.has_failed and _is_well_given(step):
            error = score.calls[step.call].error
            yield f"{step.step_id} ({step.pair.tool}): the call gave an error ({_short(error)})."
        for argument in step.pair.arguments:
            if not argument.is_exact:
                yield f"{step.step_id} ({step.pair.tool}): {_argument(argument)}."
        for edge in step.edges:
            if not edge.is_exact:
                yield (
                    f"{step.step_id}: {edge.argument} does not take {edge.path} of {edge.source} "
                    f"({edge.reason})."
                )


def _is_well_given(step: StepVerdict) -> bool:
    """Whether nothing but the outcome tells what was wrong with a call."""
    arguments = step.pair.arguments if step.pair else ()
    return all(a.is_exact for a in arguments) and all(edge.is_exact for edge in step.edges)


def _argument(verdict: ArgumentVerdict) -> str:
    if verdict.expected is None:
        return f"{_name(verdict)} is not asked for"
    if verdict.actual is None:
        return f"{_name(verdict)} is missing; expected {_short(verdict.expected)}"
    if isinstance(verdict.actual, Unresolved):
        given = f"{_name(verdict)} refers to nothing: {verdict.actual.reference[:60]}"
    else:
        given = f"{_name(verdict)} is {_short(verdict.actual)}"
    share = f" ({verdict.similarity:.0%} alike)" if verdict.similarity else ""
    return f"{given}; expected {_short(verdict.expected)}{share}"


def _name(verdict: ArgumentVerdict) -> str:
    return verdict.name if len(verdict.name) <= 60 else f"{verdict.name[:57]}..."


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=lambda hole: hole.reference)
    return text if len(text) <= 60 else f"{text[:57]}..."
