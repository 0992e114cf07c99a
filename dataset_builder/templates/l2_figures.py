"""Level 2, figures: lists of numbers, each condensed on its own and then set against another."""

from dataset_builder.slot import Decimal, Numbers, Pool, pick
from dataset_builder.template import Template, call

_MEASURED = pick(
    "response times in milliseconds", "waiting times in seconds", "delivery weights in kilograms",
    "daily visitor counts", "repair costs in euros", "sensor readings in millivolts",
    "call lengths in seconds", "light levels in lux", "scores of the entrance test",
)  # fmt: skip
_EFFORT = pick(
    "weekly sales calls", "weekly newsletter clicks", "weekly hours of sunshine",
    "weekly test drives", "weekly tasting sessions", "weekly social media posts",
    "weekly training sessions", "weekly market stalls",
)  # fmt: skip
_EFFECT = pick(
    "weekly orders", "weekly sign-ups", "weekly museum visitors", "weekly ticket sales",
    "weekly bike rentals", "weekly loaves sold", "weekly membership requests",
)  # fmt: skip

TEMPLATES = (
    Template(
        "tail_before_and_after",
        prompts=(
            "These are our {what} before the change: {before}. And these after it: {after}. By how "
            "many percent did the {rank} percentile change?",
            "Compute the {rank} percentile of {before} and the {rank} percentile of {after}, then "
            "the percentage change from the first to the second. They are {what}.",
            "Last month's {what}: {before}. This month's: {after}. I'd like the {rank} percentile "
            "of each month and the change between them in percent.",
            "How did the {rank} percentile of our {what} develop, in percent? Old figures: "
            "{before}. New figures: {after}.",
        ),
        slots={
            "what": _MEASURED,
            "rank": pick(("90th", 90), ("95th", 95), ("75th", 75), ("80th", 80)),
            "before": Numbers(6, 8, 110, 480),
            "after": Numbers(6, 8, 110, 480),
        },
        steps=(
            call("percentile", numbers="{before}", percent="{rank}"),
            call("percentile", numbers="{after}", percent="{rank}"),
            call("percentage_change", old_value="{1.value}", new_value="{2.value}"),
        ),
    ),
    Template(
        "outlier_limited_to_percentiles",
        prompts=(
            "Here are some {what}: {numbers}. Find their {low} and their {high} percentile and "
            "limit the new reading {value} to the range between the two.",
            "Clamp {value} to the range from the {low} percentile to the {high} percentile of "
            "these figures: {numbers}.",
            "We tame outliers by clamping them. Take the {low} percentile of {numbers} as the "
            "lower bound and the {high} percentile as the upper bound: what becomes of {value}?",
            "Our {what} so far: {numbers}. The next one is {value}, but nothing below the {low} "
            "or above the {high} percentile of the list is allowed. What does it become after "
            "clamping?",
        ),
        slots={
            "what": _MEASURED,
            "numbers": Numbers(7, 9, 140, 460),
            "low": pick(("5th", 5), ("10th", 10), ("15th", 15)),
            "high": pick(("85th", 85), ("90th", 90), ("95th", 95)),
            "value": Decimal(20.5, 640.5, 1),
        },
        steps=(
            call("percentile", numbers="{numbers}", percent="{low}"),
            call("percentile", numbers="{numbers}", percent="{high}"),
            call("clamp_value", value="{value}", minimum="{1.value}", maximum="{2.value}"),
        ),
    ),
    Template(
        "smoothed_series_correlated",
        prompts=(
            "Series one, {effort}: {x}. Series two, {effect}: {y}. Smooth both with a moving "
            "average over {window} values, then give me the correlation between the two smoothed "
            "series.",
            "I have {effort} ({x}) and {effect} ({y}). Do they move together once the noise is "
            "gone? Take the moving average with a window of {window} for each list and work out "
            "the correlation of the first list of averages with the second.",
            "Compute moving averages over {window} consecutive numbers, first for {effort} ({x}), "
            "then for {effect} ({y}), and finally the Pearson correlation of the two lists of "
            "averages.",
        ),
        slots={
            "effort": _EFFORT,
            "effect": _EFFECT,
            "x": Numbers(7, 7, 14, 96),
            "y": Numbers(7, 7, 120, 480),
            "window": pick(("three", 3), ("2", 2), ("3", 3)),
        },
        steps=(
            call("moving_average", numbers="{x}", window="{window}"),
            call("moving_average", numbers="{y}", window="{window}"),
            call("correlation", x="{1.averages}", y="{2.averages}"),
        ),
    ),
    Template(
        "goods_in_one_unit",
        prompts=(
            "Three {row.what} come in at {a} {row.a}, {b} {row.b} and {c} {row.c}. Convert all of "
            "them to {row.to} and give me the smallest, the largest and the range.",
            "Convert {a} {row.a}, {b} {row.b} and {c} {row.c} to {row.to}. What are the minimum, "
            "the maximum and the range of the three converted values? They are {row.what}.",
            "Our list of {row.what} mixes units: {a} {row.a}, {b} {row.b}, {c} {row.c}. Please "
            "bring everything to {row.to} and report the lowest value, the highest value and the "
            "range.",
            "Between which extremes do the figures of these {row.what} lie, once converted to "
            "{row.to}: {a} {row.a}, {b} {row.b} and {c} {row.c}? I need the minimum, the maximum "
            "and the range.",
        ),
        slots={
            "row": Pool("measured_goods"),
            "a": Decimal(11.2, 38.8, 1),
            "b": Decimal(11.2, 38.8, 1),
            "c": Decimal(11.2, 38.8, 1),
        },
        steps=(
            call("unit_convert", value="{a}", from_="{row.a}", to="{row.to}"),
            call("unit_convert", value="{b}", from_="{row.b}", to="{row.to}"),
            call("unit_convert", value="{c}", from_="{row.c}", to="{row.to}"),
            call("min_max", numbers=["{1.result}", "{2.result}", "{3.result}"]),
        ),
    ),
)
