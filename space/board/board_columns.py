"""The columns of the board: what each is called, what it means and what stands in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.values.canonical import fold
from evaluator.comparing.places import Place
from evaluator.scoring.metrics import (
    BY_OPTION,
    CALLS,
    LEVELS,
    QUANTITY_NAMES,
    SOLVED,
    WEIGHTED,
    Metric,
)
from space.board.column_values import (
    Value,
    about,
    between,
    declared,
    diagnostic,
    fresh_gap,
    interval_end,
    score_at,
    spent,
    status_text,
)
from space.board.entry import Entry
from space.board.horizons import horizon_text, length_of

_METHODS = {
    SOLVED.key: "Wilson's for a share",
    CALLS.key: "resampling tasks by template",
    WEIGHTED.key: "resampling tasks by template",
}


@dataclass(frozen=True)
class Column:
    """A column of the board."""

    label: str
    meaning: str
    """One line, which ends in a full stop."""
    value: Value
    is_default: bool = False
    is_number: bool = False
    is_small_first: bool = False
    """Of numbers, whether the best is the smallest."""
    digits: int = 1
    """Digits behind the point of what is no whole number."""
    sort_by: Value | None = None
    """What orders it where that is not its value."""


def _of_metric(metric: Metric) -> dict[str, Column]:
    """The columns of a score over all tasks and of its own interval, as text and as numbers."""

    def interval(entry: Entry, place: Place) -> str:
        return between(*place.intervals[metric.key][1:])

    name = metric.name
    return {
        metric.option: Column(
            name, f"{metric.meaning[:-1]}, in per cent.", score_at(metric.total), True, True
        ),
        f"{metric.option}_interval": Column(
            f"{name}, 95 %", f"95 % interval of {name}, {_METHODS[metric.key]}.", interval
        ),
        f"{metric.option}_low": Column(
            f"{name}, low",
            f"Lower end of the 95 % interval of {name}.",
            interval_end(metric, 1),
            False,
            True,
        ),
        f"{metric.option}_high": Column(
            f"{name}, high",
            f"Upper end of the 95 % interval of {name}.",
            interval_end(metric, 2),
            False,
            True,
        ),
    }


COLUMNS: Mapping[str, Column] = {
    "rank": Column(
        "Rank",
        "1 + the number of runs of its tier and setting that are significantly better (95 %) in the score "
        "ranked by.",
        lambda entry, place: place.rank,
        is_number=True,
        is_small_first=True,
    ),
    "rank_last": Column(
        "Last rank",
        "The worst place that it may have: all runs of its tier and setting less those significantly worse.",
        lambda entry, place: place.last,
        is_number=True,
        is_small_first=True,
    ),
    "model": Column("Model", "As its submitter or its run calls it.", about("model")),
    "tier": Column("Tier", "Who vouches for the run.", lambda entry, place: entry.tier),
    **_of_metric(SOLVED),
    **_of_metric(CALLS),
    **{
        level: Column(
            QUANTITY_NAMES[level],
            f"{SOLVED.name} at this level, in per cent.",
            score_at("levels", level, SOLVED.field),
            True,
            True,
        )
        for level in LEVELS
    },
    **_of_metric(WEIGHTED),
    "horizon": Column(
        "Horizon",
        "H50: the number of calls in a procedure at which half of them are solved, with its 95 % interval.",
        lambda entry, place: horizon_text(entry),
        True,
        sort_by=lambda entry, place: length_of(entry),
    ),
    "gap_calls": Column(
        f"Gap, {CALLS.name}",
        "Mean of L1 to L3 minus L0, in points: above 0 composed tasks score higher. The only gap that is "
        "evidence.",
        score_at("selection_gap", CALLS.key),
        True,
        True,
    ),
    "cost_per_task": Column(
        "Cost per task",
        "US dollars an answer, as recorded in the run.",
        spent("cost_per_task", 6),
        True,
        True,
        True,
        5,
    ),
    "cost_per_solved": Column(
        "Cost per solved",
        "US dollars for each task solved, failed answers paid for as well.",
        spent("cost_per_solved", 6),
        True,
        True,
        True,
        5,
    ),
    "output_tokens_per_task": Column(
        "Output tokens per task",
        "Tokens that the model wrote for an answer, as recorded in the run.",
        spent("output_tokens_per_task", 1),
        True,
        True,
        True,
        0,
    ),
    "output_tokens_per_solved": Column(
        "Output tokens per solved",
        "Tokens written for each task solved, those of failed answers included.",
        spent("output_tokens_per_solved", 1),
        True,
        True,
        True,
        0,
    ),
    "seconds_per_solved": Column(
        "Seconds per solved",
        "Time of all responses for each task solved.",
        spent("seconds_per_solved", 2),
        True,
        True,
        True,
    ),
    "latency_ms": Column(
        "Latency, ms", "Mean time of a response.", diagnostic("latency_ms", 0), True, True, True, 0
    ),
    "tokens": Column(
        "Tokens",
        "All tokens of the run, read and written.",
        diagnostic("tokens", 0),
        True,
        True,
        True,
        0,
    ),
    "cost_usd": Column(
        "Cost, USD", "Of the whole run.", diagnostic("cost_usd", 4), False, True, True, 4
    ),
    "organisation": Column(
        "Organisation", "Who submitted it, in their words.", about("organisation"), True
    ),
    "provider": Column("Provider", "Who served the model.", about("provider"), True),
    "open_weights": Column(
        "Open weights", "Whether the weights can be had.", about("open_weights"), True
    ),
    "date": Column("Date", "When it was run here, or submitted.", about("date"), True),
    "regime": Column(
        "Regime",
        "How it is served: frontier, free_cloud or local (paper, section 4.1).",
        about("regime"),
    ),
    "protocol": Column("Protocol", "One reply, or outputs fed back.", declared("protocol")),
    "catalogue": Column("Catalogue", "The tools offered.", declared("catalogue")),
    "gap_solved": Column(
        f"Gap, {SOLVED.name}",
        "Mean of L1 to L3 minus L0, in points. More calls are harder to get all right: no evidence.",
        score_at("selection_gap", SOLVED.key),
        False,
        True,
    ),
    **{
        f"weighted_{level}": Column(
            f"{WEIGHTED.name}, {level}",
            "The paper's score at this level, in per cent.",
            score_at("levels", level, WEIGHTED.field),
            False,
            True,
        )
        for level in LEVELS
    },
    "gap_weighted": Column(
        f"Gap, {WEIGHTED.name}",
        "Mean of L1 to L3 minus L0, in points: the paper's number, no evidence by itself.",
        score_at("selection_gap", WEIGHTED.key),
        False,
        True,
    ),
    "call_precision": Column(
        "Call precision",
        "Share of the calls made that were wanted.",
        score_at("diagnostics", "call_precision"),
        False,
        True,
    ),
    "call_recall": Column(
        "Call recall",
        "Share of the wanted calls that were made.",
        score_at("diagnostics", "call_recall"),
        False,
        True,
    ),
    "argument_accuracy": Column(
        "Argument accuracy",
        "How right the arguments of aligned calls are.",
        score_at("diagnostics", "argument_accuracy"),
        False,
        True,
    ),
    "edge_accuracy": Column(
        "Edge accuracy",
        "Share of the values that flowed as they should.",
        score_at("diagnostics", "edge_accuracy"),
        False,
        True,
    ),
    "fresh": Column(
        "Public − fresh",
        "Solved on the public tasks minus that on 60 fresh ones, in points, with its 95 % interval.",
        fresh_gap,
    ),
    "foreseen": Column(
        "Foreseen values",
        "Simulated outputs that a single-turn trace states without having seen them.",
        lambda entry, place: entry.foreseen,
        False,
        True,
    ),
    "tasks": Column(
        "Tasks",
        "How many were scored.",
        lambda entry, place: entry.result.scores["n_tasks"],
        False,
        True,
    ),
    "status": Column(
        "Status", "Why it is not ranked, or what was said of it since.", status_text, True
    ),
    "signature": Column(
        "Signature", "What was measured.", lambda entry, place: entry.result.signature
    ),
    "id": Column("Run", "What its page is found by.", lambda entry, place: entry.id),
}
ALWAYS = ("rank", "rank_last", "model", "tier", "id")
"""Columns that tell rows apart: they are no choice."""
ENDS = tuple(f"{option}_{end}" for option in BY_OPTION for end in ("interval", "low", "high"))
"""The intervals of scores, which go wherever their score goes."""
CHOICES = tuple(name for name in COLUMNS if name not in (*ALWAYS, *ENDS))
"""Columns that can be shown or not."""
DEFAULT_COLUMNS = tuple(name for name in CHOICES if COLUMNS[name].is_default)


def exported(columns: Sequence[str]) -> list[str]:
    """The columns of a file for those of a table: with both ends of intervals, and what tells rows apart."""
    wanted = {*ALWAYS, "signature", *columns}
    wanted |= {f"{name}_{end}" for name in columns if name in BY_OPTION for end in ("low", "high")}
    return [name for name in COLUMNS if name in wanted]


def sort_value(name: str, entry: Entry, place: Place) -> Any:
    """What a row is ordered by in a column; None where there is nothing."""
    column = COLUMNS[name]
    value = (column.sort_by or column.value)(entry, place)
    return fold(value) or None if isinstance(value, str) else value
