"""The scorer agrees with a second one that was written from the specification alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from tests.differential.mutated_values import CHANGED
from tests.differential.mutations import Mutant, mutants
from tests.differential.second_scorer import Scorer

TOOLS = catalogue()
FIELDS = (
    *("score", "step", "strict", "sequence", "arguments"),
    *("completeness", "data_flow", "economy", "error"),
)


def differences(task: Task, mutant: Mutant) -> Iterator[str]:
    """What the two scorers disagree on."""
    first = score_task(task, mutant.trace, TOOLS)
    second = Scorer(task, mutant.trace, TOOLS).score()
    for name in FIELDS:
        if not _same(getattr(first, name), second[name]):
            found = f"{getattr(first, name)} and {second[name]}"
            yield f"{task.task_id}, {mutant.kind}: {name} is {found}: {mutant.trace.to_row()}"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or one is None or other is None:
        return bool(one == other)
    return abs(float(one) - float(other)) <= 1e-9


@pytest.mark.parametrize("seed", [42, 4107])
def test_agreement(seed: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    disagreements = [
        difference for pair in mutants(suite, TOOLS, 150, seed) for difference in differences(*pair)
    ]
    assert not disagreements, "\n".join(disagreements)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [42, 4107])
def test_agreement_at_length(seed: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    disagreements = [
        difference
        for pair in mutants(suite, TOOLS, 5_000, seed + 1)
        for difference in differences(*pair)
    ]
    assert not disagreements, "\n".join(disagreements)


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
