"""What frames the sections: what was measured, and what cannot be concluded from it."""

from typing import TYPE_CHECKING

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


def remark(row: object) -> str:
    """Why a run is not ranked, and both bounds where infrastructure failed; empty for neither."""
    assert isinstance(row, dict)
    # A control asks the level-0 tasks only: that it lacks the others is no flaw.
    is_control = row["wording"] is not None
    said = [f"not ranked: {row['not_ranked']}"] if not row["ranked"] and not is_control else []
    if row["n_infrastructure"]:
        said.append(
            f"{row['n_infrastructure']} tasks failed by infrastructure count 0; had all been right, "
            f"{findings.percent(row['solved_bound'])} solved instead of "
            f"{findings.percent(row[SOLVED.key])}"
        )
    return "; ".join(said)


def measured(runs: "pd.DataFrame") -> list[str]:
    """Suite, scorer, days and versions, a sentence each."""
    first = parse_signature(runs["signature"].iloc[0])
    said = [
        f"Suite {first.suite_version}, digest {first.suite_digest}, seed {first.seed}; "
        f"scorer version {first.scorer}.",
    ]
    days = sorted(filter(None, runs["started"]))
    if days:
        span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
        said.append(f"Runs begun {span} (UTC).")
    for versions, own in runs[runs["versions"] != ""].groupby("versions", sort=True):
        said.append(f"Made with {versions} ({_count(len(own), 'run')}).")
    return said


def limits(runs: "pd.DataFrame", has_paper: bool) -> list[str]:
    """What the runs at hand do not allow to conclude."""
    models = runs[runs["regime"] != REFERENCE]
    said = []
    settings = runs.loc[runs["wording"].isna(), "signature"].nunique()
    if settings > 1:
        said.append(
            f"The runs are of {settings} settings (signatures). Scores of different settings answer "
            "different questions and are never ranked together; where a section sets some side by "
            "side (sweep, control), that is its purpose."
        )
    # Of a sample only what was asked counts.
    of_suite = models[models["wording"].isna() & models["limit"].isna()]
    partial = of_suite.loc[of_suite["n_missing"] > 0, "model"].tolist()
    sampled = models.loc[models["limit"].notna(), "model"].tolist()
    failed = models.loc[models["n_infrastructure"] > 0, "model"].tolist()
    if partial:
        said.append(
            f"Incomplete, the missing tasks counting 0: {findings.listed(partial)}. Their scores are "
            "lower bounds."
        )
    if sampled:
        said.append(
            f"Asked only a sample of the suite: {findings.listed(sampled)}. Their scores hold for "
            "that sample's tasks and are less certain, as their intervals show."
        )
    if failed:
        said.append(
            f"Affected by failures of the provider or the connection: {findings.listed(failed)}. Both "
            "bounds stand in the table of runs; the truth lies between them."
        )
    if (runs["regime"] == REFERENCE).any():
        said.append(
            "Reference rows are built-in baselines that show what a score can mean; the oracle and "
            "the dump know the answers. They say nothing about language models."
        )
    if len(models):
        said += [
            f"{GAP_NOTE} {WEIGHTED.name}: level 0 is all or nothing there, while composed tasks earn "
            "partial credit.",
            "Intervals resample the suite's task templates within levels. They hold for tasks like "
            "these, in English, over simulated tools; they say nothing about live services.",
            "The tasks and their answers are public: whether a model has seen them in training cannot "
            "be told from these runs.",
        ]
    if len(models) > 2:
        said.append(
            "Comparisons of pairs are at 95 % each and not corrected for their number: of many equal "
            "pairs, about one in twenty would seem to differ."
        )
    if (models["n_samples"] == 1).any():
        said.append(
            "One answer a task was taken: how much a model's answers vary from one time to the next "
            "is not part of the intervals."
        )
    if has_paper:
        said.append(PAPER_LIMIT)
    return said


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
