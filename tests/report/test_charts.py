import json
import re
from typing import Any

import pandas as pd
import pytest
import vl_convert

from evaluator.report import cost_and_sweep_charts, level_charts
from evaluator.report.cost_and_sweep_charts import front
from evaluator.report.style import COLUMN, REGIMES, SERIES, SHAPES

HOSTILE = "</svg><script>alert(1)</script>\"&'{{7*7}} datum.x"
MODELS = ["A", "B", HOSTILE]
LEVELS = pd.DataFrame(
    [
        (model, regime, level, 10.0 * i + 5 * j)
        for i, (model, regime) in enumerate(
            zip(MODELS, ["frontier", "local", "reference"], strict=True)
        )
        for j, level in enumerate(["L0", "L1", "L2", "L3"])
    ],
    columns=["model", "regime", "level", "score"],
)
GAPS = pd.DataFrame(
    {"model": MODELS, "metric": "step", "single": [50.0, 20, 60], "composed": [60.0, 20, 30]}
)
DELTAS = pd.DataFrame(
    {
        "model": MODELS,
        "metric": "step",
        "delta": [10.0, -5, 0],
        "low": [1.0, -9, None],
        "high": 20.0,
    }
)
ERRORS = pd.DataFrame({"error": ["solved", "no call"], "level": "L0", "share": [75.0, 25]})
SWEEP = pd.DataFrame(
    [
        (model, metric, tools, 50.0, 40.0, 60.0)
        for model in MODELS
        for metric in ("Solved", "Calls right", "Weighted score (paper)")
        for tools in (4, 16, 106)
    ],
    columns=["model", "metric", "tools", "score", "low", "high"],
)
PROVIDERS = pd.DataFrame(
    {
        "weights": HOSTILE,
        "provider": ["P", "Q"],
        "score": [60.0, 40],
        "low": [55.0, 35],
        "high": [65.0, 45],
    }
)
COSTS = pd.DataFrame(
    {
        "model": MODELS,
        "regime": ["frontier", "local", "other"],
        "score": [90.0, 50, 40],
        "value": [2.0, 0.1, 5],
    }
)
NAME = "Solved"
ALL = {
    "gap": lambda: level_charts.gap(GAPS),
    "levels": lambda: level_charts.levels(LEVELS, NAME),
    "delta": lambda: level_charts.delta(DELTAS),
    "degradation": lambda: level_charts.degradation(LEVELS, NAME),
    "heat map": lambda: level_charts.heat_map(LEVELS, NAME),
    "errors": lambda: level_charts.errors(ERRORS),
    "sweep": lambda: cost_and_sweep_charts.sweep(SWEEP),
    "providers": lambda: cost_and_sweep_charts.providers(PROVIDERS, NAME),
    "trade-off": lambda: cost_and_sweep_charts.trade_off(COSTS, "value", "cost", NAME),
}


def data(chart: Any) -> list[dict[str, Any]]:
    """All rows that a chart carries."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


@pytest.mark.parametrize("name", ALL)
def test_a_figure_fits_a_column_and_asks_for_nothing_outside(name: str) -> None:
    svg = vl_convert.vegalite_to_svg(ALL[name]().to_dict())
    width = float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1])  # type: ignore[index]
    assert width <= 1.1 * COLUMN
    links = re.findall(r'(?:href|src|url)\W+(\w+:[^"\')]*)', svg)
    assert all(link.startswith("http://www.w3.org/") for link in links), links


@pytest.mark.parametrize("name", ALL)
def test_a_hostile_name_is_data_and_never_markup_or_an_expression(name: str) -> None:
    spec = ALL[name]().to_dict()
    svg = vl_convert.vegalite_to_svg(spec)
    assert "<script" not in svg
    del spec["datasets"]
    for key, value in walk(spec):
        if key in ("field", "expr", "test", "calculate", "filter"):
            assert "script" not in json.dumps(value)


def walk(value: Any) -> Any:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)


@pytest.mark.parametrize("name", ALL)
def test_the_same_frame_gives_the_same_figure(name: str) -> None:
    one, other = (vl_convert.vegalite_to_svg(ALL[name]().to_dict()) for _ in range(2))
    assert one == other


def test_the_gap_stands_in_points_and_the_arrow_points_the_way_it_goes() -> None:
    rows = {row["model"]: row for row in data(level_charts.gap(GAPS))}
    assert [rows[model]["gap"] for model in MODELS] == ["+10.0", "0.0", "−30.0"]
    assert [rows[model]["head"] for model in MODELS] == ["up", "up", "down"]


def test_regimes_of_several_models_have_a_mean_and_references_have_none() -> None:
    twice = pd.concat([LEVELS, LEVELS.assign(model=LEVELS["model"] + "2")])
    for frame, regimes in ((LEVELS, set()), (twice, {"frontier", "local"})):
        means = [row for row in data(level_charts.levels(frame, NAME)) if "model" not in row]
        assert {row["regime"] for row in means} == regimes


def test_models_stand_in_the_order_of_the_frame() -> None:
    svg = vl_convert.vegalite_to_svg(
        level_charts.heat_map(LEVELS[LEVELS["model"] != HOSTILE][::-1], NAME).to_dict()
    )
    assert svg.index(">B<") < svg.index(">A<")


def test_many_models_are_drawn_by_regime() -> None:
    many = pd.concat(LEVELS.assign(model=LEVELS["model"] + str(i)) for i in range(4))
    colors = {
        layer["encoding"]["color"]["field"]
        for layer in level_charts.degradation(many, NAME).to_dict()["layer"]
    }
    assert colors == {"regime"}
    assert level_charts.degradation(LEVELS, NAME).to_dict()["encoding"]["color"]["field"] == "model"


def test_colours_are_distinct_and_regimes_have_a_mark_each() -> None:
    assert len(set(SERIES)) == len(SERIES)
    assert len(set(REGIMES.values())) == len(REGIMES) == len(set(SHAPES))


FRONTS = [
    ([("a", 90, 2.0), ("b", 50, 0.1), ("c", 40, 5.0)], ["a", "b", ""]),
    ([("a", 50, 1.0), ("b", 50, 1.0)], ["a", "b"]),
    ([("a", 50, 1.0), ("b", 50, 2.0)], ["a", ""]),
    ([("a", 60, 1.0), ("b", 50, 1.0)], ["a", ""]),
]


@pytest.mark.parametrize(("rows", "expected"), FRONTS)
def test_the_front_is_what_no_other_beats_in_both(
    rows: list[tuple[str, float, float]], expected: list[str]
) -> None:
    frame = pd.DataFrame(rows, columns=["model", "score", "value"])
    assert front(frame, "value") == expected


def test_a_name_on_the_front_is_shown_once() -> None:
    rows = data(cost_and_sweep_charts.trade_off(COSTS, "value", "cost", NAME))
    shown = [row["left"] + row["right"] for row in rows]
    assert sorted(filter(None, shown)) == ["A", "B"]
