"""The rows of the board as bars with intervals, best first."""

from collections.abc import Sequence
from math import isnan

from markupsafe import Markup

from evaluator.scoring.metrics import Metric
from evaluator.scoring.text_tables import percent
from space.base.markup import join, tag
from space.base.tiers import BASELINE
from space.board.column_values import between
from space.html.chart_rows import Row, name_of, run_link

MOST_BARS = 10
"""With more bars nobody sees the table below them; the style sheet keeps room for so many."""


def bars(rankings: Sequence[tuple[str, Sequence[Row]]], metric: Metric) -> Markup:
    """A bar for each row, best first within its ranking; of several, each has its name above."""
    left, parts = MOST_BARS, list[Markup]()
    for name, ranking in rankings:
        shown = ranking[:left]
        left -= len(shown)
        if shown and len(rankings) > 1:
            parts.append(tag("p", name, class_="fine"))
        if shown:
            parts.append(tag("ol", *(_bar(row, metric) for row in shown), class_="bars"))
    return join(parts)


def bars_note(rows: int, metric: Metric) -> str:
    """What the bars are, and what is not among them."""
    note = f"{metric.name}, in per cent, with 95 % intervals."
    return note if rows <= MOST_BARS else f"{note} {rows - MOST_BARS} more rows in the table below."


def _bar(row: Row, metric: Metric) -> Markup:
    score, low, high = row.place.intervals[metric.key]
    name = tag("span", run_link(row.entry), class_="name")
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
    return f"{name_of(row.entry)}: {metric.name} {percent(score)} %{interval}; {rank}; {row.entry.tier}"
