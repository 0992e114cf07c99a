"""The board as HTML: a table with a ranking for each signature, or a sentence where there is none."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import pandas as pd
from markupsafe import Markup

from evaluator.comparing.places import Place
from evaluator.scoring.metrics import BY_OPTION
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import signature_text
from space.base.markup import Child, badge, interval_bar, join, link, notice, scroll, tag
from space.base.tiers import BASELINE, MADE_HERE, SELF_REPORTED, TIERS, VERIFIED
from space.board.board import Board
from space.board.board_columns import COLUMNS
from space.board.board_table import frame
from space.board.entry import Entry
from space.board.page_address import BoardQuery

PAGE_ROWS = 100
"""How many rows are shown before somebody asks for more."""
VIEW_LABELS = {VERIFIED: "Verified", MADE_HERE: "Made here", SELF_REPORTED: "Self-reported"}
_EMPTY = {
    VERIFIED: "There is no verified run yet. A run is verified when the maintainers or this page made "
    "it, it is complete, and it answered fresh tasks as well.",
    MADE_HERE: "There is no run on this machine yet. `make demo` makes the first ones, "
    "`comptoolbench run MODEL` any other.",
    SELF_REPORTED: "Nobody has published traces yet. Yours can be the first: see Submit.",
}
_PINNED = ("rank", "model")
# What a narrow screen shows last.
_DESCRIPTIONS = (
    *("organisation", "provider", "regime", "open_weights", "tier", "protocol", "catalogue"),
    *("date", "status", "signature"),
)


def skeleton() -> Markup:
    """What stands there until the board comes."""
    bars = [tag("i") for _ in range(9)]
    label = tag("p", "The board is being read …", role="status")
    return tag("div", label, *bars, class_="skeleton")


def failed() -> Markup:
    """What stands there when the board cannot be shown."""
    return notice("The board cannot be shown. Load the page again in a minute.", "problem")


def board_html(board: Board, query: BoardQuery, rows: int = PAGE_ROWS) -> tuple[Markup, int]:
    """The board in a view, at most so many rows of it, and how many rows there are in all."""
    rankings = [
        (signature, _frame(board, query, signature)) for signature in board.signatures(query.view)
    ]
    total = sum(len(table) for _, table in rankings)
    parts: list[Child] = [_notes(board), _tier(query.view)]
    if board.is_empty(query.view):
        reference = " What follows are reference rows." if total else ""
        parts.append(tag("div", notice(f"{_EMPTY[query.view]}{reference}")))
    if not rankings:
        parts.append(tag("div", class_="board"))
    elif not total:
        parts.append(tag("div", notice("No run passes these filters."), class_="board"))
    else:
        parts.append(_table(board, query, rankings, rows))
        parts.append(_column_meanings(query))
    return join(parts), total


def _frame(board: Board, query: BoardQuery, signature: str) -> pd.DataFrame:
    """The ranking with one more column by which its entries are found."""
    names = list(dict.fromkeys((*_PINNED, *query.columns, "id")))
    table = frame(
        board,
        query.view,
        signature,
        query.filters,
        names,
        query.rank_by,
        query.search,
        query.order,
    )
    return table.set_axis(names, axis=1)


def _notes(board: Board) -> Markup | None:
    """What is not on the board yet, or cannot be."""
    notes: list[Child] = []
    if board.trouble:
        notes.append(notice(board.trouble, "problem"))
    if board.waiting:
        notes.append(notice(f"{board.waiting} runs are being scored and will appear here."))
    if board.problems:
        items = [tag("li", problem) for problem in board.problems[:50]]
        count = "1 run" if len(board.problems) == 1 else f"{len(board.problems)} runs"
        summary = tag("summary", f"{count} cannot be read and are left out")
        notes.append(tag("details", summary, tag("ol", *items, class_="problems")))
    return join(notes) if notes else None


def _tier(view: str) -> Markup:
    """The meaning of the view, and of the others one click away."""
    others = [item for name in TIERS for item in (tag("dt", name), tag("dd", TIERS[name]))]
    return join(
        [
            tag("p", tag("b", VIEW_LABELS[view]), ": ", TIERS[view]),
            tag(
                "details", tag("summary", "What the tiers mean"), tag("dl", *others, class_="facts")
            ),
        ]
    )


def _column_meanings(query: BoardQuery) -> Markup:
    items = [
        item
        for name in dict.fromkeys((*_PINNED, *query.columns))
        for item in (tag("dt", COLUMNS[name].label), tag("dd", COLUMNS[name].meaning))
    ]
    return tag(
        "details", tag("summary", "What the columns mean"), tag("dl", *items, class_="facts")
    )


def _table(
    board: Board,
    query: BoardQuery,
    rankings: Sequence[tuple[str, pd.DataFrame]],
    rows: int,
) -> Markup:
    chosen = sorted(
        (name for name in query.columns if name != "id"), key=_DESCRIPTIONS.__contains__
    )
    names = list(dict.fromkeys((*_PINNED, *chosen)))
    head = tag("tr", *(tag("th", COLUMNS[n].label, scope="col", class_=_class(n)) for n in names))
    entries = {entry.id: entry for entry in board.entries}
    bodies = []
    for signature, table in rankings:
        shown = table.head(rows).astype(object).where(table.notna(), None)
        rows -= len(shown)
        if shown.empty:
            continue
        places = board.places(query.view, signature, BY_OPTION[query.rank_by].key)
        lines = [
            _row(names, row, entries[row["id"]], places[row["id"]])
            for row in shown.to_dict("records")
        ]
        bodies.append(tag("tbody", _group(signature, len(names)), *lines))
    caption = tag(
        "caption",
        f"Scores in per cent, ranked by: {BY_OPTION[query.rank_by].name}. A rank counts within one "
        "signature; ties share it.",
    )
    inside = tag("table", caption, tag("thead", head), *bodies)
    return tag("div", scroll(inside, "Leaderboard"), class_="board")


def _group(signature: str, width: int) -> Markup:
    """The line over a ranking that says what was measured."""
    words = tag("span", tag("b", signature_text(signature)), " ", tag("code", signature))
    return tag("tr", tag("th", words, colspan=width, scope="rowgroup"), class_="group")


def _row(names: Sequence[str], row: Mapping[Any, Any], entry: Entry, place: Place) -> Markup:
    def cell(name: str) -> Markup:
        if name == "model":
            return tag("th", _model(entry), scope="row", class_="model")
        return tag("td", _value(name, row[name], entry, place), class_=_class(name))

    kind = "reference" if entry.tier == BASELINE else entry.status or None
    return tag("tr", *map(cell, names), class_=kind)


def _model(entry: Entry) -> Markup:
    """The name, which leads to the run's page, and words for what is special about it."""
    marks = []
    if entry.tier == BASELINE:
        marks.append(badge("reference", "plain"))
    if entry.status:
        marks.append(badge(entry.status, "warn" if entry.status == "incomplete" else "bad"))
    if entry.foreseen:
        marks.append(badge(f"{entry.foreseen} foreseen", "warn"))
    name = link(entry.about["model"] or "unnamed", f"?run={entry.id}", data_run=entry.id)
    return join([tag("span", name, class_="name"), *marks], " ")


def _value(name: str, value: Any, entry: Entry, place: Place) -> Child:
    if name == "rank":
        return value if value is not None else tag("span", "–", title="not ranked")
    metric = BY_OPTION.get(name.removesuffix("_interval"))
    if metric is not None and name != metric.option:
        score, low, high = place.intervals[metric.key]
        if isnan(low):
            return value or "–"
        return join([value, interval_bar(low, score, high)])
    if value is None or value == "":
        return "–"
    if name.startswith("gap_"):
        return percent(value / 100, signed=True)
    if COLUMNS[name].is_number and isinstance(value, float):
        return f"{value:,.1f}" if name != "cost_usd" else f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _class(name: str) -> str | None:
    if name in _PINNED:
        return name
    if name in ("status", "signature"):
        return "wide"
    return "number" if COLUMNS[name].is_number else None
