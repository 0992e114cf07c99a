"""Math & Statistics: arithmetic, units and the statistics of number lists (paper, Table 3)."""

import math
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Annotated, Literal

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.canonical import unit
from dataset_builder.values.expression import ExpressionError, evaluate
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import UNORDERED, Expression, Integer, Number, Unit
from dataset_builder.values.rounding import significant

Numbers = Annotated[list[Number], UNORDERED]

# Squares of such numbers, and sums of ten thousand squares, are still floats.
MAX_MAGNITUDE = 1e100
MAX_RESULT = 1e300
MAX_MONEY = Decimal(10) ** 15


@tool("Math & Statistics")
def calculator(expression: Expression) -> Output:
    """Evaluate an arithmetic expression of plain numbers; not for units, dates or statistics.

    Args:
        expression: Arithmetic such as (12 + 3) * 4 or sqrt(2).

    Returns:
        result (number): the value of the expression
    """
    try:
        return {"result": evaluate(expression)}
    except ExpressionError as error:
        raise ToolError(str(error)) from None


@tool("Math & Statistics")
def statistical_analysis(numbers: Numbers) -> Output:
    """Sum and averages of a set of numbers; spread, extremes and percentiles have tools of their own.

    Args:
        numbers: The numbers, in any order.

    Returns:
        count (integer): how many numbers there are
        sum (number): their total
        mean (number): their arithmetic mean
        median (number): the middle one, or the mean of the middle two
        mode (number): the most frequent one, the smallest where several are
    """
    values = sorted(_floats(numbers))
    counts = Counter(values)
    most = max(counts.values())
    half = len(values) // 2
    return {
        "count": len(values),
        "sum": significant(math.fsum(values)),
        "mean": significant(_mean(values)),
        "median": significant((values[half] + values[-half - 1]) / 2),
        "mode": min(value for value, count in counts.items() if count == most),
    }


@tool("Math & Statistics", symmetric=("x", "y"))
def correlation(x: list[Number], y: list[Number]) -> Output:
    """Pearson correlation of two equally long number series.

    Args:
        x: The first series.
        y: The second series, paired with the first.

    Returns:
        coefficient (number, -1 to 1): Pearson's r
    """
    x_off, y_off = _deviations(*_paired(x, y))
    x_squares, y_squares = _product(x_off, x_off), _product(y_off, y_off)
    if not x_squares or not y_squares:
        raise ToolError("a series that does not vary has no correlation")
    return {"coefficient": significant(_cosine(_product(x_off, y_off), x_squares, y_squares))}


@tool("Math & Statistics")
def percentile(numbers: Numbers, percent: Number) -> Output:
    """A percentile of a set of numbers, interpolated linearly between neighbours.

    Args:
        numbers: The numbers, in any order.
        percent: Which percentile, from 0 to 100.

    Returns:
        value (number): that share of the numbers lies at or below it
    """
    if not 0 <= percent <= 100:
        raise ToolError("percent must lie between 0 and 100")
    values = sorted(_floats(numbers))
    rank = percent * (len(values) - 1) / 100
    below = math.floor(rank)
    above = min(below + 1, len(values) - 1)
    return {"value": significant(values[below] + (values[above] - values[below]) * (rank - below))}


@tool("Math & Statistics")
def linear_regression(x: list[Number], y: list[Number]) -> Output:
    """Fit a straight line y = slope * x + intercept through paired numbers by least squares.

    Args:
        x: The explaining values.
        y: The explained values, one for each x.

    Returns:
        slope (number): change of y for each unit of x
        intercept (number): y where x is 0
        r_squared (number, 0 to 1): share of y's variance that the line explains
    """
    xs, ys = _paired(x, y)
    x_off, y_off = _deviations(xs, ys)
    x_squares, y_squares = _product(x_off, x_off), _product(y_off, y_off)
    if not x_squares:
        raise ToolError("x does not vary enough to fit a line")
    both = _product(x_off, y_off)
    slope = both / x_squares
    return {
        "slope": significant(slope),
        "intercept": significant(_mean(ys) - slope * _mean(xs)),
        "r_squared": significant(_cosine(both, x_squares, y_squares) ** 2) if y_squares else 1.0,
    }


@tool("Math & Statistics")
def standard_deviation(
    numbers: Numbers, basis: Literal["sample", "population"] = "sample"
) -> Output:
    """Standard deviation and variance of a set of numbers.

    Args:
        numbers: The numbers, in any order.
        basis: Whether they are a sample or the whole population. Default sample.

    Returns:
        standard_deviation (number): square root of the variance
        variance (number): mean squared distance from the mean
    """
    values = _floats(numbers, 2 if basis == "sample" else 1)
    (offsets,) = _deviations(values)
    variance = _product(offsets, offsets) / (len(values) - (basis == "sample"))
    return {
        "standard_deviation": significant(math.sqrt(variance)),
        "variance": significant(variance),
    }


@tool("Math & Statistics")
def min_max(numbers: Numbers) -> Output:
    """Smallest and largest of a set of numbers, and the distance between them.

    Args:
        numbers: The numbers, in any order.

    Returns:
        minimum (number): the smallest
        maximum (number): the largest
        range (number): largest minus smallest
    """
    values = _floats(numbers)
    low, high = min(values), max(values)
    return {
        "minimum": low,
        "maximum": high,
        "range": significant(high - low),
    }


