"""What the address of the page says: which tab or run it shows, and how the board is set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.sanitize import clean
from space.base.tiers import VIEWS
from space.board.board_columns import COLUMNS, DEFAULT_COLUMNS
from space.board.board_table import FILTERS, ORDERS

MAX_TEXT = 100
MAX_VALUES = 20
"""More values of one filter than anybody chooses by hand."""


@dataclass(frozen=True)
class BoardQuery:
    """How the board is set. The defaults stand in no address."""

    view: str = ""
    """One of `VIEWS`; empty: the first that holds a run."""
    rank_by: str = SOLVED.option
    search: str = ""
    order: str = ""
    """One of `ORDERS`."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The values that pass, by filter."""
    columns: tuple[str, ...] = DEFAULT_COLUMNS

    def to_query(self) -> str:
        """As a query string without its question mark."""
        default = BoardQuery()
        values = {name: getattr(self, name) for name in ("view", "rank_by", "search", "order")}
        pairs = [(name, value) for name, value in values.items() if value != getattr(default, name)]
        pairs += [(name, value) for name in FILTERS for value in self.filters.get(name, ())]
        if self.columns != default.columns:
            pairs.append(("columns", ",".join(self.columns)))
        return urlencode(pairs)


def read_board_query(pairs: Sequence[tuple[str, str]]) -> BoardQuery:
    """The setting that an address asks for; anybody may have written it, so what is unknown is dropped."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)

    def one(name: str, allowed: Sequence[str], default: str) -> str:
        value = given.get(name, [default])[0]
        return value if value in allowed else default

    columns = DEFAULT_COLUMNS
    if "columns" in given:
        names = set(given["columns"][0].split(","))
        columns = tuple(name for name in COLUMNS if name in names) or DEFAULT_COLUMNS
    filters = {
        name: tuple(dict.fromkeys(clean(value, MAX_TEXT) for value in given[name][:MAX_VALUES]))
        for name in FILTERS
        if name in given
    }
    return BoardQuery(
        view=one("view", VIEWS, ""),
        rank_by=one("rank_by", tuple(BY_OPTION), SOLVED.option),
        order=one("order", tuple(ORDERS), ""),
        search=clean(given.get("search", [""])[0], MAX_TEXT),
        filters={name: values for name, values in filters.items() if any(values)},
        columns=columns,
    )
