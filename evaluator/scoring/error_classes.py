"""Why a task was not passed: its error class (specification: Error classes) and the reasons in words."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dataset_builder.values.references import Unresolved
from evaluator.scoring.arguments import ArgumentVerdict, is_similar
from evaluator.scoring.verdict import StepVerdict, TaskScore

INFRASTRUCTURE = "infrastructure"
MISSING = "missing"
"""A task without a row is no error of the model's either; both stand beside the classes."""

MEANING: Mapping[str, str] = {
    "E10_format_error": "A call does not parse.",
    "E2_no_call": "There is no call.",
    "E6_hallucinated_tool": "A tool is called that was not offered.",
    "E1_wrong_tool": "An expected call is missing and another tool is called.",
    "E8_partial_completion": "An expected call is missing.",
    "E3_wrong_order": "A call stands before what it depends on.",
    "E9_data_flow_error": "A value does not come from the call that it should come from.",
    "E4_wrong_arguments": "An argument is wrong.",
    "E7_unnecessary_tool": "A call is made that nobody asked for.",
    INFRASTRUCTURE: "The provider failed, not the model.",
    MISSING: "The file has no row for the task.",
}
"""What each outcome means that is no strict pass."""
ERROR_CLASSES = tuple(name for name in MEANING if name not in (INFRASTRUCTURE, MISSING))
"""In the order in which they are tried."""
# With a tool called in place of an expected one, what is missing says most.
_TOLD_BY = {"E1_wrong_tool": "E8_partial_completion"}


def error_class(score: TaskScore) -> str:
    """The first class that fits a task that is not a strict pass."""
    return next(name for name, fits in _FITS.items() if fits(score))


def _is_partial(score: TaskScore) -> bool:
    return any(step.call is None for step in score.steps)


def _has_other(score: TaskScore) -> bool:
    # What is left over has no step that it could stand for: it is a tool that nobody asked for.
    return any(call.step_id is None and call.is_counted for call in score.calls)


def _is_right(step: StepVerdict, score: TaskScore) -> bool:
    # Calls that cannot be replayed have the tolerant reading alone.
    return is_similar(step.similarity) if score.strict is None else step.is_right


def _is_malformed(score: TaskScore) -> bool:
    return score.fault == "malformed_call" or any(call.is_malformed for call in score.calls)


_TESTS: tuple[Callable[[TaskScore], bool], ...] = (
    _is_malformed,
    lambda score: not score.calls,
    lambda score: any(not call.is_offered for call in score.calls),
    lambda score: _is_partial(score) and _has_other(score),
    _is_partial,
    lambda score: score.sequence < 1,
    lambda score: any(not edge.is_exact for step in score.steps for edge in step.edges),
    lambda score: any(not _is_right(step, score) for step in score.steps),
    lambda score: True,
)
_FITS = dict(zip(ERROR_CLASSES, _TESTS, strict=True))
"""What makes a task one of each class."""


def reasons(score: TaskScore) -> list[str]:
    """What went wrong, one short sentence each; empty for a strict pass without a flaw."""
    return [sentence for _, sentence in _flaws(score)]


def main_reason(score: TaskScore) -> str:
    """The one reason that tells most of the error class; empty for a strict pass without a flaw."""
    flaws = list(_flaws(score))
    told_by = _TOLD_BY.get(score.error or "", score.error)
    return next(
        (sentence for name, sentence in flaws if name == told_by), flaws[0][1] if flaws else ""
    )


Reason = tuple[str, str]
"""The error class that a flaw makes, were it the only one, and the flaw in a sentence."""


def _flaws(score: TaskScore) -> Iterator[Reason]:
    if score.error == INFRASTRUCTURE:
        yield INFRASTRUCTURE, f"The request failed ({score.fault}); the model is not to blame."
        return
    yield from _fault(score)
    yield from _calls(score)
    for step in score.steps:
        yield from _step(step, score)
    if score.sequence < 1 and not any(step.call is None for step in score.steps):
        sentence = "The calls do not stand in an order in which each follows what it depends on."
        yield "E3_wrong_order", sentence


def _fault(score: TaskScore) -> Iterator[Reason]:
    if score.fault == "malformed_call":
        sentence = "The provider refused a call that the model wrote: it does not parse."
        yield "E10_format_error", sentence
    elif score.fault is not None:
        yield score.fault, f"The answer broke off ({score.fault})."
    if not score.calls:
        yield "E2_no_call", "There is no call."


def _calls(score: TaskScore) -> Iterator[Reason]:
    for number, call in enumerate(score.calls, 1):
        if not call.is_offered:
            yield "E6_hallucinated_tool", f"Call {number}: {_short(call.name)} was not offered."
        elif call.is_malformed:
            sentence = f"Call {number} ({call.name}): the arguments are no JSON object."
            yield "E10_format_error", sentence
        elif call.step_id is None and call.is_counted:
            yield "E7_unnecessary_tool", f"Call {number} ({call.name}): nobody asked for it."


def _step(step: StepVerdict, score: TaskScore) -> Iterator[Reason]:
    if step.pair is None:
        yield "E8_partial_completion", f"{step.step_id} ({step.tool}) has no call."
        return
    wrong = [argument for argument in step.pair.arguments if not argument.is_exact]
    for argument in wrong:
        yield "E4_wrong_arguments", f"{step.step_id} ({step.pair.tool}): {_argument(argument)}."
    stopped = [edge for edge in step.edges if not edge.is_exact]
    for edge in stopped:
        what = f"{edge.argument or 'the call'} does not take {edge.path} of {edge.source}"
        yield "E9_data_flow_error", f"{step.step_id}: {what} ({edge.reason})."
    if step.pair.has_failed and step.call is not None and not wrong and not stopped:
        call = score.calls[step.call]
        what = "met a fault and was not made again" if call.fault else "gave an error"
        sentence = f"{step.step_id} ({step.pair.tool}): the call {what} ({_short(call.error)})."
        yield "E4_wrong_arguments", sentence


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
    if is_similar(verdict.similarity):
        share = " (near, but not exact)"
    return f"{given}; expected {_short(verdict.expected)}{share}"


def _name(verdict: ArgumentVerdict) -> str:
    return verdict.name if len(verdict.name) <= 60 else f"{verdict.name[:59]}…"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=lambda hole: hole.reference)
    return text if len(text) <= 60 else f"{text[:59]}…"
