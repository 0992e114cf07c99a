"""The scorer agrees with a second one that was written from the specification alone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from dataset_builder.engine import CompositionEngine
from dataset_builder.surfaces import leaves
from dataset_builder.task import Task
from dataset_builder.tools import catalogue
from evaluator.score import score_task
from tests.mutated_values import CHANGED
from tests.mutations import Mutant, mutants
from tests.second_scorer import Scorer, is_default

TOOLS = catalogue()
FIELDS = (
    *("score", "step", "strict", "sequence", "arguments"),
    *("completeness", "data_flow", "economy", "error"),
)
IN_SEQUENCE = {"score", "strict", "sequence", "error"}
IN_ARGUMENTS = {"score", "step", "strict", "arguments", "data_flow", "error"}


def differences(task: Task, mutant: Mutant) -> Iterator[str]:
    """What the two scorers disagree on, apart from what the specification leaves undecided."""
    first = score_task(task, mutant.trace, TOOLS)
    scorer = Scorer(task, mutant.trace, TOOLS)
    second = scorer.score()
    different = {f for f in FIELDS if not _same(getattr(first, f), second[f])}
    if different and not different <= set().union(*_undecided(scorer)):
        for name in sorted(different):
            found = f"{getattr(first, name)} and {second[name]}"
            yield f"{task.task_id}, {mutant.kind}: {name} is {found}: {mutant.trace.to_row()}"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or one is None or other is None:
        return bool(one == other)
    return abs(float(one) - float(other)) <= 1e-9


def _undecided(scorer: Scorer) -> Iterator[set[str]]:
    """The fields that may differ, by what the trace holds."""
    # Whether a failed call that does not count may stand for its step in the order of the calls.
    assigned, calls = scorer.best(), scorer.trace.calls
    counted = scorer.counted(assigned)
    if scorer.sequence(assigned, counted) != scorer.sequence(assigned, range(len(calls))):
        yield IN_SEQUENCE
    # Whether a free argument that is expected at its default is expected.
    for step, call in zip(scorer.task.steps, assigned, strict=True):
        given = scorer.executed[call].arguments or {} if call is not None else {}
        for name in step.arguments.keys() & given.keys():
            parameter = TOOLS[step.tool].parameters[name]
            if parameter.kind.is_free and is_default(parameter, step.arguments[name]):
                yield IN_ARGUMENTS
    # Whether a text may repeat the numbers of an error.
    if any(re.search(r"\d", done.error or "") for done in scorer.executed):
        yield IN_ARGUMENTS
    # Whether a number behind a colon is a time of day.
    seen = [scorer.task.prompt, *(done.output or {} for done in scorer.executed)]
    if any(isinstance(leaf, str) and re.search(r":\s\d", leaf) for v in seen for leaf in leaves(v)):
        yield IN_ARGUMENTS


@pytest.mark.parametrize("seed", [42, 4107])
def test_agreement(seed: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    found = [said for pair in mutants(suite, TOOLS, 150, seed) for said in differences(*pair)]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [42, 4107])
def test_agreement_at_length(seed: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    found = [said for pair in mutants(suite, TOOLS, 5_000, seed + 1) for said in differences(*pair)]
    assert not found, "\n".join(found)


def test_right_answers_pass_and_changed_ones_fail_under_both() -> None:
    # Else two scorers that read nothing at all would agree.
    suite = CompositionEngine(42).generate_suite()
    changed = [(t, m) for t, m in mutants(suite, TOOLS, 300, 7, most=1) if m.meaning == CHANGED]
    passed = [bool(Scorer(task, mutant.trace, TOOLS).score()["strict"]) for task, mutant in changed]
    assert len(changed) > 100
    assert sum(passed) <= 0.02 * len(changed)
    same = [(t, m) for t, m in mutants(suite, TOOLS, 300, 7, most=1) if m.kind == "default given"]
    assert same
    assert all(score_task(task, mutant.trace, TOOLS).strict for task, mutant in same)
