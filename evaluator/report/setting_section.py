"""The section of one setting: what its runs show, in words, tables and figures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.comparing.across_models import mean_gaps, model_table
from evaluator.comparing.leaderboard import Entry
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.comparing.significance_tests import difference_rows
from evaluator.report import findings
from evaluator.report.content import Section
from evaluator.report.findings import Difference
from evaluator.report.setting_figures import setting_figures
from evaluator.report.setting_tables import (
    FEWEST_FOR_RANKS,
    ablation_table,
    diagnostics_table,
    gaps_table,
    means_table,
    paper_table,
    results_table,
    samples_table,
)
from evaluator.report.settings import words
from evaluator.report.style import REFERENCE
from evaluator.report.tables import Table
from evaluator.scoring.metrics import CALLS, SCORES, SOLVED, WEIGHTED, Metric

if TYPE_CHECKING:
    import pandas as pd


def setting_section(
    stem: str,
    signature: str,
    runs: "pd.DataFrame",
    group: Mapping[str, Result],
    board: Sequence[Entry],
    metric: Metric,
    *,
    with_tables: bool = True,
) -> Section:
    """All about the runs of one signature.

    ``runs``: their rows of the run frame; ``group``: their results by name; ``board``: the ranks of
    the models among them by ``metric``; reference rows have none.
    """
    ranks = {entry.result.name: entry.place.rank for entry in board}
    runs = runs.assign(rank=runs["run"].map(ranks))
    models = runs[runs["regime"] != REFERENCE]
    ranked = [group[name] for name in models.dropna(subset="rank")["run"]]
    judged = [group[name] for name in (models if len(models) else runs)["run"]]
    figures, no_figures = setting_figures(stem, runs, judged, metric)
    tables, no_tables = _tables(stem, runs, group, ranked, metric) if with_tables else ([], [])
    title = words(signature)
    return Section(
        name=stem,
        title=title[0].upper() + title[1:],
        signature=signature,
        intro=[] if len(models) else ["No model was run in this setting: all rows are references."],
        findings=_findings(models, ranked, group, metric),
        tables=tables,
        figures=figures,
        left_out=[*no_figures, *no_tables],
    )


def _tables(
    stem: str,
    runs: "pd.DataFrame",
    group: Mapping[str, Result],
    ranked: Sequence[Result],
    metric: Metric,
) -> tuple[list[Table], list[str]]:
    """The tables that have data, and a line for each that has none."""
    left_out = []
    tables = [
        results_table(stem, runs, metric),
        gaps_table(stem, runs),
        paper_table(stem, runs),
    ]
    if len(ranked) > 1:
        tables += _means(stem, ranked)
    else:
        left_out.append("Means over models: needs 2 ranked models.")
    tables.append(diagnostics_table(stem, runs))
    if len(ranked) >= FEWEST_FOR_RANKS:
        tables.append(ablation_table(stem, ranked))
    else:
        left_out.append(f"Other weights: needs {FEWEST_FOR_RANKS} ranked models.")
    repeated = [group[name] for name in runs.loc[runs["n_samples"] > 1, "run"]]
    if repeated:
        tables.append(samples_table(stem, runs, repeated))
    else:
        left_out.append("Several samples of a task: one answer a task was taken.")
    return tables, left_out


def _means(stem: str, ranked: Sequence[Result]) -> list[Table]:
    """The means over models in each score."""
    return [
        means_table(
            f"{stem}-{score.option}",
            model_table(ranked, score),
            f"Means over models: {score.name}",
        )
        for score in SCORES.values()
    ]


# Findings -------------------------------------------------------------------------------------


def _findings(
    models: "pd.DataFrame",
    results: Sequence[Result],
    group: Mapping[str, Result],
    metric: Metric,
) -> list[str]:
    if models.empty:
        return []
    ranked = models.dropna(subset="rank").sort_values(["rank", metric.key], ascending=[True, False])
    lines = _leader(ranked, group, metric)
    gap = f"gap_{CALLS.key}"
    gaps = models.dropna(subset=gap)
    if len(gaps) == 1:
        row = gaps.iloc[0]
        lines.append(findings.gap(row["model"], *_interval(row, gap)))
    elif len(gaps) > 1:
        lines.append(findings.gaps(list(zip(gaps[f"{gap}_low"], gaps[f"{gap}_high"], strict=True))))
    return [*lines, *_mean_gaps(results)]


def _mean_gaps(results: Sequence[Result]) -> list[str]:
    """The mean gaps where there are models enough for a mean to say something."""
    if len(results) < FEWEST_FOR_RANKS:
        return []
    rows = {
        row["metric"]: (row["value"], row["low"], row["high"], row["models"])
        for row in mean_gaps(results).to_dict("records")
        if row["resampled"] == "both"
    }
    return [findings.mean_gap(*rows[CALLS.key]), findings.paper_gap(*rows[WEIGHTED.key])]


def _leader(ranked: "pd.DataFrame", group: Mapping[str, Result], metric: Metric) -> list[str]:
    if ranked.empty:
        return ["No model's run may be ranked; the table of runs says why."]
    best, *others = ranked.to_dict("records")
    low, high = (best[f"{metric.key}_{end}"] for end in ("low", "high"))
    score = f"{findings.percent(best[metric.key])} ({findings.interval(low, high)})"
    if not others:
        return [f"{best['model']}: {metric.name} {score}."]
    lines = [
        f"{best['model']} leads in {metric.name} with {score}, of {len(ranked)} ranked models."
    ]
    leads = [difference(group[best["run"]], group[row["run"]], metric) for row in others]
    lines.append(findings.versus(best["model"], others[0]["model"], leads[0], metric.name))
    # Rank 2 or worse says only that somebody is better, not that the leader is.
    close = [
        row["model"] for row, lead in zip(others, leads, strict=True) if not lead.is_significant
    ]
    return [*lines, findings.tied(best["model"], close)] if len(others) > 1 else lines


def difference(first: Result, second: Result, metric: Metric = SOLVED) -> Difference:
    """The paired difference of two results in a score, overall, on the tasks that both have."""
    names, scores = [first.name, second.name], score_array([first, second])
    rows = difference_rows(names, scores, ["overall"])
    (row,) = (row for row in rows if row["metric"] == metric.key)
    value, low, high, detectable = (row[k] for k in ("difference", "low", "high", "detectable"))
    return Difference(value, low, high, bool(row["significant"]), detectable)


def _interval(row: Any, name: str) -> tuple[float, float, float]:
    return row[name], row[f"{name}_low"], row[f"{name}_high"]
