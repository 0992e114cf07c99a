"""What a run's scores say, as a page: levels with intervals, gaps, diagnostics, errors, worst tasks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from dataset_builder.tasks.task import Suite
from evaluator.comparing.results import Result
from evaluator.comparing.statistics import interval_rows
from evaluator.explaining.explanation import worst
from evaluator.intervals import Interval
from evaluator.scoring.horizon_text import horizon_text
from evaluator.scoring.irrelevance import irrelevance_text
from evaluator.scoring.metrics import (
    CALLS,
    GAP_METRICS,
    GAP_NOTE,
    GAPS,
    LEVELS,
    METRICS,
    QUANTITY_NAMES,
    SCORES,
    SOLVED,
    WEIGHTED,
    solved_at_most,
)
from evaluator.scoring.spending import spending
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, interval_bar, join, table, tag
from space.html.outcome_bars import error_bars, level_bars, weakest
from space.html.task_query import NOT_ANSWERED, explore_link, task_link

WORST = 10
"""How many of the worst tasks are listed."""
_SHARES = {
    "call_precision": "calls made that an expected call fits",
    "call_recall": "expected calls that were made",
    "argument_accuracy": "arguments right in those calls",
    "edge_accuracy": "values that flowed as they should",
}


def scorecard(result: Result, suite: Suite, run: str = "", is_upload: bool = False) -> Markup:
    """Every picture and table of a run's page; fractions are shown in per cent.

    ``run``: the id, public or private, by which Explore finds its answers; all that counts tasks leads there.
    ``is_upload``: whether what it spent is its submitter's word.
    """
    scores = result.scores
    if result.is_horizon:
        return tag("pre", horizon_text(scores["horizon"]))
    if result.apart is not None:
        return tag("pre", irrelevance_text(scores))
    intervals = _intervals(result)
    parts = [
        tag("h3", "Solved by level"),
        level_bars(result, run),
        tag("h3", "Errors"),
        error_bars(result, suite, run),
        tag("div", *weakest(result, suite, run), class_="weakest"),
        _spent(result, is_upload),
        *_worst_table(list(_worst(scores, suite, run))),
        tag("h3", "Scores by level"),
        table(
            ("level", "tasks", *_twice(METRICS)),
            _level_rows(scores, intervals),
            "In per cent, with 95 % intervals (Wilson for solved tasks; templates resampled for others)",
            numbers=(1, *range(2, 8, 2)),
        ),
        tag("h3", "Gaps between levels"),
        table(
            ("gap", *_twice(GAP_METRICS)),
            _gap_rows(scores, intervals),
            f"In percentage points. {GAP_NOTE}",
            numbers=(1, 3, 5),
        ),
        tag("h3", "Diagnostics"),
        table(("measure", "value"), _diagnostics(scores), "Over all answers", numbers=(1,)),
    ]
    return join(parts)


def _worst_table(rows: Sequence[Sequence[Child]]) -> Iterator[Markup]:
    """The worst tasks; nothing where every task is solved."""
    if rows:
        yield tag("h3", "Worst tasks")
        yield table(
            ("task", CALLS.name, WEIGHTED.name, "outcome", "prompt"),
            rows,
            f"The {len(rows)} tasks with the fewest calls right, in per cent",
            numbers=(1, 2),
        )


def private_link(result: Result, run: str) -> Markup | None:
    """Where what is not published can be looked at; nothing for tasks that Explore has not."""
    if result.apart is not None or not run:
        return None
    return tag(
        "p",
        explore_link("See every answer, task by task", run),
        " Private: only who has this link sees them, and they are listed nowhere.",
    )


def _spent(result: Result, is_upload: bool) -> Markup | None:
    """What the run took for a task solved; nothing where its rows do not say."""
    spent = spending(result.scores)
    figures = [
        ("output tokens a solved task", spent.output_tokens_per_solved, "{:,.0f}"),
        ("US dollars a solved task", spent.cost_per_solved, "{:,.4g}"),
        ("seconds a solved task", spent.seconds_per_solved, "{:,.1f}"),
    ]
    items = [
        tag("li", tag("b", form.format(value)), tag("span", name))
        for name, value, form in figures
        if value is not None
    ]
    if not items:
        return None
    note = "Self-reported: as the uploaded rows say" if is_upload else "As the rows record it"
    return join(
        [
            tag("h3", "Spending"),
            tag("ul", *items, class_="figures"),
            tag("p", f"{note}, failed answers included.", class_="fine"),
        ]
    )


def headline(result: Result) -> Markup:
    """The figures that are looked for first, each with its own interval; of tasks apart only their number."""
    count = tag("li", tag("b", result.scores["n_tasks"]), tag("span", "tasks"))
    if result.apart is not None:
        return tag("ul", count, class_="figures")
    scores, intervals = result.scores, _intervals(result)
    figures = [
        (f"{metric.name}, %", percent(scores[metric.total]), intervals.get((key, "overall")), False)
        for key, metric in SCORES.items()
    ]
    gap = percent(scores["selection_gap"][CALLS.key], signed=True)
    gap_interval = intervals.get((CALLS.key, "selection_gap"))
    figures.insert(2, (f"Selection gap in {CALLS.name}, points", gap, gap_interval, True))
    items = [
        tag(
            "li",
            tag("b", value),
            tag("span", name),
            tag("span", _ends(ends, is_signed), class_="ends"),
        )
        for name, value, ends, is_signed in figures
    ]
    return tag("ul", *items, count, class_="figures")


def _ends(interval: Interval | None, signed: bool) -> str:
    if interval is None or interval.low != interval.low:
        return ""
    return f"95 %: {percent(interval.low, signed)} to {percent(interval.high, signed)}"


def foreseen_text(count: int) -> str:
    """What it means that a single-turn trace states what it cannot know."""
    values = "1 value" if count == 1 else f"{count} values"
    return (
        f"The calls state {values} that only a tool's output could have told. In one turn a model sees "
        "no output, so they come from the published answers, from several turns, or from luck."
    )


def _intervals(result: Result) -> Mapping[tuple[str, str], Interval]:
    """By metric and quantity."""
    return {
        (row["metric"], row["quantity"]): Interval(row["value"], row["low"], row["high"])
        for row in interval_rows(result)
    }


def _twice(metrics: Sequence[str]) -> Iterator[str]:
    for key in metrics:
        yield SCORES[key].name
        yield "95 %"


def bounds(interval: Interval | None, signed: bool = False) -> Child:
    """Both ends of an interval as text, with a picture where it lies in [0, 1]."""
    if interval is None or interval.low != interval.low:
        return "–"
    text = f"{percent(interval.low, signed)} to {percent(interval.high, signed)}"
    return (
        text if signed else join([text, interval_bar(interval.low, interval.mean, interval.high)])
    )


def _level_rows(
    scores: Mapping[str, Any], intervals: Mapping[tuple[str, str], Interval]
) -> Iterator[list[Child]]:
    for name in ("overall", *LEVELS):
        level = scores["levels"].get(name, {})
        cells: list[Child] = [QUANTITY_NAMES[name], level.get("n", scores["n_tasks"])]
        for key, metric in SCORES.items():
            value = level[metric.field] if level else scores[metric.total]
            cells += [percent(value), bounds(intervals.get((key, name)))]
        yield cells


def _gap_rows(
    scores: Mapping[str, Any], intervals: Mapping[tuple[str, str], Interval]
) -> Iterator[list[Child]]:
    for name, label in GAPS.items():
        cells: list[Child] = [label]
        for key in GAP_METRICS:
            interval = bounds(intervals.get((key, name)), signed=True)
            cells += [percent(scores[name][key], signed=True), interval]
        yield cells


def _worst(scores: Mapping[str, Any], suite: Suite, run: str) -> Iterator[list[Child]]:
    answered = [row for row in scores["tasks"] if row["error"] not in NOT_ANSWERED]
    for row in worst(answered)[:WORST]:
        task = suite.by_id.get(row["task_id"])
        prompt = tag("span", task.prompt if task else "", class_="prompt")
        yield [
            task_link(row["task_id"], row["task_id"], run, row["sample"])
            if run
            else row["task_id"],
            percent(row[CALLS.field]),
            percent(row[WEIGHTED.field]),
            row["error"] or "solved",
            prompt,
        ]


def _diagnostics(scores: Mapping[str, Any]) -> Iterator[list[Child]]:
    diagnostics = scores["diagnostics"]
    for name, label in _SHARES.items():
        yield [label, f"{percent(diagnostics[name])} %" if diagnostics[name] is not None else "–"]
    yield ["calls per response", _number(diagnostics["calls_per_response"], "", 2)]
    yield ["latency, mean", _number(diagnostics["latency_ms"], " ms")]
    yield ["tokens", _number(diagnostics["tokens"], "")]
    yield ["cost", _number(diagnostics["cost_usd"], " USD", 4)]
    if scores["n_samples"] > 1:
        yield [
            f"tasks solved in all {scores['n_samples']} samples",
            f"{percent(scores['pass_k'])} %",
        ]
    if scores["n_infrastructure"]:
        yield [
            f"{SOLVED.name.lower()} at most, had the provider not failed",
            f"{percent(solved_at_most(scores))} %",
        ]


def _number(value: float | None, unit: str, digits: int = 0) -> str:
    return "–" if value is None else f"{value:,.{digits}f}{unit}"
