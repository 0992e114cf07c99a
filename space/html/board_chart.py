"""The chart over the board: the same rows as bars, against what they spent, and by the length they manage."""

from collections.abc import Callable, Sequence
from math import ceil, floor, isnan, log2, log10
from typing import NamedTuple

from markupsafe import Markup

from evaluator.comparing.places import Place
from evaluator.horizon.length_text import by_length, length_text
from evaluator.scoring.metrics import BY_OPTION, Metric
from evaluator.scoring.text_tables import percent
from space.base.markup import join, link, notice, tag
from space.base.sanitize import clean
from space.base.tiers import BASELINE
from space.board.board import Board
from space.board.board_columns import between
from space.board.board_table import frame
from space.board.entry import Entry
from space.board.horizons import may_be_drawn
from space.board.page_address import BoardQuery
from space.html.plot import SERIES, Point, Tick, plot

MOST_BARS = 20
"""With more bars nobody sees the table below them."""
MOST_POINTS = 40
_NAME = 40
_SWITCH = {
    "ranked": "Ranked",
    "cost": "Against cost",
    "tokens": "Against tokens",
    "horizon": "By length",
}
_NOTHING = (
    "Nothing has been run here yet. Run a model or submit traces under “Run or submit”; on this machine "
    "`make demo` makes the first rows."
)


class Row(NamedTuple):
    """A row of the board."""

    entry: Entry
    place: Place


def chart_switch() -> Markup:
    """What chooses between the charts. It stays when they are drawn anew, and needs no script."""
    choices = []
    for name, label in _SWITCH.items():
        is_first = "checked" if name == "ranked" else None
        button = tag("input", type="radio", name="chart", value=name, checked=is_first)
        choices.append(tag("label", button, tag("span", label), class_=name))
    return tag("fieldset", tag("legend", "Chart"), *choices)


def board_chart(board: Board, query: BoardQuery) -> Markup:
    """The charts of the rows that the board shows in a setting; a sentence where there is none."""
    metric = BY_OPTION[query.rank_by]
    rankings = [_rows(board, query, signature) for signature in board.signatures(query.view)]
    rows = [row for ranking in rankings for row in ranking]
    climbs = [entry for entry in board.horizons if may_be_drawn(entry, query.view)]
    if not rows and not climbs:
        return notice(_NOTHING) if not board.entries else Markup("")
    parts = [
        _panel(
            "ranked", _bars(rankings, metric), f"{metric.name}, in per cent, with 95 % intervals."
        )
    ]
    for name, unit, spent in _SPENT:
        known = [row for row in rows if spent(row.entry) is not None][:MOST_POINTS]
        if known:
            parts.append(_panel(name, _spending(known, metric, unit, spent), _SPENDING_NOTE))
    if climbs:
        parts.append(_panel("horizon", _horizon(climbs), _HORIZON_NOTE))
    return tag("div", *parts, class_="charts-of-board")


def _rows(board: Board, query: BoardQuery, signature: str) -> list[Row]:
    """The rows of a ranking in the order of the board."""
    table = frame(
        board,
        query.view,
        signature,
        query.filters,
        ["id"],
        query.rank_by,
        query.search,
        query.order,
    )
    entries = {entry.id: entry for entry in board.entries}
    places = board.places(query.view, signature, BY_OPTION[query.rank_by].key)
    return [Row(entries[name], places[name]) for name in table.iloc[:, 0]]


def _panel(name: str, chart: Markup, caption: str) -> Markup:
    return tag("figure", chart, tag("figcaption", caption, class_="fine"), class_=f"panel {name}")


def _name(entry: Entry) -> str:
    return clean(entry.about["model"], _NAME) or "unnamed"


def _link(entry: Entry) -> Markup:
    return link(_name(entry), f"?run={entry.id}", data_run=entry.id)


# Bars -----------------------------------------------------------------------------------------


def _bars(rankings: Sequence[Sequence[Row]], metric: Metric) -> Markup:
    """A bar for each row, best first within a ranking."""
    left, parts = MOST_BARS, []
    for ranking in rankings:
        shown = ranking[:left]
        left -= len(shown)
        if shown:
            parts.append(tag("ol", *(_bar(row, metric) for row in shown), class_="bars"))
    more = sum(map(len, rankings)) - MOST_BARS
    parts.append(tag("p", f"{more} more in the table below.", class_="fine") if more > 0 else None)
    return join(parts)


def _bar(row: Row, metric: Metric) -> Markup:
    score, low, high = row.place.intervals[metric.key]
    name = tag("span", _link(row.entry), class_="name")
    kind = "reference" if row.entry.tier == BASELINE else None
    if isnan(score):
        return tag(
            "li", name, tag("span", class_="track"), tag("span", "–", class_="value"), class_=kind
        )
    style = f"--value:{100 * score:.2f}%"
    marks = [tag("i", class_="bar")]
    interval = None
    if not isnan(low):
        style += f";--low:{100 * low:.2f}%;--high:{100 * high:.2f}%"
        marks.append(tag("i", class_="whisker"))
        interval = tag("small", between(low, high))
    track = tag("span", *marks, class_="track", style=style, aria_hidden="true")
    value = tag("span", tag("b", percent(score)), " ", interval, class_="value")
    return tag("li", name, track, value, class_=kind, title=_bar_words(row, metric))


