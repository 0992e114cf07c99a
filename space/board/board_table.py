"""The board as a table: filters, the ranking score, CSV."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from dataset_builder.values.canonical import fold
from evaluator.comparing.places import standing
from evaluator.csv_text import csv_text
from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.board.board import Board
from space.board.board_columns import COLUMNS, DEFAULT_COLUMNS, dtype
from space.board.entry import Entry
from space.board.horizons import longest_first

FILTERS = ("regime", "provider", "protocol", "catalogue", "open_weights")
"""What a table can be filtered by."""
UNKNOWN = "not said"
BY_HORIZON = "horizon"
ORDERS = {"": "best first", BY_HORIZON: "longest horizon"}
"""In which order rows stand, and how that is called."""


def frame(
    board: Board,
    view: str,
    signature: str,
    filters: Mapping[str, Collection[str]] | None = None,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    rank_by: str = SOLVED.option,
    search: str = "",
    order: str = "",
) -> pd.DataFrame:
    """The ranking of one view and signature, best first, headed by the columns' labels.

    Scores in per cent, gaps in points. ``rank_by``: solved, calls or weighted. ``filters`` keep the
    rows whose value is among those given; they hide rows and change no rank. ``search`` is looked for
    in model, organisation, provider and id. ``order``: one of `ORDERS`, which moves rows and changes no
    rank. Unknown filters and columns are passed over.
    """
    metric = BY_OPTION[rank_by]
    places = board.places(view, signature, metric.key)
    words = fold(search).split()
    rows = [
        entry
        for entry in board.shown(view, signature)
        if _passes(entry, filters or {}) and all(word in _searched(entry) for word in words)
    ]
    rows.sort(key=lambda entry: standing(entry.result, places[entry.id], metric))
    if order == BY_HORIZON:
        rows = longest_first(rows)
    chosen = [name for name in columns if name in COLUMNS]
    data = {
        COLUMNS[name].label: pd.Series(
            [COLUMNS[name].value(entry, places[entry.id]) for entry in rows], dtype=dtype(name)
        )
        for name in chosen
    }
    return pd.DataFrame(data)


def choices(board: Board, view: str, signature: str) -> dict[str, list[str]]:
    """The values that each filter can take in a ranking."""
    entries = board.shown(view, signature)
    return {name: sorted({_value(entry, name) for entry in entries}) for name in FILTERS}


def to_csv(table: pd.DataFrame) -> str:
    """The table as CSV; no cell of it is a formula."""
    rows = table.astype(object).where(table.notna(), None).itertuples(index=False, name=None)
    return csv_text(list(table.columns), rows)


def _value(entry: Entry, name: str) -> str:
    if name in ("protocol", "catalogue"):
        return entry.result.scores[name] or "undeclared"
    return entry.about[name] or UNKNOWN


def _passes(entry: Entry, filters: Mapping[str, Collection[str]]) -> bool:
    return all(not filters.get(name) or _value(entry, name) in filters[name] for name in FILTERS)


def _searched(entry: Entry) -> str:
    texts = (entry.about[name] for name in ("model", "organisation", "provider"))
    return fold(" ".join((*texts, entry.id)))
