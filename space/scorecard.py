"""What a run's scores say, as a page: levels with intervals, gaps, diagnostics, errors, worst tasks."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from dataset_builder.task import Suite
from evaluator.diagnose import INFRASTRUCTURE, MEANING, MISSING
from evaluator.explanation import worst
from evaluator.results import Result
from evaluator.statistics import Interval, score_intervals
from evaluator.tables import percent
from space.markup import Child, interval_bar, join, table, tag
from space.task_list import task_link

METRICS = {"weighted": "weighted", "step": "step", "strict": "strict pass"}
WORST = 10
"""How many of the worst tasks are listed."""
_LEVELS = {
    "L0": "L0, single call",
    "L1": "L1, chain",
    "L2": "L2, parallel",
    "L3": "L3, graph",
    "overall": "all tasks",
}
_GAPS = {"selection_gap": "selection gap (mean of L1 to L3, minus L0)", "delta_l0_l3": "L0 − L3"}
_SHARES = {
    "call_precision": "calls made that an expected call fits",
    "call_recall": "expected calls that were made",
    "argument_accuracy": "arguments right in those calls",
    "edge_accuracy": "values that flowed as they should",
}


def scorecard(result: Result, suite: Suite, run: str = "") -> Markup:
    """Every table of a run's page; fractions are shown in per cent.

    ``run``: the id of a run on the board, whose answers its worst tasks then lead to.
    """
    scores = result.scores
    found = _intervals(result)
    parts = [
        tag("h3", "Scores by level"),
        table(
            ("level", "tasks", *_twice(METRICS.values())),
            _level_rows(scores, found),
            "In per cent, with 95 % intervals (templates resampled; Wilson for shares of passes)",
            numbers=(1, *range(2, 8, 2)),
        ),
        tag("h3", "Gaps"),
        table(
            ("gap", *_twice(METRICS.values())),
            _gap_rows(scores, found),
            "In percentage points. Only a gap in step scores is evidence about composition.",
            numbers=(1, 3, 5),
        ),
        tag("h3", "Errors"),
        _errors(scores),
        tag("h3", "Worst tasks"),
        table(
            ("task", "weighted", "step", "outcome", "prompt"),
            _worst(scores, suite, run),
            f"The {WORST} tasks with the lowest scores, in per cent",
            numbers=(1, 2),
        ),
        tag("h3", "Diagnostics"),
        table(("measure", "value"), _diagnostics(scores), "Over all answers", numbers=(1,)),
    ]
    return join(parts)


def headline(scores: Mapping[str, Any]) -> Markup:
    """The figures that are looked for first."""
    gap = percent(scores["selection_gap"]["step"], signed=True)
    figures = {
        "weighted, %": percent(scores["overall"]),
        "step, %": percent(scores["step"]),
        "strict pass, %": percent(scores["strict"]),
        "selection gap (step), points": gap,
        "tasks": scores["n_tasks"],
    }
    items = (tag("li", tag("b", value), tag("span", name)) for name, value in figures.items())
    return tag("ul", *items, class_="figures")


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
        for row in score_intervals([result]).to_dict("records")
    }


def _twice(names: Any) -> Iterator[str]:
    for name in names:
        yield name
        yield "95 %"


def bounds(found: Interval | None, signed: bool = False) -> Child:
    """Both ends of an interval as text, with a picture where it lies in [0, 1]."""
    if found is None or found.low != found.low:
        return "–"
    text = f"{percent(found.low, signed)} to {percent(found.high, signed)}"
    return text if signed else join([text, interval_bar(found.low, found.mean, found.high)])


def _level_rows(
    scores: Mapping[str, Any], found: Mapping[tuple[str, str], Interval]
) -> Iterator[list[Child]]:
    for name, label in _LEVELS.items():
        if name == "overall":
            own = {"n": scores["n_tasks"], "score": scores["overall"], **scores}
        else:
            own = scores["levels"][name]
        cells: list[Child] = [label, own["n"]]
        for metric in METRICS:
            value = own["score" if metric == "weighted" else metric]
            cells += [percent(value), bounds(found.get((metric, name)))]
        yield cells


def _gap_rows(
    scores: Mapping[str, Any], found: Mapping[tuple[str, str], Interval]
) -> Iterator[list[Child]]:
    for name, label in _GAPS.items():
        cells: list[Child] = [label]
        for metric in METRICS:
            interval = bounds(found.get((metric, name)), signed=True)
            cells += [percent(scores[name][metric], signed=True), interval]
        yield cells


def _errors(scores: Mapping[str, Any]) -> Markup:
    counts = dict(scores["errors"])
    counts |= {INFRASTRUCTURE: scores["n_infrastructure"], MISSING: scores["n_missing"]}
    rows = [[name, count, MEANING.get(name, "")] for name, count in counts.items() if count]
    if not rows:
        return tag("p", "None: every task is a strict pass.")
    caption = "The first class that fits each task that is not a strict pass"
    return table(("class", "tasks", "meaning"), rows, caption, numbers=(1,))


def _worst(scores: Mapping[str, Any], suite: Suite, run: str) -> Iterator[list[Child]]:
    for row in worst(scores["tasks"])[:WORST]:
        task = suite.by_id.get(row["task_id"])
        prompt = tag("span", task.prompt if task else "", class_="prompt")
        yield [
            task_link(row["task_id"], row["task_id"], run) if run else row["task_id"],
            percent(row["score"]),
            percent(row["step"]),
            row["error"] or "passed",
            prompt,
        ]


def _diagnostics(scores: Mapping[str, Any]) -> Iterator[list[Child]]:
    found = scores["diagnostics"]
    for name, label in _SHARES.items():
        yield [label, f"{percent(found[name])} %" if found[name] is not None else "–"]
    yield ["calls per response", _number(found["calls_per_response"], "", 2)]
    yield ["latency, mean", _number(found["latency_ms"], " ms")]
    yield ["tokens", _number(found["tokens"], "")]
    yield ["cost", _number(found["cost_usd"], " USD", 4)]
    if scores["n_samples"] > 1:
        yield [f"all {scores['n_samples']} samples pass", f"{percent(scores['pass_k'])} %"]
    if scores["n_infrastructure"]:
        yield [
            "overall at most, had the provider not failed",
            f"{percent(scores['overall_bound'])} %",
        ]


def _number(value: float | None, unit: str, digits: int = 0) -> str:
    return "–" if value is None else f"{value:,.{digits}f}{unit}"
