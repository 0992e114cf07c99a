"""Runs side by side as HTML: differences with intervals, exact tests, and tasks that only one solves."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from dataset_builder.tasks.task import Suite
from evaluator.comparing.compare import comparison
from evaluator.comparing.solved_by_one import solved_by_one
from evaluator.explaining.explanation import GOOD, PLAIN
from evaluator.scoring.metrics import (
    GAP_METRICS,
    GAP_NOTE,
    GAPS,
    METRICS,
    QUANTITY_NAMES,
    SCORES,
    SOLVED,
)
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import signature_text
from space.base.markup import Child, badge, join, link, notice, table, tag
from space.base.shown_values import verdict
from space.board.entry import Entry
from space.html.task_query import PASSED, task_link

MAX_TASKS = 200
_FIELDS = {"n": "number of tasks", "calls": "form of calls", "ctb": "suite"}
"""Fields of a signature that do not say themselves what they are."""
_NUMBERS = range(1, 2 + 2 * len(METRICS))
_SAYS = f"{SOLVED.name} says"


def compare_page(entries: Sequence[Entry], suite: Suite) -> Markup:
    """The comparison of two or more entries; InputError where they have no task in common."""
    results = [entry.result for entry in entries]
    compared = comparison(results, suite)
    letters = {result.name: letter(i) for i, result in enumerate(results)}
    parts: list[Child] = [
        tag("dl", *_runs(entries), class_="facts"),
        _asked_alike(compared),
        tag("h3", "Differences"),
        _pairs(compared, letters),
        tag("p", _planning(compared), class_="fine"),
    ]
    pairs = [(test["a"], test["b"]) for test in compared["strict"]]
    for a, b in pairs:
        inside = _details(compared, a, b, letters)
        title = f"{letters[a]} − {letters[b]} by level and by category"
        is_only = "" if len(pairs) == 1 else None
        parts.append(tag("details", tag("summary", title), inside, open=is_only))
    parts += _only_one(entries, suite)
    return join(parts)


def compare_address(names: Sequence[str]) -> str:
    """The address of a comparison, as a query string."""
    return urlencode({"tab": "compare", "with": list(names)}, doseq=True)


def letter(number: int) -> str:
    """A, B, …; as many runs as the page compares have one each."""
    return chr(ord("A") + number)


def _runs(entries: Sequence[Entry]) -> Iterator[Markup]:
    for number, entry in enumerate(entries):
        name = link(entry.about["model"] or "unnamed", f"?run={entry.id}")
        yield tag("dt", tag("b", letter(number)))
        yield tag(
            "dd", name, " ", badge(entry.tier, "plain"), " ", signature_text(entry.result.signature),
            ", run ", tag("code", entry.id),
        )  # fmt: skip


def _asked_alike(compared: Mapping[str, Any]) -> Markup:
    count = compared["strict"][0]["n"]
    tasks = f"Over the {count} tasks that all of them have. " if count != 1 else "Over one task. "
    if not compared["differ_in"]:
        return tag("p", tasks, "They were asked alike: their signatures are the same.")
    differ = "; ".join(
        f"{_FIELDS.get(name, name)} ({', '.join(values)})"
        for name, values in compared["differ_in"].items()
    )
    return notice(
        join(
            [
                tasks,
                tag("b", "These runs were not asked alike. "),
                f"They differ in {differ}, so a difference is of the models and of that together.",
            ]
        )
    )


def _pairs(compared: Mapping[str, Any], letters: Mapping[str, str]) -> Markup:
    overall = {
        (row["a"], row["b"], row["metric"]): row
        for row in compared["differences"]
        if row["quantity"] == "overall"
    }
    rows = []
    for test in compared["strict"]:
        a, b = test["a"], test["b"]
        rows_by_metric = [overall[a, b, metric] for metric in METRICS]
        only = f"{test['only_a']} : {test['only_b']}"
        p = (f"{test['p']:.3g}", f"{test['p_holm']:.3g}")
        verdict_words = claim(rows_by_metric[0], letters[a], letters[b])
        rows.append(
            [f"{letters[a]} − {letters[b]}", verdict_words, *_cells(rows_by_metric), only, *p]
        )
    return table(
        ("runs", _SAYS, *_head(METRICS), "solved by one only", "McNemar p", "Holm"),
        rows,
        "In percentage points, with 95 % intervals (templates resampled, the same for all runs). McNemar "
        "compares solved tasks; Holm adjusts its p for all pairs here.",
        numbers=range(2, 2 + 2 * len(METRICS) + 3),
    )


def _head(metrics: Sequence[str]) -> list[str]:
    return [cell for metric in metrics for cell in (SCORES[metric].name, "95 %")]


def _cells(rows: Sequence[Mapping[str, Any]]) -> list[Child]:
    return [
        cell for row in rows for cell in (percent(row["difference"], signed=True), _interval(row))
    ]


def _interval(row: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return "–"
    return f"{percent(row['low'], signed=True)} to {percent(row['high'], signed=True)}"


def claim(row: Mapping[str, Any], a: str, b: str) -> Markup:
    """Which of two runs a difference in a score allows to call better, if either."""
    if not row["significant"]:
        return verdict(PLAIN, "no difference shown")
    return verdict(GOOD, f"{a if row['difference'] > 0 else b} ahead")


def _planning(compared: Mapping[str, Any]) -> str:
    row = next(row for row in compared["differences"] if row["quantity"] == "overall")
    if row["detectable"] is None:
        return "There are no intervals: too few templates to tell these runs apart."
    return (
        f"A true difference of {percent(row['detectable'])} points in {SOLVED.name} would show in four out "
        "of five such comparisons (first pair). Intervals are not adjusted for their number: of twenty, one "
        "misses by chance. Of solved tasks an exact test over templates has to agree with the interval."
    )


def _details(compared: Mapping[str, Any], a: str, b: str, letters: Mapping[str, str]) -> Markup:
    """A pair's differences by level, its gaps, and its differences by category."""
    of_pair = {
        name: [row for row in compared[name] if (row["a"], row["b"]) == (a, b)]
        for name in ("differences", "categories")
    }
    levels, gaps = [], []
    for quantity, group in groupby(of_pair["differences"], key=itemgetter("quantity")):
        rows = list(group)
        # What is overall stands above.
        if rows[0]["difference"] is None or quantity == "overall":
            continue
        if quantity in GAPS:
            by_metric = {row["metric"]: row for row in rows}
            gaps.append([GAPS[quantity], *_cells([by_metric[key] for key in GAP_METRICS])])
        else:
            levels.append(_judged(QUANTITY_NAMES[quantity], rows, letters[a], letters[b]))
    categories = [
        _judged(category, list(group), letters[a], letters[b])
        for category, group in groupby(of_pair["categories"], key=itemgetter("category"))
    ]
    head = ("tasks", *_head(METRICS), _SAYS)
    parts = [table(("level", *head), levels, "By level, in percentage points", numbers=_NUMBERS)]
    if gaps:
        title = f"gap of {letters[a]} minus gap of {letters[b]}"
        caption = (
            f"Gaps between levels, in percentage points; a larger one is no better. {GAP_NOTE}"
        )
        numbers = range(1, 1 + 2 * len(GAP_METRICS))
        parts.append(table((title, *_head(GAP_METRICS)), gaps, caption, numbers=numbers))
    caption = "By category of the tools that a task needs; a task may need several"
    parts.append(table(("category", *head), categories, caption, numbers=_NUMBERS))
    return join(parts)


