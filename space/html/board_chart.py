"""The chart over the board: the same rows as bars, against what they spent, and by the length they manage."""

from markupsafe import Markup

from evaluator.scoring.metrics import BY_OPTION
from evaluator.traces.signature import signature_text
from space.base.markup import join, tag
from space.base.tiers import FLAGGED, VIEWS, WITHDRAWN
from space.board.board import Board
from space.board.board_table import Ranking, shown_rows
from space.board.horizons import may_be_drawn
from space.board.page_address import BoardQuery
from space.html.bar_chart import bars, bars_note
from space.html.chart_rows import Row
from space.html.climb_chart import climb_chart, climb_note
from space.html.spending_chart import MOST_POINTS, SPENDING, spending_chart, spending_note

_SWITCH = {
    "ranked": "Ranked",
    "cost": "Against cost",
    "tokens": "Against output tokens",
    "horizon": "By length",
}


def chart_switch() -> Markup:
    """What chooses between the charts. It stays when they are drawn anew, and needs no script."""
    choices = []
    for name, label in _SWITCH.items():
        is_first = "checked" if name == "ranked" else None
        button = tag("input", type="radio", name="chart", value=name, checked=is_first)
        choices.append(tag("label", button, tag("span", label), class_=name))
    return tag("fieldset", tag("legend", "Chart"), *choices)


def chart_skeleton() -> Markup:
    """What stands there until the chart comes."""
    return tag("div", *(tag("i") for _ in range(8)), class_="skeleton", aria_hidden="true")


def board_chart(board: Board, query: BoardQuery) -> Markup:
    """The charts of the rows that the board shows in a setting; nothing where it has none.

    What an empty board means, the board says.
    """
    metric = BY_OPTION[query.rank_by]
    rankings = [(_title(ranking), _rows(ranking)) for ranking in shown_rows(board, query).rankings]
    rows = [row for _, ranking in rankings for row in ranking]
    views = (query.view,) if query.view else VIEWS
    climbs = [entry for entry in board.horizons if any(may_be_drawn(entry, view) for view in views)]
    parts = []
    if rows:
        parts.append(_panel("ranked", bars(rankings, metric), bars_note(len(rows), metric)))
    for name, unit, spent in SPENDING:
        known = [row for row in rows if spent(row.entry) is not None]
        if known:
            chart = spending_chart(known[:MOST_POINTS], metric, unit, spent)
            parts.append(_panel(name, chart, spending_note(len(known), len(rows))))
    if climbs:
        parts.append(_panel("horizon", climb_chart(climbs), climb_note(len(climbs))))
    return join(parts)


def _title(ranking: Ranking) -> str:
    """The tier and the setting of a ranking."""
    return f"{ranking.tier.capitalize()}: {signature_text(ranking.signature)}"


def _rows(ranking: Ranking) -> list[Row]:
    """The rows of a ranking in the order of the board, without those that do not count."""
    return [
        Row(entry, ranking.places[entry.id])
        for entry in ranking.rows
        if entry.status not in (FLAGGED, WITHDRAWN)
    ]


def _panel(name: str, chart: Markup, caption: str) -> Markup:
    return tag("figure", chart, tag("figcaption", caption, class_="fine"), class_=f"panel {name}")
