"""The sections that compare runs across settings on purpose: sweep, control, providers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.comparing.paired_tests import strict_tests
from evaluator.comparing.results import Result
from evaluator.report import cost_and_sweep_charts, findings
from evaluator.report.content import Figure, Section
from evaluator.report.frames import printable
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
    import pandas as pd

    found = sweeps(runs)
    if found.empty:
        return None
    said = []
    for _, own in found.groupby(["id", "protocol", "calls", "n_tasks"], sort=False):
        few, many = own.iloc[0], own.iloc[-1]
        what = f"{few['label']}, {int(many['tools'])} tools offered instead of {int(few['tools'])}"
        said.append(findings.changed(what, difference(group[many["run"]], group[few["run"]])))
    long = pd.concat(
        pd.DataFrame(
            {
                "model": found["label"],
                "metric": metric.name,
                "tools": found["tools"].astype(int),
                **{
                    end: 100 * found[metric.key + bound].astype(float)
                    for end, bound in (("score", ""), ("low", "_low"), ("high", "_high"))
                },
            }
        )
        for metric in SCORES.values()
    )
    columns = (
        Column("label", "model"),
        Column("tools", "tools offered", "count"),
        *_scores(),
    )
    return Section(
        "sweep",
        "How many tools are offered",
        ["The same tasks with more and more distractors; everything else is alike."],
        said,
        [Table("sweep", "Scores by number of tools offered", found, columns)],
        [
            Figure(
                "sweep",
                "Score by number of tools offered",
                cost_and_sweep_charts.sweep(long),
                f"Lines for {findings.listed(list(dict.fromkeys(found['label'])))} over the number "
                "of tools offered; the values stand in the table of this section.",
                "Bands: 95 % intervals of each score by itself.",
            )
        ],
    )


def control_section(runs: "pd.DataFrame", group: Mapping[str, Result]) -> Section | None:
    """The level-0 control (paper, Appendix H); None where no model was asked in several wordings."""
    import pandas as pd

    found = runs.dropna(subset="wording")
    alike = ["id", "protocol", "catalogue", "calls"]
    found = found[found.groupby(alike)["wording"].transform("nunique") > 1]
    if found.empty:
        return None
    place = found["wording"].map({name: i for i, name in enumerate(WORDINGS)})
    found = found.assign(_place=place).sort_values([*alike, "_place"])
    said: list[str] = []
    p: list[float | None] = []
    for _, own in found.groupby(alike, sort=False):
        first = own.iloc[0]
        for row in own.to_dict("records"):
            if row["run"] == first["run"] or first["wording"] != WORDINGS[0]:
                p.append(None)
                continue
            pair = [group[first["run"]], group[row["run"]]]
            p.append(float(strict_tests(pair)["p"].iloc[0]))
            wording = str(row["wording"]).replace("_", " ")
            what = f"{row['label']}, level-0 prompts {wording} instead of minimal"
            said.append(findings.changed(what, difference(pair[1], pair[0])))
    table = found.assign(
        p=pd.Series(p, index=found.index, dtype=float),
        wording=found["wording"].str.replace("_", " "),
    )
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
        said,
        [Table("control", "Level-0 control", table, columns, note)],
    )


def provider_section(runs: "pd.DataFrame", group: Mapping[str, Result]) -> Section | None:
    """The same weights served by several providers (paper, Appendix F); None where there are none."""
    alike = ["signature", "weights"]
    named = runs.drop_duplicates([*alike, "provider"])
    named = named[named["regime"] != REFERENCE]
    named = named[named.groupby(alike)["provider"].transform("nunique") > 1]
    if named.empty:
        return None
    said, figures = [], []
    for number, ((signature, weights), own) in enumerate(named.groupby(alike, sort=False), 1):
        own = own.sort_values(SOLVED.key, ascending=False)
        weights = printable(weights)
        best, worst = own.iloc[0], own.iloc[-1]
        found = difference(group[best["run"]], group[worst["run"]])
        pair = (f"{weights} on {best['provider']}", f"{weights} on {worst['provider']}")
        said.append(findings.versus(*pair, found))
        frame = own[["weights", "provider"]].assign(
            score=100 * own[SOLVED.key].astype(float),
            low=100 * own[f"{SOLVED.key}_low"].astype(float),
            high=100 * own[f"{SOLVED.key}_high"].astype(float),
        )
        figures.append(
            Figure(
                f"providers-{number}",
                f"{weights}: {words(str(signature))}",
                cost_and_sweep_charts.providers(frame, SOLVED.name),
                f"{SOLVED.name} with interval of {weights} on "
                f"{findings.listed(list(frame['provider']))}.",
                "95 % intervals of each score by itself.",
            )
        )
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
        said,
        [Table("providers", "Scores by provider", named, columns)],
        figures,
    )


def _scores() -> list[Column]:
    """All scores with their intervals."""
    return [Column(metric.key, metric.name, "percent", interval=True) for metric in SCORES.values()]
