"""Math & Statistics tools, against known values, the statistics module and SciPy."""

import math
import statistics

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from dataset_builder.tools import math_statistics as m
from dataset_builder.values.facts import load
from tests.samples.tool_call import call

NUMBERS = st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=1, max_size=30)
PAIRS = st.lists(st.tuples(st.integers(-999, 999), st.integers(-999, 999)), min_size=3, max_size=30)


def close(value):
    return pytest.approx(value, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(
    ("tool", "arguments", "output"),
    [
        (m.calculator, {"expression": "234 - 89"}, {"result": 145.0}),
        (m.calculator, {"expression": "(1,250 + 750) / 8"}, {"result": 250.0}),
        (
            m.statistical_analysis,
            {"numbers": [3, 1, 4, 1, 5, 9, 2, 6]},
            {"count": 8, "sum": 31.0, "mean": 3.875, "median": 3.5, "mode": 1.0},
        ),
        (
            m.statistical_analysis,
            {"numbers": [2, 1, 2, 1, 7]},
            {"count": 5, "sum": 13.0, "mean": 2.6, "median": 2.0, "mode": 1.0},
        ),
        (m.correlation, {"x": [1, 2, 3], "y": [2, 4, 6]}, {"coefficient": 1.0}),
        (m.correlation, {"x": [1, 2, 3], "y": [3, 2, 1]}, {"coefficient": -1.0}),
        (m.percentile, {"numbers": [10, 20, 30, 40, 50], "percent": 25}, {"value": 20.0}),
        (m.percentile, {"numbers": [10, 20], "percent": 90}, {"value": 19.0}),
        (m.percentile, {"numbers": [7], "percent": 100}, {"value": 7.0}),
        (
            m.linear_regression,
            {"x": [1, 2, 3, 4], "y": [2, 4, 5, 9]},
            {"slope": 2.2, "intercept": -0.5, "r_squared": 0.930769230769},
        ),
        (
            m.linear_regression,
            {"x": [1, 2, 3], "y": [5, 5, 5]},
            {"slope": 0.0, "intercept": 5.0, "r_squared": 1.0},
        ),
        (
            m.standard_deviation,
            {"numbers": [2, 4, 4, 4, 5, 5, 7, 9], "basis": "population"},
            {"standard_deviation": 2.0, "variance": 4.0},
        ),
        (
            m.standard_deviation,
            {"numbers": [2, 4, 4, 4, 5, 5, 7, 9]},
            {"standard_deviation": 2.1380899353, "variance": 4.57142857143},
        ),
        (
            m.standard_deviation,
            {"numbers": [0.1] * 3},
            {"standard_deviation": 0.0, "variance": 0.0},
        ),
        (
            m.min_max,
            {"numbers": [4.5, -2, 11]},
            {"minimum": -2.0, "maximum": 11.0, "range": 13.0},
        ),
        (
            m.unit_convert,
            {"value": 36, "from": "celsius", "to": "fahrenheit"},
            {"result": 96.8},
        ),
        (m.percentage_change, {"old_value": 80, "new_value": 100}, {"percent_change": 25.0}),
        (m.percentage_change, {"old_value": -50, "new_value": -75}, {"percent_change": -50.0}),
        (
            m.moving_average,
            {"numbers": [1, 2, 3, 4.5, 6], "window": 3},
            {"averages": [2.0, 3.16666666667, 4.5], "latest": 4.5},
        ),
        (m.clamp_value, {"value": 150, "minimum": 0, "maximum": 100}, {"result": 100.0}),
        (m.clamp_value, {"value": -1, "minimum": 0, "maximum": 100}, {"result": 0.0}),
        (m.clamp_value, {"value": 42.5, "minimum": 0, "maximum": 100}, {"result": 42.5}),
        (
            m.compound_interest,
            {"principal": 1000, "annual_rate": 5, "years": 10},
            {"final_amount": 1628.89, "interest_earned": 628.89},
        ),
        (
            m.compound_interest,
            {"principal": 5000, "annual_rate": 4, "years": 3, "compounds_per_year": 12},
            {"final_amount": 5636.36, "interest_earned": 636.36},
        ),
    ],
)
def test_known_answer(tool, arguments, output):
    assert call(tool, **arguments) == output
    assert set(output) == set(tool.returns)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (m.calculator, {"expression": "9**9**9"}, "too large"),
        (m.calculator, {"expression": "__import__('os')"}, "not arithmetic"),
        (m.statistical_analysis, {"numbers": []}, "at least 1 number is needed"),
        (m.min_max, {"numbers": [1, float("nan")]}, "numbers: item 1"),
        (m.min_max, {"numbers": [1e101]}, "between -1e100 and 1e100"),
        (m.min_max, {"numbers": "seven"}, "expected a list"),
        (m.min_max, {"numbers": list(range(10_001))}, "at most 10,000 items"),
        (m.percentile, {"numbers": [1, 2], "percent": 101}, "between 0 and 100"),
        (m.percentile, {"numbers": [1, 2], "percent": -1e308}, "between 0 and 100"),
        (m.correlation, {"x": [1, 2, 3], "y": [1, 2]}, "x has 3 numbers, y has 2"),
        (m.correlation, {"x": [1], "y": [1]}, "at least 2 numbers are needed"),
        (m.correlation, {"x": [0.1, 0.1, 0.1], "y": [1, 2, 3]}, "does not vary"),
        (m.linear_regression, {"x": [2, 2], "y": [1, 3]}, "x does not vary"),
        (m.standard_deviation, {"numbers": [5]}, "at least 2 numbers are needed"),
        (m.standard_deviation, {"numbers": [1, 2], "basis": "both"}, "sample, population"),
        (
            m.unit_convert,
            {"value": 1, "from": "miles", "to": "celsius"},
            "miles measures length, celsius measures temperature",
        ),
        (m.unit_convert, {"value": 1, "from": "parsecs", "to": "miles"}, "no known unit"),
        (
            m.unit_convert,
            {"value": 1e300, "from": "terabytes", "to": "bits"},
            "out of range",
        ),
        (m.percentage_change, {"old_value": 0, "new_value": 5}, "from 0"),
        (m.percentage_change, {"old_value": 5e-324, "new_value": 1e308}, "out of range"),
        (m.moving_average, {"numbers": [1, 2], "window": 3}, "between 1 and the 2 numbers"),
        (m.moving_average, {"numbers": [1, 2], "window": 0}, "between 1 and the 2 numbers"),
        (m.moving_average, {"numbers": [1, 2], "window": 1.5}, "whole number"),
        (m.clamp_value, {"value": 1, "minimum": 3, "maximum": 2}, "minimum must not exceed"),
        (
            m.compound_interest,
            {"principal": -1, "annual_rate": 5, "years": 1},
            "principal must lie between",
        ),
        (
            m.compound_interest,
            {"principal": 10**12, "annual_rate": 1000, "years": 1000, "compounds_per_year": 366},
            "grows beyond",
        ),
        (
            m.compound_interest,
            {"principal": 1, "annual_rate": 1, "years": 1, "compounds_per_year": 10**9},
            "compounds_per_year must lie between",
        ),
    ],
)
def test_refusal_says_what_is_wrong(tool, arguments, message):
    output = call(tool, **arguments)
    assert set(output) == {"error"}
    assert message in output["error"]


