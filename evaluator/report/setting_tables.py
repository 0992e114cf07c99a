"""The tables of one setting (paper, Tables 2, 4 and 5)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.comparing.ablation import ablation
from evaluator.comparing.across_models import regime_means
from evaluator.comparing.repeats import pass_rates
from evaluator.comparing.results import Result
from evaluator.report.style import REFERENCE
from evaluator.report.tables import Column, Table
from evaluator.scoring.metrics import (
    CALLS,
    GAP_METRICS,
    GAP_NOTE,
    LEVELS,
    QUANTITY_NAMES,
    SCORES,
    SOLVED,
    WEIGHTED,
    Metric,
)

if TYPE_CHECKING:
    import pandas as pd

FEWEST_FOR_RANKS = 3
"""Of fewer models no correlation of rankings is defined."""

_DIAGNOSTIC_COLUMNS = (
    Column("model", "model"),
    Column("call_precision", "call precision", "percent"),
    Column("call_recall", "call recall", "percent"),
    Column("argument_accuracy", "arguments", "percent"),
    Column("edge_accuracy", "edges", "percent"),
    Column("calls_per_response", "calls per response", "decimal"),
    Column("latency_ms", "latency, ms", "number"),
    Column("tokens", "tokens", "count"),
    Column("cost_usd", "cost, US$", "number"),
)


def results_table(stem: str, runs: "pd.DataFrame", metric: Metric) -> Table:
    """The main results, a row for each run of the run frame with its rank by ``metric``."""
    references = _references(runs)
    columns = (
        Column("model", "model"),
        Column("rank", "rank", "count"),
        *(Column(score.key, score.name, "percent", interval=True) for score in (SOLVED, CALLS)),
        *_levels(metric),
        Column(WEIGHTED.key, WEIGHTED.name, "percent", interval=True),
        Column("provider", "provider", "label"),
        Column("regime", "regime", "label"),
    )
    return Table(
        f"{stem}-results",
        "Main results",
        runs,
        columns,
        "In per cent, 95 % intervals in brackets, each of its own number. "
        f"{SOLVED.name}: {SOLVED.meaning} {CALLS.name}: {CALLS.meaning} Levels: {metric.name}. "
        f"Rank: 1 + the number of models that are significantly better in {metric.name}; a dash: not "
        "ranked." + (" Rows in italics are built-in baselines for reference." * bool(references)),
        references,
    )


def gaps_table(stem: str, runs: "pd.DataFrame") -> Table:
    """Calls right at each level, and the gaps with their intervals."""
    columns = (
        Column("model", "model"),
        *_levels(CALLS),
        *(
            Column(f"gap_{key}", f"gap, {SCORES[key].name}", "points", interval=True)
            for key in GAP_METRICS
        ),
        Column(f"delta_{CALLS.key}", f"L0 − L3, {CALLS.name}", "points", interval=True),
    )
    return Table(
        f"{stem}-gaps",
        f"{CALLS.name} at each level, and the gaps",
        runs,
        columns,
        "In per cent, gaps in points, 95 % intervals in brackets. A gap is the mean of L1 to L3 minus L0: "
        f"above 0 composed tasks score higher. L0 − L3: above 0 is a loss. {GAP_NOTE}",
        _references(runs),
    )


def paper_table(stem: str, runs: "pd.DataFrame") -> Table:
    """The paper's weighted score with the columns of its Table 2."""
    columns = (
        Column("model", "model"),
        *_levels(WEIGHTED),
        Column(WEIGHTED.key, "overall", "percent", interval=True),
        Column(f"delta_{WEIGHTED.key}", "Δ L0 − L3", "points"),
        Column(f"gap_{WEIGHTED.key}", "gap", "points", interval=True),
    )
    return Table(
        f"{stem}-weighted",
        WEIGHTED.name,
        runs,
        columns,
        f"{WEIGHTED.meaning} It pays about 43 % for the right tools with made-up arguments, and its gap "
        "is no evidence.",
        _references(runs),
    )


def _levels(metric: Metric) -> tuple[Column, ...]:
    return tuple(
        Column(f"{metric.key}_{level}", QUANTITY_NAMES[level], "percent") for level in LEVELS
    )


def diagnostics_table(stem: str, runs: "pd.DataFrame") -> Table:
    """Precision, recall, accuracies, latency, tokens and cost of each run."""
    return Table(
        f"{stem}-diagnostics",
        "Diagnostics",
        runs,
        _DIAGNOSTIC_COLUMNS,
        "Precision: share of the calls made that belong to an expected step; recall: share of the "
        "expected steps that have a call. Latency is the mean of a task; tokens and cost are totals "
        "of the run.",
        _references(runs),
    )


def means_table(
    stem: str,
    models: "pd.DataFrame",
    title: str,
    note: str = "Over the models whose runs are ranked. Brackets: 95 % intervals resampling models, as "
    "in the paper; they hold for models drawn like these.",
) -> Table:
    """The means over the models and over each regime, as in Table 2's last rows.

    ``models``: as `evaluator.comparing.across_models.model_table` gives them.
    """
    frame = regime_means(models).rename(
        columns={"low": "selection_gap_low", "high": "selection_gap_high"}
    )
    columns = (
        Column("regime", "mean of"),
        Column("models", "models", "count"),
        Column("overall", "overall", "percent"),
        *(Column(level, QUANTITY_NAMES[level], "percent") for level in LEVELS),
        Column("delta_l0_l3", "Δ L0 − L3", "points"),
        Column("selection_gap", "gap", "points", interval=True),
        Column("models_with_gap", "with a gap above 0", "count"),
    )
    frame = frame.assign(regime=frame["regime"].str.replace("_", " "))
    return Table(f"{stem}-means", title, frame, columns, note)


def ablation_table(stem: str, ranked: Sequence[Result]) -> Table:
    """How the ranking and the gap fare under eight weight configurations (paper, Table 4)."""
    frame = ablation(ranked).rename(columns={"low": "gap_low", "high": "gap_high"})
    columns = (
        Column("configuration", "weights"),
        Column("rho", "ρ against default", "decimal"),
        Column("p", "p", "p"),
        Column("rho_solved", f"ρ with {SOLVED.name}", "decimal"),
        Column("models_with_gap", "models with a gap above 0", "count"),
        Column("models", "of", "count"),
        Column("gap", "mean gap", "points", interval=True),
    )
    return Table(
        f"{stem}-ablation",
        f"{WEIGHTED.name} under other weights",
        frame,
        columns,
        "ρ: Spearman's correlation of the overall scores with those under the default weights, and with "
        f"{SOLVED.name}, which has none. Intervals resample tasks. Level 0 has no weights.",
    )


def samples_table(stem: str, runs: "pd.DataFrame", results: Sequence[Result]) -> Table:
    """How often all of k samples of a task are solved, or at least one."""
    rates = pass_rates(results).rename(columns={"low": "value_low", "high": "value_high"})
    names = dict(zip(runs["run"], runs["model"], strict=True))
    columns = (
        Column("model", "model"),
        Column("k", "k", "count"),
        Column("estimate", "estimate"),
        Column("value", "tasks", "percent", interval=True),
    )
    return Table(
        f"{stem}-samples",
        "Several samples of a task",
        rates.assign(model=rates["run"].map(names)),
        columns,
        "pass^k: the chance that all of k samples are solved; pass@k: that at least one is.",
    )


def _references(runs: "pd.DataFrame") -> frozenset[int]:
    return frozenset(i for i, regime in enumerate(runs["regime"]) if regime == REFERENCE)
