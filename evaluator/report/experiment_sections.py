"""The sections that compare runs across settings on purpose: sweep, control, providers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.comparing.results import Result
from evaluator.comparing.significance_tests import strict_tests
from evaluator.report import cost_and_sweep_charts, findings
from evaluator.report.content import Figure, Section
from evaluator.report.data_frames import printable
from evaluator.report.setting_section import difference
from evaluator.report.settings import sweeps, words
from evaluator.report.style import REFERENCE
from evaluator.report.tables import Column, Table
from evaluator.scoring.metrics import SCORES, SOLVED
from evaluator.traces.protocols import WORDINGS

if TYPE_CHECKING:
    import pandas as pd


def sweep_section(runs: "pd.DataFrame", group: Mapping[str, Result]) -> Section | None:
    """Models that were asked with several numbers of tools; None where there is none."""
    swept = sweeps(runs)
    if swept.empty:
        return None
    columns = (
        Column("label", "model"),
        Column("tools", "tools offered", "count"),
        *_scores(),
    )
    figure = Figure(
        "sweep",
        "Score by number of tools offered",
        cost_and_sweep_charts.sweep(_by_tools(swept)),
        f"Lines for {findings.listed(list(dict.fromkeys(swept['label'])))} over the number "
        "of tools offered; the values stand in the table of this section.",
        "Bands: 95 % intervals of each score by itself.",
    )
    return Section(
        "sweep",
        "How many tools are offered",
        ["The same tasks with more and more distractors; everything else is alike."],
        _sweep_findings(swept, group),
        [Table("sweep", "Scores by number of tools offered", swept, columns)],
        [figure],
    )


def _sweep_findings(swept: "pd.DataFrame", group: Mapping[str, Result]) -> list[str]:
    """What the most tools change against the fewest, for each model."""
    changes = []
    for _, arms in swept.groupby(["id", "protocol", "calls", "n_tasks"], sort=False):
        few, many = arms.iloc[0], arms.iloc[-1]
        what = f"{few['label']}, {int(many['tools'])} tools offered instead of {int(few['tools'])}"
        changes.append(findings.changed(what, difference(group[many["run"]], group[few["run"]])))
    return changes


def _by_tools(swept: "pd.DataFrame") -> "pd.DataFrame":
    """Model, metric, tools, score, low and high in per cent."""
    import pandas as pd

    return pd.concat(
        pd.DataFrame(
            {
                "model": swept["label"],
                "metric": metric.name,
                "tools": swept["tools"].astype(int),
                **{
                    end: 100 * swept[metric.key + bound].astype(float)
                    for end, bound in (("score", ""), ("low", "_low"), ("high", "_high"))
                },
            }
        )
        for metric in SCORES.values()
    )


# The level-0 control --------------------------------------------------------------------------

_SAME_MODEL = ["id", "protocol", "catalogue", "calls"]


def control_section(runs: "pd.DataFrame", group: Mapping[str, Result]) -> Section | None:
    """The level-0 control (paper, Appendix H); None where no model was asked in several wordings."""
    worded = runs.dropna(subset="wording")
    worded = worded[worded.groupby(_SAME_MODEL)["wording"].transform("nunique") > 1]
    if worded.empty:
        return None
    place = worded["wording"].map({name: i for i, name in enumerate(WORDINGS)})
    worded = worded.assign(_place=place).sort_values([*_SAME_MODEL, "_place"])
    table, changes = _against_minimal(worded, group)
    columns = (
        Column("label", "model"),
        Column("wording", "wording"),
        Column(SOLVED.key, SOLVED.name, "percent", interval=True),
        Column("call_recall", "tool selected", "percent"),
        Column("argument_accuracy", "arguments", "percent"),
        Column("p", "p against minimal", "p"),
    )
    note = (
        "In per cent; the paper calls the share of solved tasks accuracy. p: McNemar's exact test on "
        "the same tasks, not corrected for the number of rows. Arguments: of the calls to the right tool."
    )
    return Section(
        "control",
        "Level 0 in three wordings",
        [
            "If naming the tool helps, choosing it was the difficulty; if describing the arguments "
            "does, it was those (paper, Appendix H)."
        ],
        changes,
        [Table("control", "Level-0 control", table, columns, note)],
    )


def _against_minimal(
    worded: "pd.DataFrame", group: Mapping[str, Result]
) -> tuple["pd.DataFrame", list[str]]:
    """The rows with p and the wording in words, and what each wording changes against the first."""
    import pandas as pd

    changes: list[str] = []
    p: list[float | None] = []
    for _, wordings in worded.groupby(_SAME_MODEL, sort=False):
        first = wordings.iloc[0]
        for row in wordings.to_dict("records"):
            if row["run"] == first["run"] or first["wording"] != WORDINGS[0]:
                p.append(None)
                continue
            pair = [group[first["run"]], group[row["run"]]]
            p.append(float(strict_tests(pair)["p"].iloc[0]))
            wording = str(row["wording"]).replace("_", " ")
            what = f"{row['label']}, level-0 prompts {wording} instead of minimal"
            changes.append(findings.changed(what, difference(pair[1], pair[0])))
    table = worded.assign(
        p=pd.Series(p, index=worded.index, dtype=float),
        wording=worded["wording"].str.replace("_", " "),
    )
    return table, changes


# Providers ------------------------------------------------------------------------------------

_SAME_WEIGHTS = ["signature", "weights"]


def provider_section(runs: "pd.DataFrame", group: Mapping[str, Result]) -> Section | None:
    """The same weights served by several providers (paper, Appendix F); None where there are none."""
    served = runs.drop_duplicates([*_SAME_WEIGHTS, "provider"])
    served = served[served["regime"] != REFERENCE]
    served = served[served.groupby(_SAME_WEIGHTS)["provider"].transform("nunique") > 1]
    if served.empty:
        return None
    differences, figures = [], []
    for number, (_, providers) in enumerate(served.groupby(_SAME_WEIGHTS, sort=False), 1):
        providers = providers.sort_values(SOLVED.key, ascending=False)
        best, worst = providers.iloc[0], providers.iloc[-1]
        weights = printable(best["weights"])
        pair = (f"{weights} on {best['provider']}", f"{weights} on {worst['provider']}")
        gained = difference(group[best["run"]], group[worst["run"]])
        differences.append(findings.versus(*pair, gained))
        figures.append(_provider_figure(number, providers, weights))
    columns = (
        Column("weights", "weights"),
        Column("provider", "provider"),
        *_scores(),
    )
    return Section(
        "providers",
        "The same weights on several providers",
        [
            "What serving adds or takes away (paper, Appendix F). The providers named in a finding "
            "are the best and the worst: since they were chosen as the farthest apart, their "
            "difference leans upwards."
        ],
        differences,
        [Table("providers", "Scores by provider", served, columns)],
        figures,
    )


def _provider_figure(number: int, providers: "pd.DataFrame", weights: str) -> Figure:
    frame = providers[["weights", "provider"]].assign(
        score=100 * providers[SOLVED.key].astype(float),
        low=100 * providers[f"{SOLVED.key}_low"].astype(float),
        high=100 * providers[f"{SOLVED.key}_high"].astype(float),
    )
    return Figure(
        f"providers-{number}",
        f"{weights}: {words(str(providers['signature'].iloc[0]))}",
        cost_and_sweep_charts.providers(frame, SOLVED.name),
        f"{SOLVED.name} with interval of {weights} on {findings.listed(list(frame['provider']))}.",
        "95 % intervals of each score by itself.",
    )


def _scores() -> list[Column]:
    """All scores with their intervals."""
    return [Column(metric.key, metric.name, "percent", interval=True) for metric in SCORES.values()]