@tool("Math & Statistics")
def unit_convert(value: Number, from_: Unit, to: Unit) -> Output:
    """Convert a value from one unit of measurement to another; not currencies or time zones.

    Args:
        value: The number to convert.
        from: Unit of the value, such as celsius, miles or megabytes.
        to: Unit to convert to.

    Returns:
        result (number, unit of to): the converted value
    """
    units = load("units")
    source, target = units[unit(from_)], units[unit(to)]
    if source["quantity"] != target["quantity"]:
        raise ToolError(
            f"{from_} measures {source['quantity']}, {to} measures {target['quantity']}"
        )
    # Fractions, so that the result is exact and rounded once.
    base = Fraction(value) * _exact(source["factor"]) + _exact(source.get("offset", 0))
    result = (base - _exact(target.get("offset", 0))) / _exact(target["factor"])
    if abs(result) > MAX_RESULT:
        raise ToolError("the result is out of range")
    return {"result": significant(float(result))}


@cache
def _exact(factor: str | int) -> Fraction:
    return Fraction(factor)


@tool("Math & Statistics")
def percentage_change(old_value: Number, new_value: Number) -> Output:
    """By how many percent a value rose (positive) or fell (negative).

    Args:
        old_value: The value before; not 0.
        new_value: The value after.

    Returns:
        percent_change (number, %): the change relative to the old value
    """
    if old_value == 0:
        raise ToolError("a change from 0 has no percentage")
    # In whole numbers, so that the result is exact and rounded once.
    (old, old_parts), (new, new_parts) = old_value.as_integer_ratio(), new_value.as_integer_ratio()
    change, whole = 100 * (new * old_parts - old * new_parts), abs(old) * new_parts
    if abs(change) // whole > MAX_RESULT:
        raise ToolError("the change is out of range")
    return {"percent_change": significant(change / whole)}


@tool("Math & Statistics")
def moving_average(numbers: list[Number], window: Integer) -> Output:
    """Simple moving average of a number series.

    Args:
        numbers: The series, oldest first.
        window: How many consecutive numbers each average covers.

    Returns:
        averages (array of number): one average for each full window
        latest (number): the last of them
    """
    values = _floats(numbers)
    if not 1 <= window <= len(values):
        raise ToolError(f"window must lie between 1 and the {len(values)} numbers given")
    # Whole numbers over one power of two: sums are exact, whatever the order and the window.
    ratios = [value.as_integer_ratio() for value in values]
    scale = max(denominator for _, denominator in ratios)
    sums = [0, *accumulate(n * (scale // denominator) for n, denominator in ratios)]
    averages = [
        significant((end - start) / (scale * window))
        for start, end in zip(sums, sums[window:], strict=False)
    ]
    return {"averages": averages, "latest": averages[-1]}


@tool("Math & Statistics")
def clamp_value(value: Number, minimum: Number, maximum: Number) -> Output:
    """Limit a value to a range; what lies outside becomes the nearer bound.

    Args:
        value: The number to limit.
        minimum: Lowest number allowed.
        maximum: Highest number allowed.

    Returns:
        result (number): the value, or the bound that it passes
    """
    if minimum > maximum:
        raise ToolError("minimum must not exceed maximum")
    return {"result": float(min(max(value, minimum), maximum)) + 0.0}


@tool("Math & Statistics")
def compound_interest(
    principal: Number, annual_rate: Number, years: Number, compounds_per_year: Integer = 1
) -> Output:
    """Growth of a sum of money under compound interest.

    Args:
        principal: Starting amount.
        annual_rate: Yearly interest rate in percent, such as 4.5.
        years: Duration in years.
        compounds_per_year: How often a year interest is added. Default 1.

    Returns:
        final_amount (number): principal and interest, to two decimals
        interest_earned (number): the interest alone, to two decimals
    """
    for name, number, low, high in (
        ("principal", principal, 0, 10**12),
        ("annual_rate", annual_rate, 0, 1000),
        ("years", years, 0, 1000),
        ("compounds_per_year", compounds_per_year, 1, 366),
    ):
        if not low <= number <= high:
            raise ToolError(f"{name} must lie between {low:,} and {high:,}")
    # Decimals compute powers the same way everywhere; libm does not.
    context = Context(prec=50, rounding=ROUND_HALF_UP)
    rate = context.divide(Decimal(repr(annual_rate)), Decimal(100 * compounds_per_year))
    periods = context.multiply(Decimal(repr(years)), Decimal(compounds_per_year))
    growth = context.power(context.add(Decimal(1), rate), periods)
    start = Decimal(repr(principal))
    final = context.multiply(start, growth)
    if final > MAX_MONEY:
        raise ToolError("the amount grows beyond 1,000,000,000,000,000")
    cent = Decimal("0.01")
    return {
        "final_amount": float(final.quantize(cent, context=context)),
        "interest_earned": float(context.subtract(final, start).quantize(cent, context=context)),
    }


def _floats(numbers: Sequence[float], fewest: int = 1) -> list[float]:
    if len(numbers) < fewest:
        raise ToolError(f"at least {fewest} number{'s are' if fewest > 1 else ' is'} needed")
    if any(abs(number) > MAX_MAGNITUDE for number in numbers):
        raise ToolError("the numbers must lie between -1e100 and 1e100")
    # Adding 0 makes -0.0 a plain 0.
    return [float(number) + 0.0 for number in numbers]


def _paired(x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    if len(x) != len(y):
        raise ToolError(f"x has {len(x)} numbers, y has {len(y)}")
    return _floats(x, 2), _floats(y, 2)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviations(*series: Sequence[float]) -> list[list[float]]:
    """Each series' distances from its mean; exactly 0 where a series never varies."""
    return [
        [0.0] * len(values) if min(values) == max(values) else [value - mean for value in values]
        for values, mean in ((values, _mean(values)) for values in series)
    ]


def _product(x: Sequence[float], y: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def _cosine(both: float, x_squares: float, y_squares: float) -> float:
    return max(-1.0, min(1.0, both / (math.sqrt(x_squares) * math.sqrt(y_squares))))
