"""The section of the horizon: how many calls the models of one signature compose, on one page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluator.comparing.results import Result
from evaluator.csv_text import inert
from evaluator.horizon.length_text import (
    Ladder,
    by_length,
    exponent_text,
    length_text,
    limit_text,
)
from evaluator.models import is_baseline
from evaluator.report import findings, horizon_charts
from evaluator.report.content import Figure, Section
from evaluator.report.data_frames import model_name
from evaluator.report.horizon_findings import horizon_findings
from evaluator.report.horizon_frames import independent_frame, solved_frame, survival_frame
from evaluator.report.settings import words_of_asking
from evaluator.report.tables import Column, Table
from evaluator.scoring.metrics import CALLS, SOLVED

HORIZONS_ONLY = "Procedures of growing length; no run of the suite of tasks."
HORIZON_LIMITS = (
    "A horizon holds for procedures like these, made from a seed over simulated tools; it says nothing "
    "about live services, or about work that takes judgement.",
    "Effects of dials are seen in the procedures of one ladder. Several dials were looked at, so one "
    "that seems to matter may do so by chance.",
)
_MOST_EFFECTS = 5
"""The effects of so many models fit beside each other on a page."""


def horizon_sections(results: Sequence[Result]) -> list[Section]:
    """A section for each setting of runs that have the section ``horizon`` in their scores."""
    settings: dict[str, list[Result]] = {}
    for result in results:
        settings.setdefault(_setting(result.signature), []).append(result)
    return [
        _section("horizon" if number == 1 else f"horizon-{number}", setting, settings[setting])
        for number, setting in enumerate(sorted(settings), 1)
    ]


def _setting(signature: str) -> str:
    """The signature without its number of tasks: how far a model climbs is the result."""
    return "|".join(part for part in signature.split("|") if not part.startswith("n:"))


def _section(stem: str, setting: str, results: Sequence[Result]) -> Section:
    ladders = _by_label(results)
    drawn = dict(list(ladders.items())[: horizon_charts.MOST_LINES])
    left_out = []
    if len(drawn) < len(ladders):
        left_out.append(
            f"Only the first {len(drawn)} of {len(ladders)} models are drawn; the tables have all."
        )
    if len(ladders) > _MOST_EFFECTS:
        left_out.append(f"Where it breaks: only the first {_MOST_EFFECTS} models.")
    references = {model_name(result) for result in results if is_baseline(result.model)}
    return Section(
        name=stem,
        title=f"The horizon: {words_of_asking(setting)}",
        signature=setting,
        intro=[
            "H50 is the number of calls at which a model solves half of the procedures. k is the "
            "composition exponent: at 1 errors are independent of each other, above 1 length itself "
            "makes calls worse, below 1 failures sit in some procedures."
        ],
        findings=horizon_findings(drawn),
        tables=[
            _lengths_table(stem, ladders, references),
            *_rungs_tables(stem, ladders),
            *_effects_table(stem, dict(list(ladders.items())[:_MOST_EFFECTS])),
        ],
        figures=_figures(stem, drawn),
        left_out=left_out,
    )


# Models ---------------------------------------------------------------------------------------


def _by_label(results: Sequence[Result]) -> dict[str, Ladder]:
    """The horizons by the models' names as they are shown: models before baselines, longest first."""
    order = sorted(
        results,
        key=lambda result: (
            is_baseline(result.model),
            *(-part for part in by_length(result.scores["horizon"])),
            result.model,
            result.name,
        ),
    )
    ladders: dict[str, Ladder] = {}
    for result in order:
        label, number = model_name(result), 2
        while label in ladders:
            label, number = f"{model_name(result)} ({number})", number + 1
        ladders[label] = result.scores["horizon"]
    return ladders


# Tables ---------------------------------------------------------------------------------------


def _lengths_table(stem: str, ladders: Mapping[str, Ladder], references: set[str]) -> Table:
    """A row for each model: its lengths and the exponent."""
    import pandas as pd

    rows = [
        {
            "model": label,
            "h50": str(length_text(section)),
            "h80": str(length_text(section, "h80")),
            "k": exponent_text(section),
            "p": section["independent"]["p"],
            "independent": section["independent"]["h50"],
            "remark": limit_text(section),
        }
        for label, section in ladders.items()
    ]
    columns = [
        Column("model", "model"),
        Column("h50", "H50, calls", "label"),
        Column("h80", "H80, calls", "label"),
        Column("k", "k", "label"),
        Column("p", "p", "number"),
        Column("independent", "H50 of independent errors", "number"),
        *([Column("remark", "remark", "label")] if any(row["remark"] for row in rows) else []),
    ]
    return Table(
        f"{stem}-lengths",
        "Horizon of each model",
        pd.DataFrame(rows),
        columns,
        "In brackets: 95 % intervals. p: right calls before a first error, in procedures of up to "
        "16 calls; were errors independent, it would give the H50 beside it.",
        frozenset(i for i, label in enumerate(ladders) if label in references),
    )