def _judged(name: str, rows: Sequence[Mapping[str, Any]], a: str, b: str) -> list[Child]:
    """A line of differences, the first of which has a verdict."""
    return [name, rows[0]["n"], *_cells(rows), claim(rows[0], a, b)]


def _only_one(entries: Sequence[Entry], suite: Suite) -> Iterator[Markup]:
    """The tasks that one run solves and no other; each answer is one click away."""
    only = solved_by_one([entry.result for entry in entries])
    yield tag("h3", "Tasks that only one solves")
    if not only:
        yield tag("p", "There is none: every task is solved by none of them or by several.")
        return
    outcomes = [_outcomes(entry) for entry in entries]
    rows = []
    for task_id, winner in sorted(only.items(), key=lambda item: item[1])[:MAX_TASKS]:
        answers = join(
            (
                task_link(f"{letter(i)}: {outcomes[i][task_id]}", task_id, entry.id)
                for i, entry in enumerate(entries)
            ),
            " · ",
        )
        prompt = tag("span", suite.by_id[task_id].prompt, class_="asked")
        rows.append([task_link(task_id, task_id), prompt, letter(winner), answers])
    counts = [f"{letter(i)} {list(only.values()).count(i)}" for i in range(len(entries))]
    more = f"; the first {MAX_TASKS} are listed" if len(only) > MAX_TASKS else ""
    caption = f"Solved in all samples: {', '.join(counts)}{more}."
    inside = table(("task", "prompt", "solved by", "answers"), rows, caption)
    yield tag("div", inside, class_="onlyone")


def _outcomes(entry: Entry) -> dict[str, str]:
    """The first error of each task's samples, or that all are solved."""
    outcomes: dict[str, str] = {}
    for row in entry.result.scores["tasks"]:
        if outcomes.get(row["task_id"], PASSED) == PASSED:
            outcomes[row["task_id"]] = row["error"] or PASSED
    return outcomes
