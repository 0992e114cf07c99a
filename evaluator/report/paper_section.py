"""The paper's own 27 rows, measured on suite 2.0.0: shown by themselves, compared with nothing."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from evaluator.comparing.across_models import mean_over_models, with_gap
from evaluator.paper import table2, table4, table5, table6
from evaluator.report import findings
from evaluator.report.content import Section
from evaluator.report.setting_figures import level_figures, trade_off
from evaluator.report.setting_tables import means_table
from evaluator.report.tables import Column, Table
from evaluator.scoring.metrics import LEVELS, QUANTITY_NAMES, WEIGHTED

if TYPE_CHECKING:
    import pandas as pd

STEM = "paper"
_MEASURED = ("tool_selection", "argument_accuracy", "latency_ms", "tokens")


def paper_section() -> Section:
    """Tables 2, 4, 5 and 6 and the figures that they allow."""
    models = _models()
    figures, left_out = level_figures(STEM, models, WEIGHTED, WEIGHTED, [WEIGHTED])
    latency = trade_off(
        STEM, models, "latency_ms", "latency", "mean latency of a task, ms", WEIGHTED
    )
    assert latency is not None
    gap = mean_over_models(models["gap_weighted"].tolist())
    above = int((models["gap_weighted"] > 0).sum())
    return Section(
        STEM,
        "The paper's results on suite 2.0.0",
        [
            "These rows are carried over from the paper. They were measured on suite 2.0.0, where "
            "26 of 48 single-call prompts leave out a value that the answer needs and most composed "
            "tasks expect outputs that a single-turn model never sees. They cannot be compared with "
            "runs on this suite, and of tasks solved or calls right they tell nothing."
        ],
        [
            f"{above} of {len(models)} models score higher on composed tasks than on single calls in "
            f"the weighted score, by {findings.percent(gap.mean).removesuffix(' %')} points on average "
            f"({findings.interval(gap.low, gap.high)}, resampling models). The weighted score makes "
            "such a gap for models equally good at every call, and level 0 could not be solved above "
            "45.8 %: whether there is a gap, these rows cannot tell."
        ],
        [_results(models), _means(), _ablation(), _diagnostics(models), _control()],
        [*figures, latency],
        [
            *left_out,
            "Outcomes by level and cost: the paper gives no figures for them.",
            "Intervals and ranks: the scores of its tasks are not among its tables.",
        ],
    )


def _models() -> "pd.DataFrame":
    """Table 2 with the columns of the run frame, and Table 5's diagnostics beside it."""
    table = with_gap(table2())
    twins = table["model"].duplicated(keep=False)
    names = table["model"].where(~twins, table["model"] + " (" + table["provider"] + ")")
    table = table.assign(
        model=names,
        regime=table["regime"].str.replace("_", " "),
        weighted=table["overall"],
        **{f"weighted_{level}": table[level] for level in LEVELS},
        gap_weighted=table["selection_gap"],
        delta_weighted=table["delta_l0_l3"],
        delta_weighted_low=float("nan"),
        delta_weighted_high=float("nan"),
        n_tasks=200,
    )
    measured = table5()
    places = [_place(row, measured) for row in table.to_dict("records")]
    return table.join(measured.iloc[places].reset_index(drop=True)[list(_MEASURED)])


def _place(row: Mapping[Hashable, Any], measured: "pd.DataFrame") -> int:
    """Where a model of Table 2 stands in Table 5, which writes names and providers its own way."""
    base = str(row["model"]).partition(" (")[0]
    names = measured["model"].where(measured["regime"].str.replace("_", " ") == row["regime"], "")
    fits = [i for i, name in enumerate(names) if name and base.startswith(name.partition(" (")[0])]
    if len(fits) > 1:
        # Shorter names begin longer ones (GPT-4o, GPT-4o Mini); of equal ones the provider tells.
        longest = max(len(names[i].partition(" (")[0]) for i in fits)
        fits = [i for i in fits if len(names[i].partition(" (")[0]) == longest]
    if len(fits) > 1:
        fits = [i for i in fits if f"({row['provider']})" in names[i]]
    (place,) = fits
    return place


def _results(models: "pd.DataFrame") -> Table:
    columns = (
        Column("model", "model"),
        Column("provider", "provider"),
        Column("regime", "regime"),
        *(Column(level, QUANTITY_NAMES[level], "percent") for level in LEVELS),
        Column("overall", WEIGHTED.name, "percent"),
        Column("delta_weighted", "Δ L0 − L3", "points"),
        Column("gap_weighted", "gap", "points"),
    )
    return Table(f"{STEM}-results", "Main results (paper, Table 2)", models, columns)


def _means() -> Table:
    title = "Means over models, computed from Table 2"
    note = "Brackets: 95 % intervals resampling models."
    return means_table(STEM, with_gap(table2()), title, note)


def _ablation() -> Table:
    columns = (
        Column("configuration", "weights"),
        Column("rho", "ρ against default", "decimal"),
        Column("p", "p"),
        Column("models_with_gap", "of 10 cloud models with a gap", "count"),
    )
    return Table(f"{STEM}-ablation", "Other weights (paper, Table 4)", table4(), columns)


def _diagnostics(models: "pd.DataFrame") -> Table:
    columns = (
        Column("model", "model"),
        Column("tool_selection", "tool selection", "percent"),
        Column("argument_accuracy", "arguments", "percent"),
        Column("latency_ms", "latency, ms", "number"),
        Column("tokens", "tokens", "count"),
    )
    note = "Tool selection counts only calls already matched by name: it cannot be below 100 %."
    return Table(f"{STEM}-diagnostics", "Diagnostics (paper, Table 5)", models, columns, note)


def _control() -> Table:
    table = table6().rename(columns={"low": "accuracy_low", "high": "accuracy_high"})
    columns = (
        Column("wording", "wording"),
        Column("accuracy", "accuracy", "percent", interval=True),
        Column("tool_selection", "tool selected", "percent"),
        Column("argument_accuracy", "arguments", "percent"),
    )
    frame = table.assign(wording=table["wording"].str.replace("_", " "))
    title = "Level-0 control with GPT-4o Mini (paper, Table 6)"
    return Table(f"{STEM}-control", title, frame, columns)
