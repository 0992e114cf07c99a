"""A ranking of the board as a data frame, for tests to look into."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from evaluator.scoring.metrics import SOLVED
from space.board.board import Board
from space.board.board_columns import COLUMNS
from space.board.board_table import ranking_of


def frame(
    board: Board,
    tier: str,
    signature: str,
    filters: Mapping[str, Collection[str]] | None = None,
    columns: Sequence[str] = tuple(COLUMNS),
    rank_by: str = SOLVED.option,
    search: str = "",
    order: str = "",
) -> pd.DataFrame:
    """The rows of a ranking in their order, headed by the columns' labels."""
    ranking = ranking_of(board, tier, signature, filters, rank_by, search, order)
    rows = [(entry, ranking.places[entry.id]) for entry in ranking.rows]
    data = {
        COLUMNS[name].label: pd.Series(
            [COLUMNS[name].value(*row) for row in rows], dtype="Int64" if name == "rank" else None
        )
        for name in columns
    }
    return pd.DataFrame(data)