def _rungs_tables(stem: str, ladders: Mapping[str, Ladder]) -> list[Table]:
    """What was solved, and the calls that were right, by length; a row for each model."""
    import pandas as pd

    rungs = sorted({rung["calls"] for each in ladders.values() for rung in each["rungs"]})
    solved, right = [], []
    for label, section in ladders.items():
        answered = [rung for rung in section["rungs"] if rung["tasks"]]
        shares: dict[str, Any] = {}
        for rung in answered:
            field = f"solved_{rung['calls']}"
            bounds = (rung["solved"] / rung["tasks"], rung["low"], rung["high"])
            shares |= dict(zip(_with_bounds(field), bounds, strict=True))
        solved.append({"model": label, **shares})
        right.append(
            {"model": label, **{f"right_{r['calls']}": r["calls_right"] for r in answered}}
        )
    fields = [name for calls in rungs for name in _with_bounds(f"solved_{calls}")]
    heads = {calls: f"of {calls} calls" for calls in rungs}
    model = Column("model", "model")
    return [
        Table(
            f"{stem}-solved",
            f"{SOLVED.name}, by length",
            pd.DataFrame(solved).reindex(columns=["model", *fields]),
            [model, *(Column(f"solved_{n}", heads[n], "share", interval=True) for n in rungs)],
            "In per cent of the procedures, with Wilson's 95 % intervals. Procedures that a model's "
            "context or output limit cut off count nowhere.",
        ),
        Table(
            f"{stem}-calls",
            f"{CALLS.name}, by length",
            pd.DataFrame(right).reindex(columns=["model", *(f"right_{n}" for n in rungs)]),
            [model, *(Column(f"right_{n}", heads[n], "percent") for n in rungs)],
            "In per cent, the mean over procedures.",
        ),
    ]


def _effects_table(stem: str, ladders: Mapping[str, Ladder]) -> Iterator[Table]:
    """Where it breaks: calls right by how a procedure was made, a column for each model."""
    import pandas as pd

    # A header that no spreadsheet runs, and that the names of its bounds do not meet.
    fields = {label: inert(label).replace("_", " ") for label in ladders}
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for label, section in ladders.items():
        for effect in section["effects"]:
            key = (effect["dial"], effect["value"])
            row = rows.setdefault(key, {"dial": key[0].replace("_", " "), "value": key[1]})
            row[fields[label]] = effect["calls_right"]
            row[f"{fields[label]}_low"], row[f"{fields[label]}_high"] = (
                effect["low"],
                effect["high"],
            )
    if not rows:
        return
    columns = [Column("dial", "dial", "label"), Column("value", "value", "label")]
    columns += [Column(fields[label], label, "percent", interval=True) for label in ladders]
    names = [name for column in columns[2:] for name in _with_bounds(column.field)]
    frame = pd.DataFrame(list(rows.values())).reindex(columns=["dial", "value", *names])
    yield Table(
        f"{stem}-effects",
        "Where it breaks",
        frame,
        columns,
        f"{CALLS.name} in per cent, with 95 % intervals between procedures. Low and high: below and "
        "above the median of the procedures of the same length.",
    )


def _with_bounds(field: str) -> tuple[str, str, str]:
    return field, f"{field}_low", f"{field}_high"


# Figures --------------------------------------------------------------------------------------


def _figures(stem: str, ladders: Mapping[str, Ladder]) -> list[Figure]:
    frame = solved_frame(ladders)
    if frame.empty:
        return []
    lengths = [f"{label} {length_text(section)}" for label, section in ladders.items()]
    return [
        Figure(
            f"{stem}-solved",
            "Solved against the number of calls",
            horizon_charts.solved(frame, independent_frame(ladders)),
            f"A line for each of {findings.count(len(ladders), 'model')} over lengths that double. "
            f"Calls at which half is solved: {'; '.join(lengths)}.",
            "Bars: 95 % intervals; the marks of one length stand side by side. Dotted: what independent "
            "errors would give, p to the power of N, with p from procedures of up to 16 calls.",
        ),
        Figure(
            f"{stem}-survival",
            "Right calls before the first wrong one",
            horizon_charts.survival(survival_frame(ladders)),
            "A falling step line for each model: the share of procedures whose first n calls are "
            "all right, in order of execution.",
            "Every procedure counts, solved or not (Kaplan and Meier). Bands: 95 % intervals.",
        ),
    ]
