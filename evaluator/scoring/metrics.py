"""The three scores: what they are called, in the order in which they are read, and where they stand.

Page, report and terminal take their words from here. *Solved* comes first because a task is either
done or not; the paper's weighted score pays 43 % for the right tools with made-up arguments.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import SUITE_LEVELS
from evaluator.scoring.error_classes import INFRASTRUCTURE


@dataclass(frozen=True)
class Metric:
    """A score of tasks and runs, a fraction in [0, 1]."""

    key: str
    """What it is called in data: in frames, and in the gaps of the score JSON (specification: Score JSON)."""
    option: str
    """What it is chosen by: ``--rank-by``, addresses of the page, its columns."""
    name: str
    """What people read."""
    total: str
    """Its field in the score JSON, over all tasks."""
    field: str
    """Its field in the score JSON, in levels and tasks."""
    meaning: str


SOLVED, CALLS, WEIGHTED = (
    Metric(
        "strict",
        "solved",
        "Solved",
        "strict",
        "strict",
        "Share of tasks in which every call is right, in a right order, and no other is made.",
    ),
    Metric(
        "step",
        "calls",
        "Calls right",
        "step",
        "step",
        "Share of calls that are fully right, of those expected or, if more, made.",
    ),
    Metric(
        "weighted",
        "weighted",
        "Weighted score (paper)",
        "overall",
        "score",
        "The paper's score: four dimensions of the calls, weighted, times the economy factor.",
    ),
)
SCORES: Mapping[str, Metric] = {metric.key: metric for metric in (SOLVED, CALLS, WEIGHTED)}
"""By key, the headline first."""
METRICS = tuple(SCORES)
"""Their keys: the order of every array and frame."""
GAP_METRICS = (CALLS.key, SOLVED.key, WEIGHTED.key)
"""In gaps between levels *calls right* leads: one rule at every level, so only its gap is evidence."""
GAP_NOTE = (
    "Only a gap in calls right is evidence about composition: a model equally good at every call shows "
    "none there, about +20 points in the weighted score, and a loss in solved."
)
BY_OPTION: Mapping[str, Metric] = {metric.option: metric for metric in SCORES.values()}

LEVELS = tuple(f"L{level.value}" for level in SUITE_LEVELS)
GAPS: Mapping[str, str] = {
    "selection_gap": "selection gap (mean L1–L3 − L0)",
    "delta_l0_l3": "loss to graphs (L0 − L3)",
}
"""The gaps between levels, by their fields in the score JSON. More is better in every score; in a gap neither
more nor less is, so that nobody is ahead in one."""
QUANTITY_NAMES: Mapping[str, str] = {
    "overall": "all tasks",
    **{f"L{level.value}": f"{level.title} (L{level.value})" for level in SUITE_LEVELS},
    **GAPS,
}
"""What a score is taken over, or how levels are set against each other."""


def solved_at_most(scores: Mapping[str, Any]) -> float:
    """The share solved of a score JSON, had every request that failed by infrastructure been solved."""
    tasks: dict[str, list[bool]] = {}
    for row in scores["tasks"]:
        hoped = bool(row["strict"]) or row["error"] == INFRASTRUCTURE
        tasks.setdefault(row["task_id"], []).append(hoped)
    return sum(sum(samples) / len(samples) for samples in tasks.values()) / len(tasks)
