"""The figures that show one score beside another: gap, levels, delta, degradation, heat map, errors.

Each takes a frame of plain columns (scores in per cent, rows in the order in which they are drawn)
and gives an Altair chart: the report renders it, the Space shows the same one interactively.
Models are text of strangers; they only ever stand in data, never in a field name or expression.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator.report.style import (
    BLACK,
    BLUE,
    COLUMN,
    GREY,
    ORANGE,
    RED,
    REFERENCE,
    ROW,
    SERIES,
    named,
    panel_width,
    panels,
    present,
    regime_color,
    regime_shape,
    room,
    rounded,
    rows,
    score,
    series_color,
    series_dash,
    span,
    styled,
)
from evaluator.scoring.metrics import LEVELS
from evaluator.scoring.text_tables import percent

if TYPE_CHECKING:
    import pandas as pd


def gap(frame: "pd.DataFrame") -> Any:
    """Level 0 and the mean of levels 1 to 3, an arrow from one to the other (paper, Figure 1a).

    ``frame``: model, metric, single, composed. A panel for each metric.
    """
    import altair as alt

    metrics = list(dict.fromkeys(frame["metric"]))
    width = panel_width(frame, len(metrics), spacing=40, beside=34)
    change = frame["composed"] - frame["single"]
    frame = frame.assign(
        gap=(change / 100).map(partial(percent, signed=True)),
        head=change.map(lambda value: "up" if value >= 0 else "down"),
        from_="L0",
        to="mean of L1–L3",
    )
    y = rows(frame)
    color = alt.Scale(domain=["L0", "mean of L1–L3"], range=[BLUE, ORANGE])
    turn = alt.Scale(domain=["up", "down"], range=[90, 270])
    tooltip = [*named("model", "metric"), *rounded("single", "composed"), *named("gap")]
    base = alt.Chart(frame).encode(y=y)
    rule = base.mark_rule(color=GREY, strokeWidth=1.2).encode(
        x=score("single:Q"), x2=alt.X2("composed:Q")
    )
    start = base.mark_circle(size=34, opacity=1).encode(
        x=score("single:Q"), color=alt.Color("from_:N", scale=color, title=None), tooltip=tooltip
    )
    end = base.mark_point(size=38, filled=True, opacity=1, shape="triangle-up").encode(
        x=score("composed:Q"),
        color=alt.Color("to:N", scale=color, title=None),
        angle=alt.Angle("head:N", scale=turn, legend=None),
        tooltip=tooltip,
    )
    text = base.mark_text(align="right").encode(x=alt.value(width + 31), text=alt.Text("gap:N"))
    layers = alt.layer(rule, start, end, text).properties(width=width, height={"step": ROW})
    return styled(layers.facet(column=panels(metrics), spacing=40))


def levels(frame: "pd.DataFrame", name: str) -> Any:
    """The score of each model at each level and the mean of its regime (paper, Figure 1b).

    ``frame``: model, regime, level, score; ``name``: what the score is called.
    """
    import altair as alt

    regimes = present(frame)
    offset = alt.XOffset("regime:N", sort=regimes)
    x = alt.X("level:N", sort=list(LEVELS), title=None, axis=alt.Axis(labelAngle=0, grid=False))
    points = (
        alt.Chart(frame)
        .mark_point(size=26, opacity=0.75, filled=True)
        .encode(
            x=x,
            xOffset=offset,
            y=score("score:Q", f"{name}, %", axis="y"),
            color=regime_color(regimes),
            shape=regime_shape(regimes),
            tooltip=[*named("model", "regime", "level"), *rounded("score")],
        )
    )
    means = _means(frame)
    ticks = (
        alt.Chart(means)
        .mark_tick(thickness=2, size=14, color=BLACK)
        .encode(
            x=x,
            xOffset=offset,
            y=alt.Y("score:Q"),
            tooltip=[*named("regime", "level"), *rounded("score")],
        )
    )
    return styled((points + ticks).properties(width=COLUMN - 44, height=170))


def delta(frame: "pd.DataFrame") -> Any:
    """What a model loses from level 0 to level 3, with its 95 % interval (paper, Figure 2b).

    ``frame``: model, metric, delta, low, high (points; the bounds may be missing). A panel for
    each metric.
    """
    import altair as alt

    metrics = list(dict.fromkeys(frame["metric"]))
    y = rows(frame)
    scale = span(frame, ["delta", "low", "high"])
    x = alt.X("delta:Q", scale=scale, title="L0 − L3, points", axis=alt.Axis(tickCount=5))
    base = alt.Chart(frame)
    bars = base.mark_bar(height=8).encode(
        x=x,
        y=y,
        color=alt.ColorValue(BLUE, condition={"test": "datum.delta >= 0", "value": RED}),
        tooltip=[*named("model", "metric"), *rounded("delta", "low", "high")],
    )
    whiskers = base.mark_rule(color=BLACK, strokeWidth=1).encode(
        x=alt.X("low:Q", scale=scale), x2=alt.X2("high:Q"), y=y
    )
    zero = base.mark_rule(color=GREY).encode(x=alt.datum(0))
    layers = alt.layer(bars, zero, whiskers).properties(
        width=panel_width(frame, len(metrics), spacing=14), height={"step": ROW}
    )
    return styled(layers.facet(column=panels(metrics), spacing=14))


def degradation(frame: "pd.DataFrame", name: str) -> Any:
    """A line for each model over the levels (paper, Figure 3a).

    ``frame``: model, regime, level, score; ``name``: what the score is called. Up to
    seven models have a colour of their own; more are drawn thin in the colour of their regime, whose
    mean is thick.
    """
    import altair as alt

    x = alt.X("level:N", sort=list(LEVELS), title=None, axis=alt.Axis(labelAngle=0, grid=True))
    y = score("score:Q", f"{name}, %", axis="y")
    models = list(dict.fromkeys(frame["model"]))
    if len(models) > len(SERIES):
        chart = _lines_of_regimes(frame, x, y)
    else:
        mark = alt.Chart(frame).mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=22))
        chart = mark.encode(
            x=x,
            y=y,
            color=series_color("model", models),
            strokeDash=series_dash("model", models),
            tooltip=[*named("model", "regime", "level"), *rounded("score")],
        )
    return styled(chart.properties(width=COLUMN - 44, height=170))


def _lines_of_regimes(frame: "pd.DataFrame", x: Any, y: Any) -> Any:
    """A thin line for each model and a thick one for the mean of its regime."""
    import altair as alt

    regimes = present(frame)
    thin = alt.Chart(frame).mark_line(strokeWidth=0.8, opacity=0.45)
    thick = alt.Chart(_means(frame)).mark_line(
        strokeWidth=2.8, point=alt.OverlayMarkDef(size=40, filled=True, opacity=1)
    )
    return thin.encode(
        x=x,
        y=y,
        detail=alt.Detail("model:N"),
        color=regime_color(regimes),
        tooltip=[*named("model", "regime", "level"), *rounded("score")],
    ) + thick.encode(
        x=x,
        y=y,
        color=regime_color(regimes),
        shape=regime_shape(regimes),
        tooltip=[*named("regime", "level"), *rounded("score")],
    )


def _means(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The means of regimes of two models or more; of reference rows a mean would say nothing."""
    models = frame[frame["regime"] != REFERENCE]
    models = models[models.groupby("regime")["model"].transform("nunique") > 1]
    return models.groupby(["regime", "level"])[["score"]].mean().reset_index()


