"""Level 0: the statistics of number lists."""

from dataset_builder.slot import Numbers, Pool, Whole, pick
from dataset_builder.template import Template, call

# What such whole numbers from 12 to 95 may count.
_WHAT = pick(
    "exam scores", "delivery times in minutes", "choir members' ages", "daily sign-up counts",
    "daily call counts", "meeting lengths in minutes", "weekly page counts", "group sizes",
    "daily ticket counts", "commute times in minutes", "seedling heights in millimetres",
    "weekly booking counts", "waiting times in minutes", "noise readings in decibels",
    "battery levels in percent", "dart scores", "humidity readings in percent",
)  # fmt: skip
_VALUES = Numbers(6, 10, 12, 95)

TEMPLATES = (
    Template(
        "mean_and_median",
        prompts=(
            "What are the mean and the median of these {what}: {numbers}?",
            "Mean, median and total of {numbers}, please.",
            "For a short summary of our {what} ({numbers}) I need the average and the median.",
            "Here are our {what}: {numbers}. What are their arithmetic mean, their median and their "
            "sum?",
        ),
        slots={"what": _WHAT, "numbers": _VALUES},
        steps=(call("statistical_analysis", numbers="{numbers}"),),
        rich="The numbers are {what}: {numbers}. Their order does not matter. Determine how many there "
        "are, their total, their arithmetic mean, their median and their mode.",
    ),
    Template(
        "spread_around_the_mean",
        prompts=(
            "What's the {basis} standard deviation of these {what}: {numbers}?",
            "{numbers}: {basis} standard deviation?",
            "I'd like to know how much our {what} scatter. They are {numbers}. Could you give me the "
            "{basis} standard deviation?",
            "Please compute the {basis} standard deviation of {numbers} for the quality report.",
        ),
        slots={"what": _WHAT, "numbers": _VALUES, "basis": pick("sample", "population")},
        steps=(call("standard_deviation", numbers="{numbers}", basis="{basis}"),),
        rich="The numbers are {what}: {numbers}. Regard them as a {basis} and determine how much they "
        "scatter, as the {basis} standard deviation: the square root of the variance.",
    ),
    Template(
        "variance_of_measurements",
        prompts=(
            "Give me the {basis} variance of {numbers}.",
            "These are our {what}: {numbers}. What is their {basis} variance?",
            "My spreadsheet and my calculator disagree about the {basis} variance of {numbers}. Which "
            "number is right?",
            "For the statistics homework: {what} of {numbers}. I need the {basis} variance.",
        ),
        slots={"what": _WHAT, "numbers": _VALUES, "basis": pick("population", "sample")},
        steps=(call("standard_deviation", numbers="{numbers}", basis="{basis}"),),
        rich="Take the numbers {numbers}, in any order, as a {basis} and determine their variance, the "
        "mean squared distance from their mean.",
    ),
    Template(
        "percentile_of_values",
        prompts=(
            "What is the {percent} percentile of these {what}: {numbers}?",
            "{percent} percentile of {numbers}?",
            "We report the {percent} percentile of our {what}. This time they were {numbers}. What do "
            "I put in the table?",
            "Please find the {percent} percentile for the following {what}: {numbers}.",
        ),
        slots={
            "what": _WHAT,
            "numbers": _VALUES,
            "percent": pick(
                ("90th", 90), ("95th", 95), ("75th", 75), ("25th", 25), ("80th", 80), ("10th", 10)
            ),
        },
        steps=(call("percentile", numbers="{numbers}", percent="{percent}"),),
        rich="The numbers are {what}: {numbers}. Find their {percent} percentile, interpolated "
        "linearly between neighbours: the value at or below which that share of them lies.",
    ),
    Template(
        "lowest_and_highest",
        prompts=(
            "What are the lowest and the highest of these {what}: {numbers}?",
            "Smallest, largest and range of {numbers}, please.",
            "Our {what} were {numbers}. How big is the gap between the smallest and the largest?",
            "For the caption of the chart I need the minimum and the maximum of {numbers}.",
        ),
        slots={"what": _WHAT, "numbers": _VALUES},
        steps=(call("min_max", numbers="{numbers}"),),
        rich="The numbers are {what}: {numbers}. Find the smallest and the largest of them and the "
        "distance between the two.",
    ),
    Template(
        "rolling_mean",
        prompts=(
            "Smooth our {series.what} with a {window}-{series.period} moving average: {numbers}.",
            "{window}-{series.period} moving average of {numbers}, oldest first?",
            "I have {series.what}, oldest first: {numbers}. What does the {window}-{series.period} "
            "simple moving average look like?",
            "Please work out the moving average over {window} {series.period}s for these "
            "{series.what} (in order): {numbers}.",
        ),
        slots={
            "series": Pool("time_series"),
            "numbers": Numbers(7, 10, 110, 890),
            "window": Whole(3, 5),
        },
        steps=(call("moving_average", numbers="{numbers}", window="{window}"),),
        rich="The series, oldest first, is {numbers}. It holds {series.what}. For each run of {window} "
        "consecutive numbers give the average, that is, the simple moving average with a window of "
        "{window}.",
    ),
    Template(
        "correlation_of_pairs",
        prompts=(
            "How strongly are “{data.x}” and “{data.y}” correlated? I measured {x} for the first and {y} for "
            "the second.",
            "Pearson correlation between {x} ({data.x}) and {y} ({data.y}), please.",
            "I suspect a link between {data.x} and {data.y}. The first were {x}, the second, in the "
            "same order, {y}. What is the correlation coefficient?",
            "Two columns from my sheet. A, {data.x}: {x}. B, {data.y}: {y}. What's Pearson's r?",
        ),
        slots={
            "data": Pool("paired_series"),
            "x": Numbers(6, 6, 3, 48),
            "y": Numbers(6, 6, 52, 395),
        },
        steps=(call("correlation", x="{x}", y="{y}"),),
        rich="There are two equally long series in matching order: {data.x}, {x}, and {data.y}, {y}. "
        "Determine how strongly they are related, as Pearson's coefficient from -1 to 1.",
    ),
    Template(
        "trend_line",
        prompts=(
            "Fit a straight line to these points: x ({data.x}) is {x}, y ({data.y}) is {y}.",
            "Least-squares line for x = {x} and y = {y}: slope and intercept?",
            "I'd like to predict {data.y} from {data.x}. My pairs, in order: x = {x} and y = {y}. What "
            "are the slope and the intercept of the regression line?",
            "Linear regression, please, with {data.x} as x: {x}, and {data.y} as y: {y}. I'm after the "
            "slope.",
        ),
        slots={
            "data": Pool("paired_series"),
            "x": Numbers(6, 6, 3, 48),
            "y": Numbers(6, 6, 52, 395),
        },
        steps=(call("linear_regression", x="{x}", y="{y}"),),
        rich="The explaining values are {x} ({data.x}), the explained values, one for each of them, "
        "{y} ({data.y}). Fit a straight line through the points by least squares and give its slope, "
        "its intercept and the share of the variance that it explains.",
    ),
)
