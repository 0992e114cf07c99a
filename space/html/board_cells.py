"""A row of the board as HTML: what stands in its cells, and how it is drawn."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from markupsafe import Markup

from evaluator.comparing.places import Place
from evaluator.scoring.metrics import BY_OPTION, LEVELS, QUANTITY_NAMES, SOLVED
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, badge, interval_bar, join, link, tag
from space.base.tiers import BASELINE, INCOMPLETE, MADE_HERE, SELF_REPORTED, VERIFIED
from space.board.board_columns import COLUMNS
from space.board.column_values import between, points
from space.board.entry import Entry

TIER_KINDS = {VERIFIED: "good", MADE_HERE: "plain", SELF_REPORTED: "warn", BASELINE: "plain"}
"""How the badge of a tier looks."""
PHONE = ("solved", "spark")
"""Columns that a phone shows beside rank and model."""
SPENT = (
    *("cost_per_task", "cost_per_solved", "output_tokens_per_task", "output_tokens_per_solved"),
    *("seconds_per_solved", "latency_ms", "tokens", "cost_usd"),
)
"""Columns that rest on what the rows say of usage, which of an upload nobody has seen."""
_WIDE = ("status", "signature")
_HEATS = 6


def row(names: Sequence[str], entry: Entry, place: Place, is_marked: bool) -> Markup:
    """A run's cells in these columns, after rank and model."""
    kinds = ["reference" if entry.tier == BASELINE else entry.status, "marked" if is_marked else ""]
    cells = [tag("td", _cell(name, entry, place), class_=_class(name, entry)) for name in names]
    return tag(
        "tr",
        tag("td", _rank(entry, place), class_="rank"),
        tag("th", _model(entry, is_marked), scope="row", class_="model"),
        *cells,
        class_=" ".join(filter(None, kinds)) or None,
        aria_current="true" if is_marked else None,
    )


def column_class(name: str) -> str:
    """How a column is set: numbers to the right, long texts wide, and what a phone leaves out."""
    if name in _WIDE:
        return "wide more"
    if name == "spark":
        return "spark"
    if name in BY_OPTION:
        return "score" if name in PHONE else "score more"
    return "number more" if name in LEVELS or COLUMNS[name].is_number else "more"


def _class(name: str, entry: Entry) -> str:
    if name not in LEVELS:
        return column_class(name)
    return f"{column_class(name)}{_heat(entry.result.scores['levels'][name][SOLVED.field])}"


def _heat(share: float | None) -> str:
    return "" if share is None else f" heat-{min(_HEATS - 1, int(share * _HEATS))}"


def _rank(entry: Entry, place: Place) -> Markup:
    """The range of places, and a box to tick the run with for a comparison."""
    box = tag(
        "input",
        type="checkbox",
        data_tick=entry.id,
        aria_label=f"Compare {entry.about['model'] or 'unnamed'}",
    )
    return tag("label", box, tag("span", place.range, title=_rank_meaning(place)))


def _rank_meaning(place: Place) -> str:
    if place.rank is None:
        return "not ranked"
    if place.last in (None, place.rank):
        return "told apart from all others"
    return f"place {place.rank} at best, {place.last} at worst: others cannot be told apart from it"


def _model(entry: Entry, is_marked: bool) -> Markup:
    """The name, which leads to the run's page, and words for what is special about it."""
    tier = "reference" if entry.tier == BASELINE else entry.tier
    marks = [badge(tier, TIER_KINDS[entry.tier])]
    if is_marked:
        marks.insert(0, badge("this run", "good"))
    if entry.status:
        marks.append(badge(entry.status, "warn" if entry.status == INCOMPLETE else "bad"))
    if entry.foreseen:
        marks.append(badge(f"{entry.foreseen} foreseen", "warn"))
    name = link(entry.about["model"] or "unnamed", f"?run={entry.id}", data_run=entry.id)
    return join([tag("span", name, class_="name"), *marks], " ")


def _cell(name: str, entry: Entry, place: Place) -> Child:
    if name in BY_OPTION:
        return _score(name, entry, place)
    if name == "spark":
        return _spark(entry)
    value = COLUMNS[name].value(entry, place)
    if value is None or value == "":
        return "–"
    text = _text(name, value)
    if name in SPENT and entry.tier == SELF_REPORTED:
        return join([text, tag("span", "†", class_="said", title="self-reported")])
    return text


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if name.startswith("gap_"):
        return percent(value / 100, signed=True)
    is_whole = isinstance(value, int) or (name in SPENT and value == 0)
    digits = 0 if is_whole else COLUMNS[name].digits
    return f"{value:,.{digits}f}"


def _score(name: str, entry: Entry, place: Place) -> Child:
    """A score over all tasks with its own interval, on an axis that all rows share: 0 to 100."""
    score, low, high = place.intervals[BY_OPTION[name].key]
    if isnan(score):
        return "–"
    value = tag("b", f"{points(score):.1f}")
    if isnan(low):
        return value
    return join([value, tag("small", between(low, high)), interval_bar(low, score, high)])


def _spark(entry: Entry) -> Markup:
    """The four levels as bars."""
    shares = [entry.result.scores["levels"][level][SOLVED.field] for level in LEVELS]
    said = ", ".join(
        f"{QUANTITY_NAMES[level]} {percent(share)}"
        for level, share in zip(LEVELS, shares, strict=True)
    )
    bars = [tag("i", style=f"--share:{100 * (share or 0):.0f}%") for share in shares]
    return tag(
        "span", *bars, class_="level-bars", role="img", aria_label=f"Solved: {said}", title=said
    )
