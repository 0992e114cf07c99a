"""The figures of the horizon: what is solved at each length, and how long all goes well."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluator.report.style import (
    COLUMN,
    SERIES,
    named,
    rounded,
    score,
    series_color,
    series_dash,
    styled,
)

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

MOST_LINES = len(SERIES)
"""So many models have a colour and a mark of their own."""
_MARKS = (
    *("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"),
)
_BETWEEN = 0.085
"""How far the marks of two models at one length stand apart, in doublings."""
_HEIGHT = 190


def solved(frame: "pd.DataFrame", independent: "pd.DataFrame") -> Any:
    """The share solved at each length with its interval, and dotted what independent errors would give.

    ``frame``: model, calls, solved, low, high; ``independent``: model, calls, share. Shares in per
    cent, up to `MOST_LINES` models.
    """
    import altair as alt

    models = list(dict.fromkeys(frame["model"]))
    rungs = sorted(set(frame["calls"]))
    apart = {name: (i - (len(models) - 1) / 2) * _BETWEEN for i, name in enumerate(models)}
    frame = frame.assign(place=frame["calls"] * 2.0 ** frame["model"].map(apart))
    title = "calls in the procedure, N"
    x = _doubling("place:Q", rungs, title, margin=0.3)
    color = _color(models)
    base = alt.Chart(frame)
    whiskers = base.mark_rule(strokeWidth=1, opacity=0.55).encode(
        x=x, y=score("low:Q", "solved, %", axis="y"), y2=alt.Y2("high:Q"), color=color
    )
    lines = base.mark_line(strokeWidth=1.6).encode(x=x, y=alt.Y("solved:Q"), color=color)
    points = base.mark_point(size=34, filled=True, opacity=1).encode(
        x=x,
        y=alt.Y("solved:Q"),
        color=color,
        shape=_shape(models),
        tooltip=[*named("model", "calls"), *rounded("solved", "low", "high")],
    )
    dotted = (
        alt.Chart(independent)
        .mark_line(strokeWidth=1.3, strokeDash=[1.5, 2.5])
        .encode(x=_doubling("calls:Q", rungs, title, margin=0.3), y=alt.Y("share:Q"), color=color)
    )
    layers = alt.layer(dotted, whiskers, lines, points)
    return styled(layers.properties(width=COLUMN - 44, height=_HEIGHT))


def survival(frame: "pd.DataFrame") -> Any:
    """The share of procedures whose first n calls are all right, with its interval as a band.

    ``frame``: model, calls, share, low, high (per cent), from one call on, for up to `MOST_LINES` models.
    """
    import altair as alt

    models = list(dict.fromkeys(frame["model"]))
    longest = int(frame["calls"].max())
    ticks = [2**power for power in range(longest.bit_length()) if 2**power <= longest]
    x = _doubling("calls:Q", ticks, "first n calls", longest=longest)
    color = series_color("model", models)
    base = alt.Chart(frame)
    band = base.mark_area(opacity=0.1, interpolate="step-after").encode(
        x=x, y=score("low:Q", "all right, %", axis="y"), y2=alt.Y2("high:Q"), color=color
    )
    lines = base.mark_line(strokeWidth=1.8, interpolate="step-after").encode(
        x=x,
        y=alt.Y("share:Q"),
        color=color,
        strokeDash=series_dash("model", models),
        tooltip=[*named("model", "calls"), *rounded("share", "low", "high")],
    )
    return styled(alt.layer(band, lines).properties(width=COLUMN - 44, height=_HEIGHT))


def _doubling(
    field: str,
    ticks: Sequence[int],
    title: str,
    margin: float = 0.0,
    longest: int | None = None,
) -> "alt.X":
    """Numbers of calls on an axis where each doubling takes the same room."""
    import altair as alt

    room = 2.0**margin
    ends = [ticks[0] / room, (longest or ticks[-1]) * room]
    axis = alt.Axis(values=list(ticks), format="d", grid=False, labelFlush=False)
    scale = alt.Scale(type="log", base=2, domain=ends, nice=False)
    return alt.X(field, scale=scale, axis=axis, title=title)


def _color(models: Sequence[str]) -> "alt.Color":
    import altair as alt

    scale = alt.Scale(domain=list(models), range=list(SERIES[: len(models)]))
    return alt.Color("model:N", scale=scale, title=None, legend=alt.Legend(columns=2))


def _shape(models: Sequence[str]) -> "alt.Shape":
    import altair as alt

    scale = alt.Scale(domain=list(models), range=list(_MARKS[: len(models)]))
    return alt.Shape("model:N", scale=scale, title=None, legend=alt.Legend(columns=2))
