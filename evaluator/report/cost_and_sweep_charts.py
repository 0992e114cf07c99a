"""The figures about what lies around a model: the catalogue, the provider, what an answer costs."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from evaluator.report.style import (
    BLACK,
    COLUMN,
    SERIES,
    named,
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
    styled,
)

if TYPE_CHECKING:
    import pandas as pd


def sweep(frame: "pd.DataFrame") -> Any:
    """The score over the number of tools offered, with 95 % intervals (paper, section 5.2).

    ``frame``: model, metric, tools, score, low, high. A panel for each metric.
    """
    import altair as alt

    metrics = list(dict.fromkeys(frame["metric"]))
    models = list(dict.fromkeys(frame["model"]))
    sizes = sorted({int(size) for size in frame["tools"]})
    x = alt.X(
        "tools:Q",
        scale=alt.Scale(type="log", base=2, domain=[sizes[0], sizes[-1]], nice=False),
        axis=alt.Axis(values=_apart(sizes), format="d", grid=False, labelFlush=False),
        title="tools offered",
    )
    few = len(models) <= len(SERIES)
    if few:
        color: dict[str, Any] = {"color": series_color("model", models)}
        dash = {"strokeDash": series_dash("model", models)}
    else:
        color, dash = {"detail": alt.Detail("model:N")}, {}
    base = alt.Chart(frame)
    band = base.mark_area(opacity=0.15).encode(
        x=x, y=alt.Y("low:Q", title="score, %"), y2=alt.Y2("high:Q"), **color
    )
    lines = base.mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=18)).encode(
        x=x,
        y=score("score:Q", axis="y"),
        tooltip=[*named("model", "metric", "tools"), *rounded("score", "low", "high")],
        **color,
        **dash,
    )
    width = (COLUMN - 58 - 12 * (len(metrics) - 1)) / len(metrics)
    layers = alt.layer(*([band] if few else []), lines).properties(width=width, height=120)
    return styled(layers.facet(column=panels(metrics), spacing=12))


def _apart(sizes: list[int]) -> list[int]:
    """The sizes whose labels do not run into each other on a logarithmic axis of a narrow panel."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or size * 2 <= kept[-1]:
            kept.append(size)
    return kept[::-1]


def providers(frame: "pd.DataFrame", name: str) -> Any:
    """The same weights served by several providers, overall with 95 % intervals (paper, Appendix F).

    ``frame``: weights, provider, score, low, high; ``name``: what the score is called. A panel
    for each set of weights.
    """
    import altair as alt

    base = alt.Chart(frame)
    y = rows(frame, "provider")
    x = score("score:Q", f"{name}, %")
    whiskers = base.mark_rule(strokeWidth=1.2, color=BLACK).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y
    )
    points = base.mark_circle(size=46, opacity=1, color=SERIES[0]).encode(
        x=x, y=y, tooltip=[*named("weights", "provider"), *rounded("score", "low", "high")]
    )
    width = COLUMN - room(frame["provider"])
    layers = (whiskers + points).properties(width=width, height={"step": 18})
    row = alt.Row("weights:N", title=None, header=alt.Header(labelAngle=0, labelOrient="top"))
    return styled(layers.facet(row=row, spacing=10).resolve_scale(y="independent"))


def trade_off(frame: "pd.DataFrame", field: str, title: str, name: str) -> Any:
    """The score against what an answer takes, on a logarithmic scale.

    ``frame``: model, regime, score and ``field`` (> 0, called ``title`` on the axis); ``name``: what the
    score is called. Models that no other beats in both are labelled, as far as there is room.
    """
    import altair as alt

    width, height = COLUMN - 44, 180
    ticks = _ticks(frame[field].min(), frame[field].max())
    bottom, top = _tens(frame["score"].min(), frame["score"].max())
    across = [log10(value / ticks[0]) / log10(ticks[-1] / ticks[0]) for value in frame[field]]
    upwards = (frame["score"] - bottom) / (top - bottom)
    spots = [(width * x, height * y) for x, y in zip(across, upwards, strict=True)]
    places = _labels(front(frame, field), spots)
    frame = frame.assign(left=places["left"], right=places["right"])
    base = alt.Chart(frame).encode(
        x=alt.X(
            f"{field}:Q",
            scale=alt.Scale(type="log", domain=[ticks[0], ticks[-1]], nice=False),
            axis=alt.Axis(values=ticks, format="~g", labelFlush=False, labelOverlap=True),
            title=title,
        ),
        y=alt.Y(
            "score:Q",
            scale=alt.Scale(domain=[bottom, top]),
            axis=alt.Axis(tickCount=5),
            title=f"{name}, %",
        ),
    )
    return styled(_labelled_marks(base, field).properties(width=width, height=height))


def _labelled_marks(base: Any, field: str) -> Any:
    """A mark for each model in its regime's colour and shape, and its name where it has room."""
    import altair as alt

    regimes = present(base.data)
    marks = base.mark_point(size=36, filled=True, opacity=0.9).encode(
        color=regime_color(regimes),
        shape=regime_shape(regimes),
        tooltip=[
            *named("model", "regime"),
            *rounded("score"),
            alt.Tooltip(f"{field}:Q", format=",.4~g"),
        ],
    )
    before = base.mark_text(align="right", dx=-5, dy=-8, limit=120).encode(text=alt.Text("left:N"))
    above = base.mark_text(align="left", dx=-3, dy=-8, limit=160).encode(text=alt.Text("right:N"))
    return marks + before + above


def _labels(names: Sequence[str], spots: Sequence[tuple[float, float]]) -> dict[str, list[str]]:
    """The names that have room at the upper left or upper right of their points.

    ``spots``: where each point stands, in pixels from the left and from the bottom. A name hides no
    point and no other name; the highest points come first.
    """
    shown: dict[str, list[str]] = {"left": [""] * len(names), "right": [""] * len(names)}
    taken = [(x - 4, x + 4, y) for x, y in spots]
    for i in sorted(range(len(names)), key=lambda i: -spots[i][1]):
        x, y = spots[i]
        length = 4.8 * len(names[i])
        for side, start in (("left", x - 5 - length), ("right", x - 3)):
            box = (start, start + length, y + 8)
            is_free = all(
                box[1] < left or right < box[0] or abs(height - box[2]) >= 10
                for k, (left, right, height) in enumerate(taken)
                if k != i
            )
            if names[i] and start >= 0 and is_free:
                shown[side][i] = names[i]
                taken.append(box)
                break
    return shown


def _ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, … from the last one below ``low`` to the first one above ``high``."""
    decades = range(floor(log10(low)) - 1, ceil(log10(high)) + 2)
    steps = [float(f"{digit}e{power}") for power in decades for digit in (1, 2, 5)]
    first = max(i for i, step in enumerate(steps) if step < low)
    last = min(i for i, step in enumerate(steps) if step > high)
    return steps[first : last + 1]


def _tens(low: float, high: float) -> tuple[float, float]:
    """The tens around scores, with room above for a label, within 0 and 100."""
    return max(0.0, 10 * floor((low - 1) / 10)), min(105.0, 10 * ceil((high + 4) / 10))


def front(frame: "pd.DataFrame", field: str) -> list[str]:
    """The models that no other beats in score and ``field``, each in its row; "" in the others."""
    models = list(zip(frame["model"], frame["score"], frame[field], strict=True))

    def is_beaten(reached: float, cost: float) -> bool:
        return any(
            s >= reached and value <= cost and (s, value) != (reached, cost)
            for _, s, value in models
        )

    return ["" if is_beaten(reached, cost) else name for name, reached, cost in models]
