"""The scores of some runs as one array: what all statistics work on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dataset_builder.errors import InputError
from evaluator.comparing.results import Result
from evaluator.scoring.metrics import METRICS, SCORES

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class ScoreArray:
    """Scores of runs on the tasks that all of them have."""

    tasks: tuple[str, ...]
    levels: Indices
    """The level of each task, 0 to 3."""
    clusters: Indices
    """The template of each task, as a number."""
    values: Floats
    """Tasks × runs × metrics: the mean of a task's samples, in [0, 1]; metrics as in `METRICS`."""

    def only(self, mask: NDArray[np.bool_]) -> "ScoreArray":
        """Some of the tasks."""
        tasks = tuple(task for task, chosen in zip(self.tasks, mask, strict=True) if chosen)
        return ScoreArray(tasks, self.levels[mask], self.clusters[mask], self.values[mask])

    def of(self, metric: str) -> "ScoreArray":
        """One of the metrics, as the only one: tasks × runs × 1."""
        return self.with_values(self.values[:, :, [METRICS.index(metric)]])

    def with_values(self, values: Floats) -> "ScoreArray":
        """The same tasks with other values: tasks × columns, or tasks × runs × metrics."""
        return replace(self, values=values)


def score_array(results: Sequence[Result]) -> ScoreArray:
    """The scores of one or more results; InputError where they have no task in common."""
    means = [_task_means(result.scores["tasks"]) for result in results]
    (first, _), *others = means
    shared = set(first).intersection(*(other for other, _ in others))
    tasks = tuple(task for task in first if task in shared)
    if not tasks:
        raise InputError("the runs have no task in common")
    templates = [results[0].templates[task] for task in tasks]
    number = {name: i for i, name in enumerate(dict.fromkeys(templates))}
    level = {row["task_id"]: row["level"] for row in results[0].scores["tasks"]}
    aligned = [values[[position[task] for task in tasks]] for position, values in means]
    return ScoreArray(
        tasks,
        np.array([level[task] for task in tasks], dtype=np.int64),
        np.array([number[name] for name in templates], dtype=np.int64),
        np.stack(aligned, axis=1),
    )


def _task_means(rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, int], Floats]:
    """The position of each task, and at it the means of its samples by metric."""
    tasks = [row["task_id"] for row in rows]
    position = {task: number for number, task in enumerate(dict.fromkeys(tasks))}
    index = [position[task] for task in tasks]
    fields = [metric.field for metric in SCORES.values()]
    values = np.array(list(map(itemgetter(*fields), rows)), dtype=np.float64)
    sums = np.zeros((len(position), len(fields)))
    np.add.at(sums, index, values)
    return position, sums / np.bincount(index)[:, None]