# Independent of the facts: known values, among them the definitions of the units.
@pytest.mark.parametrize(
    ("value", "from_", "to", "result"),
    [
        (100, "celsius", "fahrenheit", 212),
        (-40, "fahrenheit", "celsius", -40),
        (0, "kelvin", "celsius", -273.15),
        (98.6, "fahrenheit", "celsius", 37),
        (26.2, "miles", "kilometers", 42.1648128),
        (6, "feet", "centimeters", 182.88),
        (1, "nautical miles", "meters", 1852),
        (150, "pounds", "kilograms", 68.0388555),
        (1, "stone", "pounds", 14),
        (1, "pound", "ounces", 16),
        (1, "gallon", "liters", 3.785411784),
        (1, "gallon", "cups", 16),
        (1, "tablespoon", "teaspoons", 3),
        (1, "imperial gallon", "imperial pints", 8),
        (1, "barrel", "gallons", 42),
        (1, "acre", "square feet", 43560),
        (1, "square mile", "acres", 640),
        (100, "km/h", "mph", 62.13711922),
        (1, "knot", "km/h", 1.852),
        (1.5, "days", "minutes", 2160),
        (1, "GiB", "MB", 1073.741824),
        (1, "Gbit", "MB", 125),
        (1, "kWh", "kilojoules", 3600),
        (500, "kcal", "kJ", 2092),
        (1, "horsepower", "watts", 745.6998716),
        (1, "atm", "psi", 14.69594878),
        (760, "torr", "kPa", 101.325),
        (180, "degrees", "radians", math.pi),
        (3000, "rpm", "Hz", 50),
        (1, "troy ounce", "grams", 31.1034768),
    ],
)
def test_known_conversion(value, from_, to, result):
    assert call(m.unit_convert, value=value, from_=from_, to=to)["result"] == close(result)


