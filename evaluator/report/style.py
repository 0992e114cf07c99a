"""How all figures look: colours that a colour-blind reader tells apart, sizes for a paper's column."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

COLUMN = 317
"""The width of a paper's column, 3.3 inches, in CSS pixels (96 an inch)."""
ROW = 13
"""The height of a row of a figure that has a row for each model."""

LABELS = 120
"""The most room that names take at the left of a figure; longer ones end in an ellipsis."""

# Okabe and Ito's palette; yellow is left out, since thin marks of it vanish on white.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
SKY, RED, PURPLE, BLACK = "#56B4E9", "#D55E00", "#CC79A7", "#000000"
GREY = "#767676"
SERIES = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK)
"""Colours of up to seven series, in this order."""

REFERENCE = "reference"
"""The regime of our baselines: they stand beside the models for orientation only."""
REGIMES = {
    "frontier": BLUE,
    "free cloud": ORANGE,
    "local": GREEN,
    "other": PURPLE,
    REFERENCE: GREY,
}
"""The colour of each deployment regime (paper, section 4.1), in the order of the rows."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
"""The mark of each regime, so that the colour is not all that tells."""

FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
_SIZE = 10

_CONFIG: dict[str, Any] = {
    "background": "white",
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": _SIZE,
        "titleFontSize": _SIZE,
        "titleFontWeight": "normal",
        "titlePadding": 4,
        "labelLimit": 130,
        "labelColor": "#222",
        "titleColor": "#222",
        "gridColor": "#e4e4e4",
        "domainColor": "#999",
        "tickColor": "#999",
        "tickSize": 3,
    },
    "header": {
        "labelFontSize": _SIZE,
        "labelFontWeight": "bold",
        "labelColor": "#222",
        "labelPadding": 3,
        "title": None,
    },
    "legend": {
        "labelFontSize": _SIZE,
        "labelLimit": 140,
        "titleFontSize": _SIZE,
        "titleFontWeight": "normal",
        "orient": "bottom",
        "columnPadding": 8,
        "rowPadding": 1,
        "symbolSize": 45,
        "symbolOpacity": 1,
        "offset": 6,
    },
    "text": {"fontSize": 9, "color": "#222"},
}


def styled(chart: "alt.TopLevelMixin") -> Any:
    """The chart in the report's style; where a browser draws it, as SVG, which a style sheet can reach."""
    chart["config"] = _CONFIG  # type: ignore[index]
    chart["usermeta"] = {"embedOptions": {"renderer": "svg"}}  # type: ignore[index]
    return chart


# Encodings ------------------------------------------------------------------------------------


def rows(frame: "pd.DataFrame", field: str = "model") -> "alt.Y":
    """A row for each name, in the order of the frame."""
    import altair as alt

    order = list(dict.fromkeys(frame[field]))
    axis = alt.Axis(labelLimit=LABELS, ticks=False, domain=False, labelPadding=4)
    return alt.Y(f"{field}:N", sort=order, title=None, axis=axis)


def score(field: str, title: str = "score, %", axis: str = "x") -> Any:
    """A score from 0 to 100 on the axis ``x`` or ``y``."""
    import altair as alt

    channel, ticks = (alt.X, [0, 50, 100]) if axis == "x" else (alt.Y, [0, 25, 50, 75, 100])
    scale = alt.Scale(domain=[0, 100])
    return channel(field, scale=scale, title=title, axis=alt.Axis(values=ticks))


def span(frame: "pd.DataFrame", fields: Sequence[str]) -> "alt.Scale":
    """A scale that holds all values of the fields and 0."""
    import altair as alt

    values = frame[list(fields)].stack().dropna()
    return alt.Scale(domain=[min(0.0, *values), max(0.0, *values)], nice=True)


def present(frame: "pd.DataFrame") -> list[str]:
    """The regimes that occur, in their order."""
    return [regime for regime in REGIMES if (frame["regime"] == regime).any()]


def regime_color(regimes: Sequence[str]) -> "alt.Color":
    """The colour of a regime."""
    import altair as alt

    scale = alt.Scale(domain=list(regimes), range=[REGIMES[name] for name in regimes])
    return alt.Color("regime:N", scale=scale, title=None)


def regime_shape(regimes: Sequence[str]) -> "alt.Shape":
    """The mark of a regime."""
    import altair as alt

    shapes = dict(zip(REGIMES, SHAPES, strict=True))
    scale = alt.Scale(domain=list(regimes), range=[shapes[name] for name in regimes])
    return alt.Shape("regime:N", scale=scale, title=None)


def series_color(field: str, names: Sequence[str]) -> "alt.Color":
    """A colour for each name; there may be seven."""
    import altair as alt

    scale = alt.Scale(domain=list(names), range=list(SERIES[: len(names)]))
    legend = alt.Legend(columns=2, symbolType="stroke", symbolSize=180, symbolStrokeWidth=2)
    return alt.Color(f"{field}:N", scale=scale, title=None, legend=legend)


def series_dash(field: str, names: Sequence[str]) -> "alt.StrokeDash":
    """A dash for each name, so that the colour is not all that tells."""
    import altair as alt

    patterns = [[1, 0], [5, 2], [2, 2], [7, 2, 2, 2], [1, 0], [5, 2], [2, 2]]
    scale = alt.Scale(domain=list(names), range=patterns[: len(names)])
    return alt.StrokeDash(f"{field}:N", scale=scale, title=None)


def panels(metrics: Sequence[str]) -> "alt.Column":
    """A panel for each metric, side by side; what a name has in brackets stands on a line of its own."""
    import altair as alt

    header = alt.Header(labelExpr="split(replace(datum.label, ' (', '\\n('), '\\n')")
    return alt.Column("metric:N", sort=list(metrics), title=None, header=header)


def panel_width(frame: "pd.DataFrame", panels: int, spacing: int, beside: int = 0) -> float:
    """The width of each of some panels beside the names, ``beside`` pixels free at the right."""
    return (COLUMN - room(frame["model"]) - (panels - 1) * spacing - beside) / panels


def room(names: Iterable[str]) -> float:
    """How wide the names are, in pixels."""
    return min(LABELS, 5.4 * max(map(len, names), default=0)) + 12


# Channels are objects, since Altair hashes its whole schema for each one that is written as text.
def named(*fields: str) -> list[Any]:
    """Tooltips as they stand in the frame."""
    import altair as alt

    return [alt.Tooltip(field) for field in fields]


def rounded(*fields: str) -> list[Any]:
    """Tooltips with one decimal."""
    import altair as alt

    return [alt.Tooltip(f"{field}:Q", format=".1f") for field in fields]
