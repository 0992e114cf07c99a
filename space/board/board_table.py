"""The board as tables: which rows an address shows, in which order, and the files made of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from dataset_builder.values.canonical import fold
from evaluator.comparing.places import Place, standing
from evaluator.csv_text import csv_text
from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.tiers import BASELINE, INCOMPLETE
from space.board.board import Board
from space.board.board_columns import COLUMNS, exported, sort_value
from space.board.entry import Entry
from space.board.page_address import FILTERS, UNKNOWN, BoardQuery


class Ranking(NamedTuple):
    """The rows of one tier and setting, in their order."""

    tier: str
    signature: str
    rows: list[Entry]
    places: Mapping[str, Place]
    """By id, those of rows that are not shown among them."""


class Shown(NamedTuple):
    """What an address shows of a board."""

    rankings: list[Ranking]
    references: int = 0
    """How many reference rows are held back."""
    incomplete: int = 0
    """How many incomplete runs are."""

    @property
    def total(self) -> int:
        """How many rows there are."""
        return sum(len(ranking.rows) for ranking in self.rankings)

    def filled(self, columns: Sequence[str]) -> list[str]:
        """Those of some columns in which anything stands."""
        return [name for name in columns if self._is_filled(name)]

    def _is_filled(self, name: str) -> bool:
        value = COLUMNS[name].value
        return any(
            value(entry, ranking.places[entry.id]) not in (None, "")
            for ranking in self.rankings
            for entry in ranking.rows
        )


def shown_rows(board: Board, query: BoardQuery) -> Shown:
    """The rankings that an address shows, as filtered, without those that lose all their rows.

    Reference rows and incomplete runs are held back unless asked for, or there is nothing else to
    show; the marked run is always there.
    """
    tables = board.tables(query.view)
    held = [entry for table in tables for entry in board.shown(*table)]
    models = [entry for entry in held if entry.tier != BASELINE]
    with_references = query.references or not models
    with_incomplete = query.incomplete or all(entry.status == INCOMPLETE for entry in models)
    rankings = []
    references = incomplete = 0
    for tier, signature in tables:
        ranking = ranking_of(
            board, tier, signature, query.filters, query.rank_by, query.search, query.order
        )
        rows = []
        for entry in ranking.rows:
            if entry.tier == BASELINE and not with_references:
                references += 1
            elif entry.status == INCOMPLETE and not with_incomplete and entry.id != query.mark:
                incomplete += 1
            else:
                rows.append(entry)
        if rows:
            rankings.append(ranking._replace(rows=rows))
    return Shown(rankings, references, incomplete)


def ranking_of(
    board: Board,
    tier: str,
    signature: str,
    filters: Mapping[str, Collection[str]] | None = None,
    rank_by: str = SOLVED.option,
    search: str = "",
    order: str = "",
) -> Ranking:
    """The rows of one tier and setting.

    ``rank_by``: solved, calls or weighted. ``filters`` keep the rows whose value is among those given;
    they hide rows and change no rank. ``search`` is looked for in model, organisation, provider and id.
    ``order``: empty for the best first, else a column, the best or A first, with a minus the other way
    round; it moves rows and changes no rank. Unknown filters are passed over.
    """
    metric = BY_OPTION[rank_by]
    places = board.places(tier, signature, metric.key)
    words = fold(search).split()
    rows = [
        entry
        for entry in board.shown(tier, signature)
        if _passes(entry, filters or {}) and all(word in _searched(entry) for word in words)
    ]
    rows.sort(key=lambda entry: standing(entry.result, places[entry.id], metric))
    return Ranking(tier, signature, _in_order(rows, places, order), places)


def _in_order(rows: list[Entry], places: Mapping[str, Place], order: str) -> list[Entry]:
    """By a column; equal ones stay as they are, and rows without a value come last either way."""
    name = order.removeprefix("-")
    if name not in COLUMNS:
        return rows
    values = {entry.id: sort_value(name, entry, places[entry.id]) for entry in rows}
    with_value = [entry for entry in rows if values[entry.id] is not None]
    is_descending = is_large_first(name) != order.startswith("-")
    with_value.sort(key=lambda entry: values[entry.id], reverse=is_descending)
    return with_value + [entry for entry in rows if values[entry.id] is None]


def is_large_first(name: str) -> bool:
    """Whether a column that is ordered by begins with its largest value."""
    column = COLUMNS[name]
    is_count = column.is_number or column.sort_by is not None
    return (is_count and not column.is_small_first) or name == "date"


def records(rankings: Sequence[Ranking]) -> list[dict[str, Any]]:
    """The rows of rankings as JSON values, every column by its name."""
    return [
        {name: column.value(entry, ranking.places[entry.id]) for name, column in COLUMNS.items()}
        for ranking in rankings
        for entry in ranking.rows
    ]


def choices(board: Board, tier: str, signature: str) -> dict[str, list[str]]:
    """The values that each filter can take in a ranking."""
    entries = board.shown(tier, signature)
    return {name: sorted({_value(entry, name) for entry in entries}) for name in FILTERS}


def to_csv(rankings: Sequence[Ranking], columns: Sequence[str]) -> str:
    """Rankings as CSV, with both ends of intervals in columns of their own; no cell is a formula."""
    names = exported(columns)
    rows = (
        [COLUMNS[name].value(entry, ranking.places[entry.id]) for name in names]
        for ranking in rankings
        for entry in ranking.rows
    )
    return csv_text([COLUMNS[name].label for name in names], rows)


def _value(entry: Entry, name: str) -> str:
    if name in ("protocol", "catalogue"):
        return entry.result.scores[name] or "undeclared"
    return entry.about[name] or UNKNOWN


def _passes(entry: Entry, filters: Mapping[str, Collection[str]]) -> bool:
    return all(not filters.get(name) or _value(entry, name) in filters[name] for name in FILTERS)


def _searched(entry: Entry) -> str:
    texts = (entry.about[name] for name in ("model", "organisation", "provider"))
    return fold(" ".join((*texts, entry.id)))