UNITS = load("units")
CONVERTIBLE = [(a, b) for a in UNITS for b in UNITS if UNITS[a]["quantity"] == UNITS[b]["quantity"]]


@given(st.sampled_from(CONVERTIBLE), st.floats(-1e6, 1e6).map(lambda x: round(x, 3)))
def test_there_and_back_is_where_it_began(pair, value):
    there = call(m.unit_convert, value=value, from_=pair[0], to=pair[1])["result"]
    back = call(m.unit_convert, value=there, from_=pair[1], to=pair[0])["result"]
    # A temperature's offset may swallow digits of a small value.
    assert back == pytest.approx(value, rel=1e-8, abs=1e-6)


@given(NUMBERS)
def test_descriptive_statistics_agree_with_python(numbers):
    output = call(m.statistical_analysis, numbers=numbers)
    assert output["count"] == len(numbers)
    assert output["sum"] == close(sum(numbers))
    assert output["mean"] == close(statistics.fmean(numbers))
    assert output["median"] == close(statistics.median(numbers))
    assert output["mode"] == min(statistics.multimode(numbers))
    spread = call(m.standard_deviation, numbers=numbers, basis="population")
    assert spread["standard_deviation"] == pytest.approx(statistics.pstdev(numbers), abs=1e-4)
    ends = call(m.min_max, numbers=numbers)
    assert (ends["minimum"], ends["maximum"]) == (min(numbers), max(numbers))


@given(NUMBERS, st.floats(0, 100))
def test_percentile_agrees_with_numpy(numbers, percent):
    expected = float(np.percentile(numbers, percent))
    assert call(m.percentile, numbers=numbers, percent=percent)["value"] == close(expected)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_order_does_not_matter_to_a_set(numbers, random):
    mixed = random.sample(numbers, len(numbers))
    for tool in (m.statistical_analysis, m.min_max):
        assert call(tool, numbers=numbers) == call(tool, numbers=mixed)
    median = call(m.percentile, numbers=numbers, percent=50)["value"]
    assert median == call(m.statistical_analysis, numbers=mixed)["median"]


@given(PAIRS)
def test_correlation_and_regression_agree_with_scipy(pairs):
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    fit = scipy.stats.linregress(x, y)
    line = call(m.linear_regression, x=x, y=y)
    assert line["slope"] == close(fit.slope)
    assert line["intercept"] == pytest.approx(fit.intercept, rel=1e-7, abs=1e-7)
    assert line["r_squared"] == close(fit.rvalue**2)
    assert call(m.correlation, x=x, y=y)["coefficient"] == close(fit.rvalue)
    assert call(m.correlation, x=x, y=y) == call(m.correlation, x=y, y=x)


@given(NUMBERS, st.data())
def test_moving_average_agrees_with_its_definition(numbers, data):
    window = data.draw(st.integers(1, len(numbers)))
    output = call(m.moving_average, numbers=numbers, window=window)
    expected = [statistics.fmean(numbers[i : i + window]) for i in range(len(numbers) - window + 1)]
    assert output["averages"] == close(expected)
    assert output["latest"] == output["averages"][-1]


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_percentage_change_leads_from_the_old_value_to_the_new(old, new):
    percent = call(m.percentage_change, old_value=old, new_value=new)["percent_change"]
    assert old * (1 + percent / 100) == pytest.approx(new, rel=1e-8, abs=old * 1e-8)


@given(
    st.integers(1, 10**6), st.floats(0, 30), st.integers(0, 40), st.sampled_from([1, 2, 4, 12, 365])
)
def test_compound_interest_agrees_with_the_formula(principal, rate, years, times):
    output = call(
        m.compound_interest,
        principal=principal,
        annual_rate=rate,
        years=years,
        compounds_per_year=times,
    )
    expected = principal * (1 + rate / 100 / times) ** (times * years)
    assert output["final_amount"] == pytest.approx(expected, rel=1e-9, abs=0.006)
    assert output["interest_earned"] == close(output["final_amount"] - principal)


def test_extreme_series_stay_finite():
    extremes = [1e100, -1e100, 5e-324, 0.0] * 2500
    for tool in (m.statistical_analysis, m.standard_deviation, m.min_max):
        assert all(math.isfinite(v) for v in call(tool, numbers=extremes).values())
    rising = [x * 1e96 for x in range(-5000, 5000)]
    line = call(m.linear_regression, x=rising, y=extremes)
    assert all(math.isfinite(v) for v in line.values())
    assert call(m.moving_average, numbers=extremes, window=4)["latest"] == 0
