"""One model's traces scored, an attempt for each task and sample."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import Level, Suite, Task
from evaluator.scoring.error_classes import INFRASTRUCTURE, MISSING
from evaluator.scoring.score import Scorer
from evaluator.scoring.verdict import ROW, TaskScore, light
from evaluator.traces.signature import suite_label
from evaluator.traces.trace import Trace


@dataclass(frozen=True)
class Attempt:
    """One task and sample of a run; ``score`` is None where the row is missing.

    The score is the `light` one, so that a run of large answers stays small.
    """

    task: Task
    sample: int
    score: TaskScore | None

    def value(self, metric: str) -> float | None:
        """``score``, ``step`` or ``strict``; 0 where nothing was answered.

        None for a step or strict score of calls that cannot be replayed.
        """
        value = 0.0 if self.score is None else getattr(self.score, metric)
        return None if value is None else float(value)

    @property
    def is_failed(self) -> bool:
        """Whether infrastructure kept the model from answering."""
        return self.score is not None and self.score.error == INFRASTRUCTURE

    def to_row(self) -> dict[str, Any]:
        """The entry in the score JSON; a missing row has zeros."""
        if self.score is not None:
            return self.score.to_row()
        has_edges = any(step.edges for step in self.task.steps)
        return dict.fromkeys(ROW, 0.0) | {
            "task_id": self.task.task_id,
            "sample": self.sample,
            "level": int(self.task.level),
            "strict": False,
            "data_flow": 0.0 if has_edges else None,
            "economy": 1.0,
            "error": MISSING,
        }


def by_model(traces: Iterable[Trace]) -> dict[str, list[Trace]]:
    """The traces of each model, in the order in which models come."""
    runs: dict[str, list[Trace]] = {}
    for trace in traces:
        runs.setdefault(trace.model, []).append(trace)
    return runs


def expected_tasks(suite: Suite, answered: Collection[str]) -> Sequence[Task]:
    """The tasks that a run should have answered: all, and of a ladder those of the rungs that it began."""
    begun = {len(suite.by_id[each].steps) for each in answered if each in suite.by_id}
    return [
        task
        for task in suite.tasks
        if task.level is not Level.PROCEDURE or len(task.steps) in begun
    ]


def score_attempts(
    suite: Suite,
    traces: Sequence[Trace],
    scorer: Scorer,
    allow_partial: bool = False,
) -> list[Attempt]:
    """One model's traces scored, in the order of the suite, each task with all samples of the run.

    A task or sample without a row is missing; with ``allow_partial`` it is left out instead. Raises
    ValueError for traces of several models, a repeated row or a task that the suite does not have.
    """
    if len(by_model(traces)) > 1:
        raise ValueError("the traces are of several models; score each by itself")
    by_key: dict[tuple[str, int], Trace] = {}
    for trace in traces:
        if trace.task_id not in suite.by_id:
            raise ValueError(f"suite {suite_label(suite)} has no task {trace.task_id}")
        if (trace.task_id, trace.sample) in by_key:
            raise ValueError(f"task {trace.task_id}, sample {trace.sample} stands twice")
        by_key[trace.task_id, trace.sample] = trace
    samples = sorted({trace.sample for trace in traces}) or [0]
    attempts = []
    for task in expected_tasks(suite, {trace.task_id for trace in traces}):
        for sample in samples:
            answer = by_key.get((task.task_id, sample))
            if answer is not None:
                score = light(scorer.score(task, answer))
                attempts.append(Attempt(task, sample, score))
            elif not allow_partial:
                attempts.append(Attempt(task, sample, None))
    return attempts
