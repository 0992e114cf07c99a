"""Scores against what they took: money and output tokens a task, on an axis of powers of ten."""

from collections.abc import Callable, Sequence
from math import ceil, floor, isnan, log10

from markupsafe import Markup

from evaluator.scoring.metrics import Metric
from evaluator.scoring.spending import spending
from evaluator.scoring.text_tables import percent
from space.base.markup import tag
from space.base.tiers import SELF_REPORTED
from space.board.entry import Entry
from space.html.chart_rows import Row, name_of, run_link
from space.html.plot import Point, Tick, plot

MOST_POINTS = 40
"""More numbers in one plot hide one another."""
Spent = Callable[[Entry], float | None]


SPENDING: tuple[tuple[str, str, Spent], ...] = (
    ("cost", "US dollars a task", lambda entry: spending(entry.result.scores).cost_per_task),
    (
        "tokens",
        "output tokens a task",
        lambda entry: spending(entry.result.scores).output_tokens_per_task,
    ),
)
"""What is spent: its chart, its axis, and how much an entry took."""


def spending_chart(rows: Sequence[Row], metric: Metric, unit: str, spent: Spent) -> Markup:
    """Numbered points, and the list of their numbers; ``rows``: those of which it is known."""
    amounts = [spent(row.entry) or 0.0 for row in rows]
    ticks, place = _tenfold(amounts)
    points, items = [], []
    for number, (row, amount) in enumerate(zip(rows, amounts, strict=True), 1):
        score = row.place.intervals[metric.key].mean
        words = f"{percent(score)} %, {_amount(amount)} {unit}"
        if row.entry.tier == SELF_REPORTED:
            words += f" ({SELF_REPORTED})"
        items.append(tag("li", run_link(row.entry), " ", tag("small", words)))
        if not isnan(score):
            points.append(
                Point(place(amount), score, str(number), f"{name_of(row.entry)}: {words}")
            )
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


def spending_note(known: int, rows: int) -> str:
    """How the chart is read, and what is not in it."""
    note = "Up and to the left is better: more for less. Each step of the axis is ten times the one before."
    if known < rows:
        note += f" {known} of {rows} runs say what they took."
    return note if known <= MOST_POINTS else f"{note} The first {MOST_POINTS} are drawn."