def heat_map(frame: "pd.DataFrame", name: str) -> Any:
    """The score of each model at each level as colour and number (paper, Figure 3b).

    ``frame``: model, level (L0 to L3), score; ``name``: what the score is called.
    """
    return _map(frame, "model", "level", LEVELS, "score", f"{name}, %")


def errors(frame: "pd.DataFrame") -> Any:
    """The share of the tasks of each level that ended in each error class (paper, Figure 2a).

    ``frame``: error, level, share (per cent of the level's tasks). An own row for what passed.
    """
    return _map(frame, "error", "level", LEVELS, "share", "share of tasks, %")


def _map(
    frame: "pd.DataFrame", row: str, column: str, columns: Sequence[str], value: str, title: str
) -> Any:
    import altair as alt

    x = alt.X(
        f"{column}:N",
        sort=list(columns),
        title=title,
        axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False),
    )
    y = rows(frame, row)
    base = alt.Chart(frame)
    cells = base.mark_rect(stroke="#ddd", strokeWidth=0.5).encode(
        x=x,
        y=y,
        color=alt.Color(
            f"{value}:Q",
            scale=alt.Scale(scheme="blues", domain=[0, 100]),
            # The cells carry their numbers.
            legend=None,
        ),
        tooltip=[*named(row, column), *rounded(value)],
    )
    text = base.mark_text().encode(
        x=x,
        y=y,
        text=alt.Text(f"{value}:Q", format=".0f"),
        color=alt.ColorValue("#222", condition={"test": f"datum.{value} > 66", "value": "white"}),
    )
    chart = (cells + text).properties(
        width=COLUMN - room(frame[row]), height={"step": max(ROW, 14)}
    )
    return styled(chart)
