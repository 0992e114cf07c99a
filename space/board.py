"""The board: runs on disk and submissions, scored by the evaluator, as tables for the page."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from dataset_builder.tools import catalogue
from evaluator.diagnose import MISSING, reasons
from evaluator.leaderboard import LEVELS, Entry, ranked, remark
from evaluator.offline import ScoredRun, score_files, score_folder
from space.store import Store

HERE, SELF_REPORTED = "run here", "self-reported"


@dataclass(frozen=True)
class Listed:
    """A run with what the page needs to name it."""

    id: str
    tier: str
    run: ScoredRun


@dataclass(frozen=True)
class Board:
    """All runs that could be read, and a sentence for each that could not."""

    runs: tuple[Listed, ...]
    problems: tuple[str, ...]

    def find(self, run_id: str) -> Listed | None:
        """The run of that id."""
        return next((listed for listed in self.runs if listed.id == run_id), None)


def load_board(suite: Suite, runs: Path, store: Store) -> Board:
    """Score the run folders below ``runs`` and the submissions; a broken one spoils no other."""
    tools = catalogue()
    listed, problems = [], []
    for file in sorted(runs.glob("*/run.json")):
        try:
            run = score_folder(file.parent, suite, tools)
        except InputError as error:
            problems.append(str(error).splitlines()[0])
        else:
            listed.append(Listed(file.parent.name, HERE, run))
    for submission in store.all():
        try:
            scored = score_files([submission.traces], suite, tools)
        except InputError as error:
            problems.append(f"submission {submission.id}: {str(error).splitlines()[0]}")
            continue
        for number, run in enumerate(scored):
            name = submission.id if len(scored) == 1 else f"{submission.id}.{number + 1}"
            listed.append(Listed(name, SELF_REPORTED, run))
    return Board(tuple(listed), tuple(problems))


COLUMNS = (
    "rank",
    "model",
    "weighted",
    "95 %",
    *LEVELS,
    "step",
    "strict",
    "gap (step)",
    "protocol",
    "catalogue",
    "tasks",
    "remark",
    "signature",
    "run",
)


def table(listed: Iterable[Listed]) -> pd.DataFrame:
    """The leaderboard; only runs of one signature are ranked against each other."""
    chosen = list(listed)
    names = {id(item.run): item.id for item in chosen}
    rows = [
        _row(entry, names[id(entry.run)])
        for entries in ranked(item.run for item in chosen).values()
        for entry in entries
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(entry: Entry, name: str) -> list[object]:
    scores = entry.run.scores
    gap = scores["selection_gap"]["step"]
    return [
        entry.rank,
        scores["model"] or "unnamed",
        _percent(scores["overall"]),
        f"{_percent(entry.interval.low)}–{_percent(entry.interval.high)}",
        *(_percent(scores["levels"][level]["score"]) for level in LEVELS),
        _percent(scores["step"]),
        _percent(scores["strict"]),
        _percent(gap),
        scores["protocol"] or "undeclared",
        scores["catalogue"] or "undeclared",
        scores["n_tasks"],
        remark(scores),
        scores["signature"],
        name,
    ]


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 1)


def level_table(run: ScoredRun) -> pd.DataFrame:
    """Scores by level, in per cent."""
    scores = run.scores
    rows = [
        [name, level["n"], *(_percent(level[key]) for key in ("score", "step", "strict"))]
        for name, level in scores["levels"].items()
    ]
    whole = (_percent(scores[key]) for key in ("overall", "step", "strict"))
    rows.append(["all", scores["n_tasks"], *whole])
    return pd.DataFrame(rows, columns=["level", "tasks", "weighted", "step", "strict"])


def task_table(run: ScoredRun) -> pd.DataFrame:
    """Every task with its scores, error class and the reason in words, the worst first."""
    rows = []
    for attempt in run.attempts:
        row = attempt.to_row()
        said = reasons(attempt.score) if attempt.score else ["There is no row for this task."]
        rows.append(
            [
                row["task_id"],
                _percent(row["score"]),
                _percent(row["step"]),
                row["error"] or "passed",
                "\n".join(said) or "Every call is right.",
                attempt.task.prompt,
            ]
        )
    rows.sort(key=lambda row: (row[1], row[2], row[3] == MISSING, row[0]))
    return pd.DataFrame(rows, columns=["task", "weighted", "step", "outcome", "why", "prompt"])
