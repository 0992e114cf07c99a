"""The figures of one setting, from its rows of the run frame (paper, Figures 1 to 3)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluator.comparing.results import Result
from evaluator.report import cost_and_sweep_charts, findings, level_charts
from evaluator.report.content import Figure
from evaluator.report.data_frames import delta_frame, error_frame, gap_frame, level_frame
from evaluator.report.style import REFERENCE
from evaluator.scoring.metrics import CALLS, GAP_NOTE, WEIGHTED, Metric

if TYPE_CHECKING:
    import pandas as pd

GAPS_SHOWN = (CALLS, WEIGHTED)
"""The panels of gaps between levels: the score whose gap is evidence, then the paper's."""


def setting_figures(
    stem: str, runs: "pd.DataFrame", judged: Sequence[Result], metric: Metric
) -> tuple[list[Figure], list[str]]:
    """The figures that have data, and a line for each that has none; ``metric``: the one ranked by."""
    figures, left_out = level_figures(stem, runs, metric, CALLS, GAPS_SHOWN)
    figures.append(_outcomes(stem, judged, has_others=len(judged) < len(runs)))
    models = runs[runs["regime"] != REFERENCE]
    for field, name, title in (
        ("latency_ms", "latency", "mean latency of a task, ms"),
        ("cost_usd", "cost", "cost of a task, US cents"),
    ):
        figure = trade_off(stem, models, field, name, title, metric)
        if figure is None:
            left_out.append(
                f"{name.capitalize()} against score: needs two models whose {name} was recorded and "
                "is not 0."
            )
        else:
            figures.append(figure)
    return figures, left_out


def level_figures(
    stem: str,
    runs: "pd.DataFrame",
    metric: Metric,
    across: Metric,
    gap_metrics: Sequence[Metric],
) -> tuple[list[Figure], list[str]]:
    """The paper's Figures 1, 2b and 3 from a frame of level means.

    ``metric`` is shown at each level, ``across`` from level to level, the gaps in ``gap_metrics``.
    """
    figures, left_out = [], []
    gaps, deltas = gap_frame(runs, gap_metrics), delta_frame(runs, gap_metrics)
    levels, lines = level_frame(runs, metric), level_frame(runs, across)
    if gaps.empty:
        left_out.append("Gap: no run has tasks of all four levels.")
    else:
        figures.append(_gap(stem, gaps))
    if levels.empty:
        return figures, [*left_out, "Levels: no run has a task."]
    figures += [_levels(stem, levels, metric), _curves(stem, lines, across)]
    if deltas.empty:
        left_out.append("Level 0 minus level 3: no run has tasks of both levels.")
    else:
        figures.append(_delta(stem, deltas))
    return [*figures, _heat_map(stem, levels, metric)], left_out


def _outcomes(stem: str, judged: Sequence[Result], *, has_others: bool) -> Figure:
    return Figure(
        f"{stem}-errors",
        "Outcomes by level",
        level_charts.errors(error_frame(judged)),
        f"A table in colours: the share of answers at each level that solved the task or fell into each "
        f"error class, over {findings.count(len(judged), 'run')}.",
        "Share of answers; the first class that fits counts. "
        + ("Reference rows are left out." if has_others else ""),
    )


def _gap(stem: str, gaps: "pd.DataFrame") -> Figure:
    return Figure(
        f"{stem}-gap",
        "Single calls and composed tasks",
        level_charts.gap(gaps),
        f"For {findings.count(gaps['model'].nunique(), 'run')} an arrow from the score at level 0 to "
        "the mean of levels 1 to 3; the numbers at the right are the gaps of the tables.",
        f"Numbers are gaps in points. {GAP_NOTE}",
    )


def _levels(stem: str, levels: "pd.DataFrame", metric: Metric) -> Figure:
    return Figure(
        f"{stem}-levels",
        "Scores at each level",
        level_charts.levels(levels, metric.name),
        _extremes(levels, metric),
        "A mark for each run, a bar for the mean of a regime with several.",
    )


def _curves(stem: str, lines: "pd.DataFrame", metric: Metric) -> Figure:
    return Figure(
        f"{stem}-curves",
        "From level to level",
        level_charts.degradation(lines, metric.name),
        f"Lines over the four levels for {findings.count(lines['model'].nunique(), 'run')}. "
        + _extremes(lines, metric),
    )


def _delta(stem: str, deltas: "pd.DataFrame") -> Figure:
    return Figure(
        f"{stem}-delta",
        "Level 0 minus level 3",
        level_charts.delta(deltas),
        "Bars to the right for models that lose from level 0 to level 3, to the left for those "
        "that gain; the values stand in the tables.",
        "" if deltas["low"].isna().all() else "Whiskers: 95 % intervals.",
    )


def _heat_map(stem: str, levels: "pd.DataFrame", metric: Metric) -> Figure:
    return Figure(
        f"{stem}-heat-map",
        "Models by levels",
        level_charts.heat_map(levels, metric.name),
        f"A table in colours: {metric.name} of each run at each level, as in the tables.",
    )


def trade_off(
    stem: str, models: "pd.DataFrame", field: str, name: str, title: str, metric: Metric
) -> Figure | None:
    """Score against latency or cost (a column of ``runs``); None where fewer than two models have it."""
    known = models[models[field].fillna(0) > 0]
    if len(known) < 2:
        return None
    frame = known[["model", "regime"]].assign(score=100 * known[metric.key].astype(float))
    share: Any = 100 / known["n_tasks"] if name == "cost" else 1
    frame = frame.assign(value=known[field].astype(float) * share)
    best = [label for label in cost_and_sweep_charts.front(frame, "value") if label]
    return Figure(
        f"{stem}-{name}",
        f"{name.capitalize()} against score",
        cost_and_sweep_charts.trade_off(frame, "value", title, metric.name),
        f"Each of {len(frame)} models by {name} and {metric.name}. No other is better in both than "
        f"{findings.listed(best)}.",
        "Named, as far as there is room: models that no other beats in both."
        + ("" if len(known) == len(models) else f" Without data: {len(models) - len(known)}."),
    )


def _extremes(levels: "pd.DataFrame", metric: Metric) -> str:
    """The highest and the lowest score at each level, for the alternative text."""
    parts = []
    for level, rows in levels.groupby("level"):
        low, high = rows["score"].min() / 100, rows["score"].max() / 100
        parts.append(f"{level} from {findings.percent(low)} to {findings.percent(high)}")
    return f"{metric.name}: {'; '.join(parts)}."
