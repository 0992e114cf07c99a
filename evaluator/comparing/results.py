"""Results: scores of runs without their traces; what statistics, report and board work from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataset_builder.tasks.task import Suite
from evaluator.comparing.answer_digests import Answers

if TYPE_CHECKING:
    import pandas as pd

APART = ("horizon", "irrelevance")


@dataclass(frozen=True)
class Result:
    """A run's scores without its traces."""

    name: str
    """The run's folder or file; unique among the results that are loaded together."""
    scores: Mapping[str, Any]
    """The score JSON (specification: Score JSON)."""
    about: Mapping[str, Any]
    """What ``run.json`` says; empty for a bare trace file."""
    templates: Mapping[str, str]
    """Task id → template, the cluster to which the task belongs."""
    answers: Answers = field(default_factory=Answers)
    """What the run is known by wherever it turns up again (`evaluator.comparing.copies`)."""

    @property
    def signature(self) -> str:
        """What was measured; only results of one signature are compared."""
        return str(self.scores["signature"])

    @property
    def model(self) -> str:
        """The model's name as the traces give it."""
        return str(self.scores["model"])

    @property
    def apart(self) -> str | None:
        """The section by which it is read, where its scores are never set beside those of levels 0 to 3.

        ``horizon`` of procedures, ``irrelevance`` of requests that no tool serves; else None.
        """
        return next((name for name in APART if name in self.scores), None)

    @property
    def is_horizon(self) -> bool:
        """Whether it is of procedures."""
        return self.apart == "horizon"

    @property
    def is_control(self) -> bool:
        """Whether the tasks were asked in another wording than the suite's own (paper, Appendix H)."""
        return self.about.get("wording") not in (None, "minimal")


def task_frame(results: Sequence[Result]) -> "pd.DataFrame":
    """A row per run, task and sample, in order.

    Columns: run, model, task_id, sample, level, template, and score, step, strict, sequence, arguments,
    completeness, data_flow, economy (fractions in [0, 1]) and error (the class, missing for a pass).
    """
    import pandas as pd

    from evaluator.scoring.verdict import ROW

    columns: dict[str, list[Any]] = {name: [] for name in ("run", "model", "template", *ROW)}
    for result in results:
        rows = result.scores["tasks"]
        columns["run"] += [result.name] * len(rows)
        columns["model"] += [result.model] * len(rows)
        columns["template"] += [result.templates[row["task_id"]] for row in rows]
        for name in ROW:
            columns[name] += [row[name] for row in rows]
    order = ("run", "model", "task_id", "sample", "level", "template", *ROW[3:])
    frame = pd.DataFrame({name: columns[name] for name in order})
    return frame.astype({"strict": bool, "data_flow": float})


def template_of(suite: Suite) -> dict[str, str]:
    """The template of each task; a task without one stands for itself."""
    return {task.task_id: str(task.metadata.get("template", task.task_id)) for task in suite.tasks}
