"""The tasks of a suite as a list to choose from: what they are, and how many runs fail them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from urllib.parse import urlencode

from markupsafe import Markup

from dataset_builder.tasks.task import Level, Suite, Task
from evaluator.explaining.explanation import BAD, GOOD
from evaluator.scoring.error_classes import INFRASTRUCTURE, MISSING
from evaluator.scoring.metrics import CALLS
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, link, notice, table, tag
from space.base.shown_values import verdict
from space.base.tiers import BASELINE, WITHDRAWN
from space.board.board import Board
from space.board.entry import Entry

FILTERS = ("level", "category", "tool", "pattern", "outcome")
ORDERS = {"id": "number", "failed": "failed by most runs", "score": "fewest calls right first"}
PASSED, FAILED = "solved", "failed"
MAX_ROWS = 400


@dataclass(frozen=True)
class TaskRow:
    """A task in the list."""

    task: Task
    runs: int
    """How many models' runs answered it."""
    failed: int
    """How many of these do not solve it, in any sample."""
    score: float | None = None
    """Calls right of the chosen run, the mean of its samples; None where it has none."""
    outcome: str = ""
    """``solved`` or the error class of the chosen run."""

    def values(self, name: str) -> frozenset[str]:
        """What a filter looks at."""
        values: Iterable[object]
        match name:
            case "level":
                level = self.task.level
                values = (level.title if level is Level.PROCEDURE else f"L{level.value}",)
            case "category":
                values = self.task.metadata.get("categories", ())
            case "tool":
                values = self.task.expected_tools
            case "pattern":
                values = (self.task.metadata.get("pattern", ""),)
            case _:
                values = (
                    (self.outcome, FAILED) if self.outcome not in ("", PASSED) else (self.outcome,)
                )
        return frozenset(filter(None, map(str, values)))


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks are listed, and in which order."""

    filters: tuple[tuple[str, ...], ...] = ((),) * len(FILTERS)
    """The values that pass, for each of `FILTERS`; none: all do."""
    search: str = ""
    order: str = "id"


def task_rows(board: Board, suite: Suite, entry: Entry | None) -> list[TaskRow]:
    """A row for each task, or for each that the chosen run was asked, in the suite's order.

    Baselines and withdrawn runs are not counted, nor answers that the provider kept from coming.
    """
    runs = dict.fromkeys(suite.by_id, 0)
    failed = dict.fromkeys(suite.by_id, 0)
    for other in board.entries:
        if other.tier == BASELINE or other.status == WITHDRAWN:
            continue
        for task_id, passed in _passes(other).items():
            if task_id in runs:
                runs[task_id] += 1
                failed[task_id] += not passed
    scores, outcomes = _of_run(entry)
    return [
        TaskRow(
            task,
            runs[task.task_id],
            failed[task.task_id],
            scores.get(task.task_id),
            outcomes.get(task.task_id, ""),
        )
        for task in suite.tasks
        if entry is None or task.task_id in scores
    ]


def _passes(entry: Entry) -> dict[str, bool]:
    """Whether a task is solved in all samples."""
    passes: dict[str, bool] = {}
    for row in entry.result.scores["tasks"]:
        if row["error"] not in (INFRASTRUCTURE, MISSING):
            passes[row["task_id"]] = passes.get(row["task_id"], True) and row["strict"]
    return passes


def _of_run(entry: Entry | None) -> tuple[dict[str, float], dict[str, str]]:
    """Mean share of calls right, and the first sample's error, by task."""
    values: dict[str, list[float]] = {}
    outcomes: dict[str, str] = {}
    for row in entry.result.scores["tasks"] if entry else ():
        values.setdefault(row["task_id"], []).append(row[CALLS.field])
        if outcomes.get(row["task_id"], PASSED) == PASSED:
            outcomes[row["task_id"]] = row["error"] or PASSED
    return {task: fsum(shares) / len(shares) for task, shares in values.items()}, outcomes


def select(rows: Sequence[TaskRow], query: TaskQuery) -> list[TaskRow]:
    """The rows that pass every filter, in the order asked for."""
    wanted = [
        (name, frozenset(values))
        for name, values in zip(FILTERS, query.filters, strict=True)
        if values
    ]
    words = query.search.casefold().split()
    selected = [
        row
        for row in rows
        if all(row.values(name) & values for name, values in wanted)
        and all(word in f"{row.task.task_id} {row.task.prompt}".casefold() for word in words)
    ]
    if query.order == "failed":
        selected.sort(key=lambda row: (-row.failed / max(1, row.runs), -row.failed))
    elif query.order == "score":
        selected.sort(key=lambda row: 2.0 if row.score is None else row.score)
    return selected


def choices(rows: Sequence[TaskRow]) -> list[list[str]]:
    """The values that occur, for each of `FILTERS`."""
    return [sorted(frozenset().union(*(row.values(name) for row in rows))) for name in FILTERS]


def task_query(task_id: str, run: str = "", sample: int = 0) -> dict[str, str]:
    """What stands in the address of a task's page."""
    more = {"run": run} if run else {}
    return {"task": task_id, **more, **({"sample": str(sample)} if sample else {})}


def task_link(text: Child, task_id: str, run: str = "") -> Markup:
    """A link to a task's page, which opens without loading anew."""
    address = f"?{urlencode(task_query(task_id, run))}"
    return link(text, address, data_task=task_id, data_run=run or None)


def task_table(rows: Sequence[TaskRow], entry: Entry | None) -> Markup:
    """The list as HTML."""
    if not rows:
        return notice("No task passes these filters.")
    head: list[Child] = [
        "task",
        "failed by",
        *([f"{CALLS.name}, %", "outcome"] if entry else []),
        "tools",
        "prompt",
    ]
    cells = (_cells(row, entry) for row in rows[:MAX_ROWS])
    count = f"{len(rows)} tasks" if len(rows) != 1 else "1 task"
    more = f"; the first {MAX_ROWS} are shown" if len(rows) > MAX_ROWS else ""
    caption = f"{count}{more}. Failed by: runs of models that do not solve it, in any setting."
    inside = table(head, cells, caption, numbers=(1, 2) if entry else (1,))
    return tag("div", inside, class_="tasklist")


def _cells(row: TaskRow, entry: Entry | None) -> list[Child]:
    of_run: list[Child] = []
    if entry:
        kind = GOOD if row.outcome == PASSED else BAD
        of_run = [percent(row.score), verdict(kind, row.outcome) if row.outcome else "–"]
    return [
        task_link(row.task.task_id, row.task.task_id, entry.id if entry else ""),
        f"{row.failed} of {row.runs}" if row.runs else "–",
        *of_run,
        tag("span", ", ".join(row.task.expected_tools), class_="few"),
        tag("span", row.task.prompt, class_="few"),
    ]
