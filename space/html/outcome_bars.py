"""What a run solved and what went wrong, as bars and short lists; each leads to exactly its tasks."""

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from dataset_builder.tasks.task import SUITE_LEVELS, Suite
from evaluator.comparing.results import Result
from evaluator.scoring.error_classes import ERROR_CLASSES, INFRASTRUCTURE, MEANING, MISSING
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, join, tag
from space.html.task_list import rows_of
from space.html.task_query import FAILED, NOT_ANSWERED, PASSED, TaskRow, explore_link

WEAKEST, FEWEST = 6, 3
"""How many of the weakest tools and categories are listed, and on how many tasks each at least."""


def level_bars(result: Result, run: str) -> Markup:
    """The share solved at each level. ``run``: whose tasks the bars lead to; empty: they are no links."""
    bars = []
    for level in SUITE_LEVELS:
        name = f"L{level.value}"
        values = result.scores["levels"][name]
        if values["n"]:
            share = values[SOLVED.field]
            title = join([level.title, " ", tag("small", name)])
            end = "–" if share is None else f"{percent(share)} % of {values['n']}"
            bars.append(_bar(title, share or 0.0, end, run, level=name))
    return tag("ul", *bars, class_="outcome-bars")


def error_bars(result: Result, suite: Suite, run: str) -> Markup:
    """The tasks of each error class, that of the first sample that is not solved; the most first."""
    rows = rows_of(suite, result)
    classes = {name: _count(rows, name) for name in ERROR_CLASSES}
    found = sorted((item for item in classes.items() if item[1]), key=lambda item: -item[1])
    parts: list[Child] = []
    if found:
        most = found[0][1]
        bars = (
            _bar(
                join([MEANING[name], " ", tag("small", name)]),
                count / most,
                _tasks(count),
                run,
                kind="error",
                outcome=name,
            )
            for name, count in found
        )
        parts.append(tag("ul", *bars, class_="outcome-bars errors"))
    elif _count(rows, PASSED):
        parts.append(tag("p", "None: every task that was answered is solved."))
    parts += _not_answered(rows, run)
    return join(parts)


def weakest(result: Result, suite: Suite, run: str) -> Iterator[Markup]:
    """The tools and categories whose tasks are solved least; nothing where all are solved."""
    rows = [row for row in rows_of(suite, result) if row.outcome not in NOT_ANSWERED]
    for name, title in (("tool", "Weakest tools"), ("category", "Weakest categories")):
        items = list(_weakest_of(rows, name, run))
        if items:
            yield tag("div", tag("h4", title), tag("ul", *items))


def _weakest_of(rows: Sequence[TaskRow], name: str, run: str) -> Iterator[Markup]:
    counts: dict[str, list[int]] = {}
    for row in rows:
        for value in row.values(name):
            count = counts.setdefault(value, [0, 0])
            count[0] += row.outcome == PASSED
            count[1] += 1
    weak = [
        (solved / of, -of, value) for value, (solved, of) in counts.items()
        if of >= FEWEST and solved < of
    ]  # fmt: skip
    for _, _, value in sorted(weak)[:WEAKEST]:
        solved, of = counts[value]
        filters = {name: value, "outcome": FAILED}
        yield tag("li", _led(tag("code", value), run, filters), f" {solved} of {of} solved")


def _not_answered(rows: Sequence[TaskRow], run: str) -> Iterator[Markup]:
    """What stands beside the errors: tasks without an answer, which are none of them."""
    missing, failed = (_count(rows, name) for name in (MISSING, INFRASTRUCTURE))
    if missing:
        has = "has" if missing == 1 else "have"
        text = _led(f"{_tasks(missing)} {has} no answer in the file", run, {"outcome": MISSING})
        yield tag("p", text, ": no error is counted for that, and nothing solved.", class_="fine")
    if failed:
        text = _led(f"{_tasks(failed)} got no answer", run, {"outcome": INFRASTRUCTURE})
        yield tag("p", text, ": the provider failed, not the model.", class_="fine")


def _count(rows: Sequence[TaskRow], outcome: str) -> int:
    return sum(row.outcome == outcome for row in rows)


def _tasks(count: int) -> str:
    return f"{count} task" if count == 1 else f"{count} tasks"


def _bar(
    name: Child, share: float, end: str, run: str, kind: str | None = None, **filters: str
) -> Markup:
    """A bar of a share in [0, 1], with its name before it and its number after it."""
    drawn = tag(
        "span", tag("i", style=f"width:{100 * share:.1f}%"), class_="track", aria_hidden="true"
    )
    parts = (tag("span", name, class_="name"), drawn, tag("span", end, class_="end"))
    return tag("li", _led(join(parts), run, filters), class_=kind)


def _led(text: Child, run: str, filters: Mapping[str, str]) -> Child:
    """The text as a link to the tasks that pass, where the run's answers can be looked at."""
    return explore_link(text, run, **filters) if run else tag("span", text)
