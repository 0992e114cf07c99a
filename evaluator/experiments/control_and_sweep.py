"""Experiments of several runs: the level-0 control (paper, Appendix H) and a sweep over catalogues."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Level, Task
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import Finished, ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.scoring.metrics import SCORES
from evaluator.scoring.score import Scorer
from evaluator.scoring.text_tables import columns, percent
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.asked_form import worded
from evaluator.traces.protocols import WORDINGS
from evaluator.traces.trace_reader import read_traces


@dataclass(frozen=True)
class Arm:
    """One run of an experiment and the scores of its tasks; a task without an answer has none."""

    name: str
    finished: Finished
    scores: tuple[TaskScore, ...]

    def mean(self, field: str) -> float | None:
        """The mean of a field of the scores, in [0, 1]; None without scores."""
        values = [float(getattr(score, field)) for score in self.scores]
        return sum(values) / len(values) if values else None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The tasks as the score JSON has them."""
        return [score.to_row() for score in self.scores]


def control(options: RunOptions, out: Path, stream: TextIO) -> list[Arm]:
    """Ask the level-0 tasks in three wordings, each a run in a folder of its own below ``out``.

    Stops after a run that is not complete. Raises InputError for a suite without the wordings.
    """
    suite = load_suite(options.suite)
    tasks = [task for task in suite.tasks if task.level is Level.NODE]
    if not tasks or any("control" not in task.metadata for task in tasks):
        raise InputError(
            "the control experiment needs level-0 tasks in three wordings, which this suite "
            "does not have"
        )
    arms: list[Arm] = []
    for wording in WORDINGS:
        reworded = [worded(task, wording) for task in tasks]
        finished = ask_model(options, out / wording, stream, reworded, wording)
        arms.append(_arm(wording, finished, reworded))
        if finished.exit_code:
            break
    return arms


def sweep(options: RunOptions, catalogues: Sequence[str], out: Path, stream: TextIO) -> list[Arm]:
    """Run the suite once for each catalogue, in folders of their own below ``out``.

    An arm is called by its number of tools, all of them too. Stops after a run that is not complete.
    """
    tasks = load_suite(options.suite).tasks
    arms: list[Arm] = []
    for offered in catalogues:
        name = str(len(catalogue())) if offered == "full" else offered
        finished = ask_model(replace(options, catalogue=offered), out / name, stream)
        arms.append(_arm(name, finished, tasks))
        if finished.exit_code:
            break
    return arms


def _arm(name: str, finished: Finished, tasks: Sequence[Task]) -> Arm:
    by_id = {task.task_id: task for task in tasks}
    scorer = Scorer(catalogue())
    has_traces = (finished.folder / "traces.jsonl").exists()
    traces = read_traces([finished.folder]) if has_traces else []
    scores = [
        scorer.score(by_id[trace.task_id], trace)
        for trace in traces
        if not trace.is_infrastructure_failure
    ]
    return Arm(name, finished, tuple(scores))


def sweep_lines(arms: Sequence[Arm]) -> list[str]:
    """The table of a sweep, as text, in per cent."""
    rows = [("catalogue", *(metric.name for metric in SCORES.values()))]
    rows += [
        (arm.name, *(percent(arm.mean(metric.field)) for metric in SCORES.values())) for arm in arms
    ]
    return columns(rows, right=range(1, 4)).splitlines()
