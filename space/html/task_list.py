"""The tasks of a suite as a list to choose from: what they are, and how many runs fail them."""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from markupsafe import Markup

from dataset_builder.tasks.task import Suite
from evaluator.comparing.results import Result
from evaluator.explaining.explanation import BAD, GOOD, PLAIN
from evaluator.scoring.error_classes import MISSING
from evaluator.scoring.metrics import CALLS
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, join, notice, table, tag
from space.base.shown_values import verdict
from space.base.tiers import BASELINE, WITHDRAWN
from space.board.board import Board
from space.board.entry import Entry
from space.html.task_query import NOT_ANSWERED, PASSED, TaskAddress, TaskRow, tasks_link

PART = 50
"""Tasks that are shown at once."""


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
    rows = rows_of(suite, entry.result) if entry else [TaskRow(task) for task in suite.tasks]
    return [
        replace(row, runs=runs[row.task.task_id], failed=failed[row.task.task_id]) for row in rows
    ]


def rows_of(suite: Suite, result: Result) -> list[TaskRow]:
    """A row for each task that a run was asked, without what other runs did of it."""
    values: dict[str, list[float | None]] = {}
    outcomes: dict[str, tuple[str, int]] = {}
    for row in result.scores["tasks"]:
        share = None if row["error"] == MISSING else row[CALLS.field]
        values.setdefault(row["task_id"], []).append(share)
        if outcomes.get(row["task_id"], (PASSED, 0))[0] == PASSED:
            outcomes[row["task_id"]] = (row["error"] or PASSED, row["sample"])
    return [
        TaskRow(task, 0, 0, _mean(shares), *outcomes[task.task_id])
        for task in suite.tasks
        if (shares := values.get(task.task_id))
    ]


def _mean(shares: Sequence[float | None]) -> float | None:
    """None where one is not known."""
    known = [share for share in shares if share is not None]
    return fsum(known) / len(known) if len(known) == len(shares) else None


def _passes(entry: Entry) -> dict[str, bool]:
    """Whether a task is solved in all samples."""
    passes: dict[str, bool] = {}
    for row in entry.result.scores["tasks"]:
        if row["error"] not in NOT_ANSWERED:
            passes[row["task_id"]] = passes.get(row["task_id"], True) and row["strict"]
    return passes


def task_table(rows: Sequence[TaskRow], entry: Entry | None, address: TaskAddress) -> Markup:
    """A part of the list as HTML. ``address``: that of the list, for its links."""
    if not rows:
        return notice("No task passes these filters.")
    of_run: list[Child] = ["outcome", f"{CALLS.name}, %"] if entry else []
    head: list[Child] = ["task", "prompt", *of_run, "failed by", "tools"]
    parts = -(-len(rows) // PART)
    part = min(address.part, parts)
    start = (part - 1) * PART
    cells = (_cells(row, entry, address) for row in rows[start : start + PART])
    count = f"{len(rows)} tasks" if len(rows) != 1 else "1 task"
    which = f", {start + 1} to {min(start + PART, len(rows))} shown" if parts > 1 else ""
    caption = f"{count}{which}. Failed by: runs of models that do not solve it, in any setting."
    inside = table(head, cells, caption, numbers=(3, 4) if entry else (2,))
    return join([tag("div", inside, class_="tasklist"), _parts(address, part, parts)])


def part_of(rows: Sequence[TaskRow], task: str) -> int:
    """In which part of the list a task stands; the first where it does not."""
    return next((i // PART + 1 for i, row in enumerate(rows) if row.task.task_id == task), 1)


def _parts(address: TaskAddress, part: int, parts: int) -> Markup | None:
    """Links to the parts of a long list."""
    if parts == 1:
        return None
    links = (
        tag("b", number, aria_current="page")
        if number == part
        else tasks_link(
            number,
            TaskAddress(run=address.run, query=address.query, part=number).to_query(),
            aria_label=f"Part {number} of the list",
        )
        for number in range(1, parts + 1)
    )
    return tag("nav", "Part ", *links, class_="parts", aria_label="Parts of the list")


def _cells(row: TaskRow, entry: Entry | None, address: TaskAddress) -> list[Child]:
    of_run: list[Child] = []
    if entry:
        kind = GOOD if row.outcome == PASSED else BAD if row.is_failure else PLAIN
        of_run = [verdict(kind, row.outcome) if row.outcome else "–", percent(row.score)]
    name = tasks_link(row.task.task_id, address.of_task(row.task.task_id, row.sample).to_query())
    return [
        join([name, tag("small", row.task.level.title, class_="level")]),
        tag("span", row.task.prompt, class_="asked"),
        *of_run,
        f"{row.failed} of {row.runs}" if row.runs else "–",
        tag("span", ", ".join(row.task.expected_tools), class_="few"),
    ]
