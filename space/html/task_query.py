"""Which tasks are listed, which one is shown, and how both stand in an address."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from markupsafe import Markup

from dataset_builder.tasks.task import Level, Task
from evaluator.scoring.error_classes import INFRASTRUCTURE, MISSING
from space.base.markup import Child, link
from space.base.sanitize import MAX_TEXT, clean

FILTERS = ("level", "category", "tool", "pattern", "outcome")
ORDERS = {"id": "number", "failed": "failed by most runs", "score": "fewest calls right first"}
PASSED, FAILED = "solved", "failed"
NOT_ANSWERED = (INFRASTRUCTURE, MISSING)
"""Outcomes that are no error of the model's: it was not asked, or the provider gave no answer."""
MAX_VALUES = 20
"""More values of one filter than anybody chooses by hand."""


@dataclass(frozen=True)
class TaskRow:
    """A task in the list."""

    task: Task
    runs: int = 0
    """How many models' runs answered it."""
    failed: int = 0
    """How many of these do not solve it, in any sample."""
    score: float | None = None
    """Calls right of the chosen run, the mean of its samples; None where it has none."""
    outcome: str = ""
    """``solved``, or the error class of the chosen run."""
    sample: int = 0
    """The first sample of that outcome."""

    @property
    def is_failure(self) -> bool:
        """Whether the chosen run answered it, and did not solve it."""
        return self.outcome not in ("", PASSED, *NOT_ANSWERED)

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
                values = (self.outcome, FAILED if self.is_failure else "")
        return frozenset(filter(None, map(str, values)))


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks are listed, and in which order. The defaults stand in no address."""

    filters: tuple[tuple[str, ...], ...] = ((),) * len(FILTERS)
    """The values that pass, for each of `FILTERS`; none: all do."""
    search: str = ""
    order: str = "id"


def select(rows: Sequence[TaskRow], query: TaskQuery) -> list[TaskRow]:
    """The rows that pass every filter, in the order asked for; those without an answer last."""
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
    # There is nothing to see in what was not answered.
    return sorted(selected, key=lambda row: row.outcome == MISSING)


def choices(rows: Sequence[TaskRow]) -> list[list[str]]:
    """The values that occur, for each of `FILTERS`."""
    return [sorted(frozenset().union(*(row.values(name) for row in rows))) for name in FILTERS]


def next_failure(rows: Sequence[TaskRow], listed: Sequence[TaskRow], task: str) -> TaskRow | None:
    """The failure that follows a task in the list, after the last one the first again.

    Of the task's own class where it is a failure, else of any. ``rows``: all of the run. None where
    there is no other.
    """
    here = next((row for row in rows if row.task.task_id == task), None)
    outcome = here.outcome if here and here.is_failure else ""
    ids = [row.task.task_id for row in listed]
    start = ids.index(task) + 1 if task in ids else 0
    return next(
        (
            row
            for row in (*listed[start:], *listed[:start])
            if row.is_failure
            and row.outcome == (outcome or row.outcome)
            and row.task.task_id != task
        ),
        None,
    )


# Addresses ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TaskAddress:
    """What of the tasks an address shows: the list, or one of them."""

    task: str = ""
    """Empty: the list."""
    run: str = ""
    """A run's id, or the private one of a draft or job; empty: none is looked at."""
    sample: int = 0
    query: TaskQuery = field(default_factory=TaskQuery)
    part: int = 1
    """Of the list, counted from 1."""

    def to_query(self) -> str:
        """As a query string without its question mark."""
        if self.task:
            own = {"task": self.task, "run": self.run, "sample": self.sample}
        else:
            # A run alone is the address of the run's own page.
            own = {"tab": "explore", "of": self.run, "part": self.part if self.part > 1 else 0}
        pairs = [(name, str(value)) for name, value in own.items() if value]
        for name, values in zip(FILTERS, self.query.filters, strict=True):
            pairs += [(name, value) for value in values]
        pairs += [("words", self.query.search)] if self.query.search else []
        pairs += [("sort", self.query.order)] if self.query.order != "id" else []
        return urlencode(pairs)

    def of_task(self, task: str, sample: int = 0) -> "TaskAddress":
        """That of a task of the same list."""
        return replace(self, task=task, sample=sample, part=1)


def read_task_address(pairs: Iterable[tuple[str, str]]) -> TaskAddress:
    """What an address asks for; anybody may have written it, so what is unknown is dropped."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)

    def one(name: str) -> str:
        return given.get(name, [""])[0]

    filters = tuple(
        tuple(
            dict.fromkeys(
                cleaned
                for value in given.get(name, ())[:MAX_VALUES]
                if (cleaned := clean(value, MAX_TEXT))
            )
        )
        for name in FILTERS
    )
    order = one("sort") if one("sort") in ORDERS else "id"
    return TaskAddress(
        task=one("task"),
        run=one("run") or one("of"),
        sample=_number(one("sample")),
        query=TaskQuery(filters, clean(one("words"), MAX_TEXT), order),
        part=max(1, _number(one("part"))),
    )


def _number(text: str) -> int:
    """A number as an address has it; 0 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def explore_address(run: str, **values: str) -> str:
    """The address of a run's answers, task by task, as a query string; for a private id as well.

    ``values``: one for any of `FILTERS`.
    """
    filters = tuple((values[name],) if name in values else () for name in FILTERS)
    return TaskAddress(run=run, query=TaskQuery(filters)).to_query()


def explore_link(text: Child, run: str, **values: str) -> Markup:
    """A link to a run's answers, all or those that the filters pass; it opens without loading anew."""
    return tasks_link(text, explore_address(run, **values))


def task_link(text: Child, task_id: str, run: str = "", sample: int = 0) -> Markup:
    """A link to a task's page, which opens without loading anew."""
    return tasks_link(text, TaskAddress(task_id, run, sample).to_query())


def tasks_link(text: Child, query: str, **attributes: str | None) -> Markup:
    """A link to a place of Explore by its query string."""
    return link(text, f"?{query}", data_task="", **attributes)
