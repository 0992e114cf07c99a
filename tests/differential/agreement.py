"""What the scorer and the second one, written from the specification alone, disagree on."""

from collections.abc import Iterator
from typing import Any

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from tests.differential.mutations import Mutant, mutants
from tests.differential.second_scorer import Scorer

FIELDS = (
    *("score", "step", "strict", "sequence", "arguments"),
    *("completeness", "data_flow", "economy", "error"),
)
SUITE_TRACES = 1_000
"""So many mutants come from one suite; then it is the next seed's turn."""


def disagreements(seed: int, count: int) -> Iterator[str]:
    """A sentence for each field that differs in so many mutated answers, suite after suite."""
    tools = catalogue()
    for first in range(0, count, SUITE_TRACES):
        number = seed + first // SUITE_TRACES
        suite = CompositionEngine(number).generate_suite()
        for task, mutant in mutants(suite, tools, min(SUITE_TRACES, count - first), number):
            yield from differences(task, mutant)


def differences(task: Task, mutant: Mutant) -> Iterator[str]:
    """A sentence for each field in which the two scorers differ on one answer."""
    tools = catalogue()
    first = score_task(task, mutant.trace, tools)
    second = Scorer(task, mutant.trace, tools).score()
    for name in FIELDS:
        if not _same(getattr(first, name), second[name]):
            found = f"{getattr(first, name)} and {second[name]}"
            yield f"{task.task_id}, {mutant.kind}: {name} is {found}: {mutant.trace.to_row()}"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or one is None or other is None:
        return bool(one == other)
    return abs(float(one) - float(other)) <= 1e-9