def _bar_words(row: Row, metric: Metric) -> str:
    score, low, high = row.place.intervals[metric.key]
    interval = "" if isnan(low) else f", 95 % interval {between(low, high)}"
    rank = "not ranked" if row.place.rank is None else f"rank {row.place.rank}"
    return (
        f"{_name(row.entry)}: {metric.name} {percent(score)} %{interval}; {rank}; {row.entry.tier}"
    )


# Against what was spent -----------------------------------------------------------------------

_Spent = Callable[[Entry], float | None]
_SPENDING_NOTE = (
    "Up and to the left is better: more for less. Each step of the axis is ten times the one before; the "
    "numbers stand in the list."
)


def _per_task(key: str) -> _Spent:
    """What an answer took on average, as far as it was recorded."""

    def spent(entry: Entry) -> float | None:
        scores = entry.result.scores
        total = scores["diagnostics"].get(key)
        answers = (scores["n_tasks"] - scores["n_missing"]) * scores["n_samples"]
        return total / answers if total is not None and answers else None

    return spent


_SPENT = (
    ("cost", "US dollars a task", _per_task("cost_usd")),
    ("tokens", "tokens a task", _per_task("tokens")),
)
"""What is spent: its chart, its axis, and how much an entry took."""


def _spending(rows: Sequence[Row], metric: Metric, unit: str, spent: _Spent) -> Markup:
    amounts = [spent(row.entry) or 0.0 for row in rows]
    ticks, place = _tenfold(amounts)
    points, items = [], []
    for number, (row, amount) in enumerate(zip(rows, amounts, strict=True), 1):
        score = row.place.intervals[metric.key].mean
        words = f"{percent(score)} %, {_amount(amount)} {unit}"
        items.append(tag("li", _link(row.entry), " ", tag("small", words)))
        if not isnan(score):
            points.append(Point(place(amount), score, str(number), f"{_name(row.entry)}: {words}"))
    label = f"{metric.name} of {len(rows)} runs against {unit}; the list gives the numbers."
    drawn = plot(points, ticks, (unit, f"{metric.name}, %"), label)
    return tag("div", drawn, tag("ol", *items, class_="legend"), class_="beside")


def _tenfold(amounts: Sequence[float]) -> tuple[list[Tick], Callable[[float], float]]:
    """An axis on which ten times as much takes the same room; nothing spent stands at its left."""
    paid = [amount for amount in amounts if amount > 0] or [1.0]
    first, last = floor(log10(min(paid))), ceil(log10(max(paid)))
    last = max(last, first + 1)
    left = 0.08 if min(amounts) <= 0 else 0.0
    room = 1 - left

    def place(amount: float) -> float:
        return left + room * (log10(amount) - first) / (last - first) if amount > 0 else 0.0

    powers = [Tick(place(10.0**power), _amount(10.0**power)) for power in range(first, last + 1)]
    return [*([Tick(0.0, "0")] if left else []), *powers], place


def _amount(amount: float) -> str:
    """An amount with two digits that count; whole from ten on."""
    if amount >= 10 or amount == 0:
        return f"{amount:,.0f}"
    return f"{amount:.{1 - floor(log10(amount))}f}".rstrip("0").rstrip(".")


# By length ------------------------------------------------------------------------------------

_HORIZON_NOTE = (
    "Procedures of growing length: how many of them are solved, with 95 % intervals. Each step of the axis "
    "is twice as many calls."
)


def _horizon(climbs: Sequence[Entry]) -> Markup:
    """A line for each model, the longest horizon first."""
    ladders = {entry.id: entry.result.scores["horizon"] for entry in climbs}
    named = [entry for entry in climbs if any(rung["tasks"] for rung in ladders[entry.id]["rungs"])]
    shown = sorted(named, key=lambda entry: by_length(ladders[entry.id]), reverse=True)[:SERIES]
    rungs = [
        (number, entry, rung)
        for number, entry in enumerate(shown)
        for rung in ladders[entry.id]["rungs"]
        if rung["tasks"]
    ]
    lengths = sorted({rung["calls"] for _, _, rung in rungs})
    first, steps = log2(lengths[0]), max(1.0, log2(lengths[-1] / lengths[0]))

    def place(calls: int, number: int) -> float:
        # The intervals of several models at one length stand side by side.
        apart = (number - (len(shown) - 1) / 2) * 0.01
        return 0.04 + 0.92 * (log2(calls) - first) / steps + apart

    points = [
        Point(
            place(rung["calls"], number),
            rung["solved"] / rung["tasks"],
            "",
            f"{_name(entry)}: {rung['solved']} of {rung['tasks']} procedures of {rung['calls']} calls solved",
            rung["low"],
            rung["high"],
            number,
        )
        for number, entry, rung in rungs
    ]
    lines = [
        [(point.x, point.y) for point in points if point.series == number]
        for number in range(len(shown))
    ]
    ticks = [Tick(0.04 + 0.92 * (log2(calls) - first) / steps, str(calls)) for calls in lengths]
    items = (
        tag(
            "li",
            tag("i", class_=f"key s{number}"),
            _link(entry),
            " ",
            tag("small", _h50(ladders[entry.id])),
        )
        for number, entry in enumerate(shown)
    )
    label = f"Procedures solved by their length, for {len(shown)} models; the list gives their horizons."
    drawn = plot(points, ticks, ("calls in the procedure", "solved, %"), label, lines)
    return tag("div", drawn, tag("ul", *items, class_="legend"), class_="beside")


def _h50(section: dict[str, object]) -> str:
    return f"half solved at {length_text(section)} calls"
