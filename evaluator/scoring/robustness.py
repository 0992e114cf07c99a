"""What runs with seeded faults or with a tool withheld are measured by (specification: Variations)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from dataset_builder.tools.faults import FAILURES, FORMATS
from evaluator.intervals import wilson
from evaluator.scoring.attempts import Attempt
from evaluator.scoring.text_tables import percent
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.variations import Variation, possible_steps

_KINDS: Mapping[str, tuple[str, ...]] = {
    **{kind: (kind,) for kind in FAILURES},
    "format": tuple(FORMATS),
}


def recovery_section(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """``recovery`` of the score JSON: how often a task was solved, and the call right, after a fault.

    A share is ``{"share", "low", "high", "n"}``, null where there is nothing to take it of.
    """
    answered = [each for each in attempts if each.score is not None and not each.is_failed]
    met: list[tuple[str, bool]] = []
    touched: list[tuple[str, float]] = []
    untouched: list[tuple[str, float]] = []
    for _, group in groupby(answered, key=lambda each: each.task.task_id):
        answers = list(group)
        faults = [fault for each in answers for fault in _faults(each.score)]
        solved = sum(each.value("strict") or 0 for each in answers) / len(answers)
        (touched if faults else untouched).append((answers[0].task.task_id, solved))
        met += faults
    return {
        "tasks": [task_id for task_id, _ in touched],
        "solved": share_of(solved for _, solved in touched),
        "solved_without_fault": share_of(solved for _, solved in untouched),
        "recovered": share_of(float(is_right) for _, is_right in met),
        "recovered_by_kind": {
            name: share_of(float(is_right) for kind, is_right in met if kind in kinds)
            for name, kinds in _KINDS.items()
        },
    }


def _faults(score: TaskScore | None) -> Iterator[tuple[str, bool]]:
    """The faults that needed tools met in an answer, and whether all steps of the tool are right.

    A fault comes at the first call of its tool, so whatever is right was done in spite of it.
    """
    for call in score.calls if score else ():
        steps = [step for step in score.steps if step.tool == call.name] if score else []
        if call.fault is not None and steps:
            yield call.fault, all(step.is_right for step in steps)


def withheld_section(attempts: Sequence[Attempt], variation: Variation) -> dict[str, Any]:
    """``withheld`` of the score JSON: whether a model makes do with what is not there.

    Shares of answers: ``held_back`` (no call beyond what can still be made), ``invented`` (a call of a
    tool that was not offered) and ``substituted`` (another call beyond). ``still_right``: of the steps
    that can still be made those that are right.
    """
    answered = [each for each in attempts if each.score is not None and not each.is_failed]
    invented, substituted, still_right = [], [], []
    for each in answered:
        withheld = variation.withheld_of(each.task)
        possible = {step.step_id for step in possible_steps(each.task, withheld)}
        score = each.score
        calls = [call for call in score.calls if call.is_counted] if score else []
        invented.append(any(not call.is_offered for call in calls))
        substituted.append(any(c.is_offered and c.step_id not in possible for c in calls))
        steps = score.steps if score else ()
        still_right += [step.is_right for step in steps if step.step_id in possible]
    held_back = [not (a or b) for a, b in zip(invented, substituted, strict=True)]
    return {
        "held_back": share_of(map(float, held_back)),
        "invented": share_of(map(float, invented)),
        "substituted": share_of(map(float, substituted)),
        "still_right": share_of(map(float, still_right)),
    }


def share_of(values: Iterable[float]) -> dict[str, Any] | None:
    """The mean of values from 0 to 1, with Wilson's interval; None of none."""
    listed = list(values)
    if not listed:
        return None
    share, low, high = wilson(sum(listed), len(listed))
    return {"share": share, "low": low, "high": high, "n": len(listed)}


def robustness_text(scores: Mapping[str, Any]) -> list[str]:
    """The sections in a line each, as terminal and report say them; none for any other run."""
    lines = []
    if recovery := scores.get("recovery"):
        lines.append(
            f"Recovery from faults: solved {share_text(recovery['solved'], 'tasks that met one')}, "
            f"{share_text(recovery['solved_without_fault'], 'that met none')}; the right call in spite of "
            f"it after {share_text(recovery['recovered'], 'faults')}."
        )
    if withheld := scores.get("withheld"):
        lines.append(
            f"Tool withheld: held back in {share_text(withheld['held_back'], 'answers')}; called a tool "
            f"that was not offered in {percent(_of(withheld['invented']))} %, made do with another "
            f"call in {percent(_of(withheld['substituted']))} %; still right: "
            f"{share_text(withheld['still_right'], 'calls that could be made')}."
        )
    return lines


def share_text(share: Mapping[str, Any] | None, of: str) -> str:
    """ "71.0 % (58.1–81.2) of 45 tasks"."""
    if share is None:
        return f"– of 0 {of}"
    interval = f"{percent(share['low'])}–{percent(share['high'])}"
    return f"{percent(share['share'])} % ({interval}) of {share['n']} {of}"


def _of(share: Mapping[str, Any] | None) -> float | None:
    return None if share is None else float(share["share"])
