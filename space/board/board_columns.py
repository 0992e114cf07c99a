"""The columns of the board: what each is called, what it means and what stands in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluator.comparing.places import Place
from evaluator.scoring.metrics import CALLS, LEVELS, QUANTITY_NAMES, SOLVED, WEIGHTED, Metric
from evaluator.scoring.text_tables import percent
from space.base.tiers import BASELINE
from space.board.entry import Entry
from space.board.horizons import horizon_text

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
    value: Callable[[Entry, Place], Any]
    is_default: bool = False
    is_number: bool = False


def points(value: float | None) -> float | None:
    """A fraction in per cent with one decimal."""
    return None if value is None else round(100 * value, 1) + 0.0


def _score(*keys: str) -> Callable[[Entry, Place], Any]:
    def value(entry: Entry, place: Place) -> Any:
        field: Any = entry.result.scores
        for key in keys:
            field = field[key]
        return points(field)

    return value


def _diagnostic(key: str, digits: int) -> Callable[[Entry, Place], Any]:
    def value(entry: Entry, place: Place) -> Any:
        number = entry.result.scores["diagnostics"][key]
        return None if number is None else round(number, digits)

    return value


def _about(key: str) -> Callable[[Entry, Place], Any]:
    return lambda entry, place: entry.about[key]


def _declared(key: str) -> Callable[[Entry, Place], Any]:
    return lambda entry, place: entry.result.scores[key] or "undeclared"


def between(low: float | None, high: float | None, signed: bool = False) -> str:
    """An interval in per cent; nothing where there is none."""
    ends = (percent(low, signed), percent(high, signed))
    return "" if "–" in ends else (" to " if signed else "–").join(ends)


def _of_metric(metric: Metric) -> dict[str, Column]:
    """The columns of a score over all tasks and of its own interval."""

    def interval(entry: Entry, place: Place) -> str:
        return between(*place.intervals[metric.key][1:])

    return {
        metric.option: Column(
            metric.name, f"{metric.meaning[:-1]}, in per cent.", _score(metric.total), True, True
        ),
        f"{metric.option}_interval": Column(
            f"{metric.name}, 95 %",
            f"95 % interval of {metric.name}, {_METHODS[metric.key]}.",
            interval,
            metric is not WEIGHTED,
        ),
    }


def _fresh(entry: Entry, place: Place) -> str:
    if entry.fresh is None:
        return ""
    interval = between(entry.fresh["low"], entry.fresh["high"], signed=True)
    return f"{percent(entry.fresh['difference'], signed=True)} ({interval})"


def _status(entry: Entry, place: Place) -> str:
    if entry.tier == BASELINE:
        return "reference"
    if entry.status:
        return f"{entry.status}: {entry.status_reason}"
    return f"same calls as {entry.same_as}" if entry.same_as else ""


COLUMNS: Mapping[str, Column] = {
    "rank": Column(
        "Rank",
        "1 + the number of runs in this table that are significantly better (95 %) in the score that is "
        "ranked by; ties share one.",
        lambda entry, place: place.rank,
        True,
        True,
    ),
    "model": Column("Model", "As its submitter or its run calls it.", _about("model"), True),
    "organisation": Column(
        "Organisation", "Who submitted it, in their words.", _about("organisation")
    ),
    "provider": Column("Provider", "Who served the model.", _about("provider"), True),
    "regime": Column(
        "Regime",
        "How it is served: frontier, free_cloud or local (paper, section 4.1).",
        _about("regime"),
    ),
    "open_weights": Column(
        "Open weights", "Whether the weights can be had.", _about("open_weights")
    ),
    "tier": Column("Tier", "Who vouches for the run.", lambda entry, place: entry.tier),
    "protocol": Column("Protocol", "One reply, or outputs fed back.", _declared("protocol")),
    "catalogue": Column("Catalogue", "The tools offered.", _declared("catalogue")),
    **_of_metric(SOLVED),
    **_of_metric(CALLS),
    "horizon": Column(
        "Horizon",
        "H50: the number of calls in a procedure at which the model solves half of them, with its 95 % "
        "interval, in a run of the same protocol over procedures of growing length. > 256: beyond the "
        "longest; < 4: below the shortest.",
        lambda entry, place: horizon_text(entry),
        True,
    ),
    **{
        level: Column(
            QUANTITY_NAMES[level],
            f"{SOLVED.name} at this level, in per cent.",
            _score("levels", level, SOLVED.field),
            True,
            True,
        )
        for level in LEVELS
    },
    "gap_calls": Column(
        f"Gap, {CALLS.name}",
        "Mean of L1 to L3 minus L0, in points: above 0 composed tasks score higher. The only gap that is "
        "evidence.",
        _score("selection_gap", CALLS.key),
        True,
        True,
    ),
    "gap_solved": Column(
        f"Gap, {SOLVED.name}",
        "Mean of L1 to L3 minus L0, in points. More calls are harder to get all right: no evidence.",
        _score("selection_gap", SOLVED.key),
        False,
        True,
    ),
    **_of_metric(WEIGHTED),
    **{
        f"weighted_{level}": Column(
            f"{WEIGHTED.name}, {level}",
            "The paper's score at this level, in per cent.",
            _score("levels", level, WEIGHTED.field),
            False,
            True,
        )
        for level in LEVELS
    },
    "gap_weighted": Column(
        f"Gap, {WEIGHTED.name}",
        "Mean of L1 to L3 minus L0, in points: the paper's number, no evidence by itself.",
        _score("selection_gap", WEIGHTED.key),
        False,
        True,
    ),
    "call_precision": Column(
        "Call precision",
        "Share of the calls made that were wanted.",
        _score("diagnostics", "call_precision"),
        False,
        True,
    ),
    "call_recall": Column(
        "Call recall",
        "Share of the wanted calls that were made.",
        _score("diagnostics", "call_recall"),
        False,
        True,
    ),
    "argument_accuracy": Column(
        "Argument accuracy",
        "How right the arguments of aligned calls are.",
        _score("diagnostics", "argument_accuracy"),
        False,
        True,
    ),
    "edge_accuracy": Column(
        "Edge accuracy",
        "Share of the values that flowed as they should.",
        _score("diagnostics", "edge_accuracy"),
        False,
        True,
    ),
    "latency_ms": Column(
        "Latency, ms", "Mean time of a response.", _diagnostic("latency_ms", 0), False, True
    ),
    "tokens": Column("Tokens", "All tokens of the run.", _diagnostic("tokens", 0), False, True),
    "cost_usd": Column("Cost, USD", "Of the whole run.", _diagnostic("cost_usd", 4), False, True),
    "fresh": Column(
        "Public − fresh",
        "Solved on the public tasks minus that on 60 fresh ones, in points, with its 95 % interval.",
        _fresh,
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
    "date": Column("Date", "When it was run here, or submitted.", _about("date"), True),
    "status": Column(
        "Status", "Why it is not ranked, or what was said of it since.", _status, True
    ),
    "signature": Column(
        "Signature", "What was measured.", lambda entry, place: entry.result.signature
    ),
    "id": Column("Run", "What its page is found by.", lambda entry, place: entry.id, True),
}


DEFAULT_COLUMNS = tuple(name for name, column in COLUMNS.items() if column.is_default)


def dtype(name: str) -> str:
    """The type of pandas that a column has."""
    if name in ("rank", "tasks", "foreseen"):
        return "Int64"
    return "Float64" if COLUMNS[name].is_number else "object"
