"""What frames the sections: what was measured, and what cannot be concluded from it."""

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaluator.report import findings
from evaluator.report.style import REFERENCE
from evaluator.report.tables import Column, Table
from evaluator.scoring.metrics import GAP_NOTE, SOLVED, WEIGHTED
from evaluator.traces.signature import parse_signature

if TYPE_CHECKING:
    import pandas as pd

PAPER_LIMIT = (
    "The paper's rows were measured on suite 2.0.0 and cannot be compared with any run on this "
    "suite."
)


def runs_table(runs: "pd.DataFrame") -> Table:
    """Every run of the report with what keeps it from being taken at its word."""
    columns = (
        Column("model", "model"),
        Column("id", "asked for as"),
        Column("provider", "provider", "label"),
        Column("protocol", "protocol", "label"),
        Column("catalogue", "catalogue", "label"),
        Column("calls", "calls", "label"),
        Column("wording", "wording", "label"),
        Column("n_tasks", "tasks", "count"),
        Column("n_samples", "samples", "count"),
        Column("started", "begun", "label"),
        Column("remark", "remark"),
    )
    wordings = runs["wording"].fillna("").str.replace("_", " ")
    frame = runs.assign(wording=wordings, remark=[remark(row) for row in runs.to_dict("records")])
    return Table("runs", "The runs", frame, columns)


def remark(row: Mapping[Hashable, Any]) -> str:
    """Why a run is not ranked, and both bounds where infrastructure failed; empty for neither."""
    # A control asks the level-0 tasks only: that it lacks the others is no flaw.
    is_control = row["wording"] is not None
    remarks = [f"not ranked: {row['not_ranked']}"] if not row["ranked"] and not is_control else []
    remarks += [row["robustness"]] if row["robustness"] else []
    if row["n_infrastructure"]:
        remarks.append(
            f"{row['n_infrastructure']} tasks failed by infrastructure count 0; had all been right, "
            f"{findings.percent(row['solved_bound'])} solved instead of "
            f"{findings.percent(row[SOLVED.key])}"
        )
    return "; ".join(remarks)


def measured(runs: "pd.DataFrame") -> list[str]:
    """Suite, scorer, days and versions, a sentence each."""
    first = parse_signature(runs["signature"].iloc[0])
    sentences = [
        f"Suite {first.suite_version}, digest {first.suite_digest}, seed {first.seed}; "
        f"scorer version {first.scorer}.",
    ]
    days = sorted(filter(None, runs["started"]))
    if days:
        span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
        sentences.append(f"Runs begun {span} (UTC).")
    for versions, group in runs[runs["versions"] != ""].groupby("versions", sort=True):
        sentences.append(f"Made with {versions} ({findings.count(len(group), 'run')}).")
    return sentences


def limits(runs: "pd.DataFrame", has_paper: bool) -> list[str]:
    """What the runs at hand do not allow to conclude."""
    models = runs[runs["regime"] != REFERENCE]
    return [
        *_limits_of_settings(runs),
        *_limits_of_runs(models),
        *_limits_of_references(runs),
        *_limits_of_intervals(models),
        *([PAPER_LIMIT] if has_paper else []),
    ]


def _limits_of_settings(runs: "pd.DataFrame") -> Iterator[str]:
    settings = runs.loc[runs["wording"].isna(), "signature"].nunique()
    if settings > 1:
        yield (
            f"The runs are of {settings} settings (signatures). Scores of different settings answer "
            "different questions and are never ranked together; where a section sets some side by "
            "side (sweep, control), that is its purpose."
        )


def _limits_of_runs(models: "pd.DataFrame") -> Iterator[str]:
    # Of a sample only what was asked counts.
    of_suite = models[models["wording"].isna() & models["limit"].isna()]
    partial = of_suite.loc[of_suite["n_missing"] > 0, "model"].tolist()
    sampled = models.loc[models["limit"].notna(), "model"].tolist()
    failed = models.loc[models["n_infrastructure"] > 0, "model"].tolist()
    if partial:
        yield (
            f"Incomplete, the missing tasks counting 0: {findings.listed(partial)}. Their scores are "
            "lower bounds."
        )
    if sampled:
        yield (
            f"Asked only a sample of the suite: {findings.listed(sampled)}. Their scores hold for "
            "that sample's tasks and are less certain, as their intervals show."
        )
    if failed:
        yield (
            f"Affected by failures of the provider or the connection: {findings.listed(failed)}. Both "
            "bounds stand in the table of runs; the truth lies between them."
        )


def _limits_of_references(runs: "pd.DataFrame") -> Iterator[str]:
    if (runs["regime"] == REFERENCE).any():
        yield (
            "Reference rows are built-in baselines that show what a score can mean; the oracle and "
            "the dump know the answers. They say nothing about language models."
        )


def _limits_of_intervals(models: "pd.DataFrame") -> Iterator[str]:
    if len(models):
        yield (
            f"{GAP_NOTE} {WEIGHTED.name}: level 0 is all or nothing there, while composed tasks earn "
            "partial credit."
        )
        yield (
            "Intervals resample the suite's task templates within levels. They hold for tasks like "
            "these, in English, over simulated tools; they say nothing about live services."
        )
        yield (
            "The tasks and their answers are public: whether a model has seen them in training cannot "
            "be told from these runs."
        )
    if len(models) > 2:
        yield (
            "Comparisons of pairs are at 95 % each and not corrected for their number: of many equal "
            "pairs, about one in twenty would seem to differ."
        )
    if (models["n_samples"] == 1).any():
        yield (
            "One answer a task was taken: how much a model's answers vary from one time to the next "
            "is not part of the intervals."
        )
