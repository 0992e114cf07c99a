"""What the address of the page says: which tab or run it shows, and how the board is set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.sanitize import clean
from space.base.tiers import VIEWS
from space.board.board_columns import CHOICES, COLUMNS, DEFAULT_COLUMNS

FILTERS = ("regime", "provider", "protocol", "catalogue", "open_weights")
"""What a table can be filtered by."""
UNKNOWN = "not said"
"""What a filter calls an empty value."""
MAX_TEXT = 100
MAX_VALUES = 20
"""More values of one filter than anybody chooses by hand."""
_ORDERS = ("", *(f"{sign}{name}" for name in COLUMNS for sign in ("", "-")))
SWITCHES = ("references", "incomplete")
"""Rows that are shown on request."""


@dataclass(frozen=True)
class BoardQuery:
    """How the board is set. The defaults stand in no address."""

    view: str = ""
    """One of `VIEWS`; empty: all of them."""
    rank_by: str = SOLVED.option
    search: str = ""
    order: str = ""
    """The column that rows are ordered by, the other way round after a minus; empty: the best first."""
    references: bool = False
    """Whether the built-in agents are shown."""
    incomplete: bool = False
    """Whether runs are shown that lack tasks or declarations."""
    mark: str = ""
    """Id of a run whose row is marked and scrolled to."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The values that pass, by filter."""
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    """Of `CHOICES`; what tells rows apart stands there anyway."""

    def to_query(self) -> str:
        """As a query string without its question mark."""
        default = BoardQuery()
        texts = {name: getattr(self, name) for name in ("view", "rank_by", "search", "order")}
        pairs = [(name, value) for name, value in texts.items() if value != getattr(default, name)]
        pairs += [(name, "1") for name in SWITCHES if getattr(self, name)]
        pairs += [("mark", self.mark)] if self.mark else []
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

    def text(name: str) -> str:
        return clean(given.get(name, [""])[0], MAX_TEXT)

    filters = {
        name: tuple(dict.fromkeys(filter(None, (clean(v, MAX_TEXT) for v in values[:MAX_VALUES]))))
        for name, values in given.items()
        if name in FILTERS
    }
    return BoardQuery(
        view=one("view", VIEWS, ""),
        rank_by=one("rank_by", tuple(BY_OPTION), SOLVED.option),
        order=one("order", _ORDERS, ""),
        search=text("search"),
        references=one("references", ("1",), "") == "1",
        incomplete=one("incomplete", ("1",), "") == "1",
        mark=text("mark"),
        filters={name: values for name, values in filters.items() if any(values)},
        columns=chosen_columns(given["columns"][0].split(","))
        if "columns" in given
        else DEFAULT_COLUMNS,
    )


def chosen_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Those of some names that are choices, in the table's order; the default where none is."""
    return tuple(name for name in CHOICES if name in names) or DEFAULT_COLUMNS
