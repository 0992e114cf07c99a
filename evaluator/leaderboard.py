"""The board of some runs: only runs of one signature are compared, and ties are shown as ties."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from evaluator.offline import ScoredRun
from evaluator.statistics import Interval, clustered_interval
from evaluator.tables import columns, percent

LEVELS = ("L0", "L1", "L2", "L3")


@dataclass(frozen=True)
class Entry:
    """A run on the board."""

    run: ScoredRun
    rank: int
    """1 + the number of runs of the same signature that are significantly better."""
    interval: Interval
    """Weighted overall score with its 95 % interval, clustered by template."""


def ranked(runs: Iterable[ScoredRun]) -> dict[str, list[Entry]]:
    """The runs of each signature, best first; a run is worse than another only if significantly so."""
    groups: dict[str, list[ScoredRun]] = {}
    for run in runs:
        groups.setdefault(run.scores["signature"], []).append(run)
    return {signature: _rank(group) for signature, group in sorted(groups.items())}


def _rank(group: Sequence[ScoredRun]) -> list[Entry]:
    values = [task_means(run) for run in group]
    clusters = [templates(run) for run in group]
    entries = []
    for run, own, names in zip(group, values, clusters, strict=True):
        better = 0
        for other in values:
            if other is own or list(other) != list(own):
                continue
            differences = [other[task] - own[task] for task in own]
            if clustered_interval(differences, names).low > 0:
                better += 1
        entries.append(Entry(run, 1 + better, clustered_interval(list(own.values()), names)))
    return sorted(
        entries, key=lambda e: (e.rank, -e.interval.mean, e.run.scores["model"], e.run.name)
    )


def task_means(run: ScoredRun) -> dict[str, float]:
    """The weighted score of each task, the mean of its samples."""
    found: dict[str, list[float]] = {}
    for attempt in run.attempts:
        found.setdefault(attempt.task.task_id, []).append(attempt.value("score"))
    return {task: fsum(scores) / len(scores) for task, scores in found.items()}


def templates(run: ScoredRun) -> list[str]:
    """The template of each task, in the order of `task_means`."""
    return list({a.task.task_id: str(a.task.metadata["template"]) for a in run.attempts}.values())


def board_text(runs: Iterable[ScoredRun]) -> str:
    """The board for the terminal, a table for each signature."""
    return "\n\n".join(
        f"{signature}\n{_table(entries)}" for signature, entries in ranked(runs).items()
    )


def _table(entries: Sequence[Entry]) -> str:
    head = ("rank", "model", "weighted", "95 %", *LEVELS, "step", "strict", "step gap", "")
    rows = [head]
    for entry in entries:
        scores = entry.run.scores
        rows.append(
            (
                str(entry.rank),
                scores["model"],
                percent(scores["overall"]),
                f"{percent(entry.interval.low)}–{percent(entry.interval.high)}",
                *(percent(scores["levels"][level]["score"]) for level in LEVELS),
                percent(scores["step"]),
                percent(scores["strict"]),
                percent(scores["selection_gap"]["step"], signed=True),
                remark(scores),
            )
        )
    return columns(rows, right=(0, *range(2, 11)))


def remark(scores: Any) -> str:
    """What keeps a run from being ranked, in a few words."""
    return "" if scores["ranked"] else "; ".join(scores["diagnostics"]["not_ranked"])
