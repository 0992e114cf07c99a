"""A suite of a few tasks that covers every shape of argument; made by the engine, in milliseconds."""

from functools import lru_cache
from pathlib import Path

from dataset_builder.procedures.rungs import rung
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import SUITE_VERSION, Suite
from dataset_builder.tasks.template import Template
from dataset_builder.values.canonical import canonical_json
from tests.samples.template_parts import call, mentions, pick

CITY = pick("Berlin", "Oslo", "Madrid", "Lisbon", "Vienna", "Cairo", "Tokyo", "Dublin")

TEMPLATES = [
    Template(
        "weather_in_one_city",
        prompts=("How is the weather in {city}?", "Weather in {city}, please.", "{city}: weather?"),
        slots={"city": CITY},
        steps=(call("get_weather", city="{city}"),),
        rich="Look up the current weather of the city given as {city}.",
    ),
    Template(
        "product_of_two",
        prompts=("What is {product}?", "Work out {product}.", "I need {product}."),
        slots={"product": pick("12 * 34", "56 * 78", "91 * 23", "45 * 67")},
        steps=(call("calculator", expression="{product}"),),
        rich="Evaluate the arithmetic expression {product} and give its value.",
    ),
    Template(
        "weather_in_fahrenheit",
        prompts=(
            "How warm is it in {city} now? Turn the {celsius} figure into {fahrenheit}.",
            "Get the temperature in {city} and convert it from {celsius} to {fahrenheit}.",
            "Take the {celsius} reading of {city} right now, in {fahrenheit}.",
        ),
        slots={
            "city": CITY,
            "celsius": pick(("Celsius", "celsius")),
            "fahrenheit": pick(("Fahrenheit", "fahrenheit")),
        },
        steps=(
            call("get_weather", city="{city}"),
            call("unit_convert", value="{1.temperature_c}", from_="{celsius}", to="{fahrenheit}"),
        ),
    ),
    Template(
        "mean_of_two_winds",
        prompts=(
            "What is the mean of the wind speeds in {one} and {two}?",
            "Look up how hard the wind blows in {one} and {two} and give me the mean.",
            "Wind in {one}, wind in {two}: what do they average to?",
        ),
        slots={
            "one": pick("Berlin", "Oslo", "Madrid"),
            "two": pick("Vienna", "Cairo", "Tokyo", "Dublin"),
        },
        steps=(
            call("get_weather", city="{one}"),
            call("get_weather", city="{two}"),
            call("statistical_analysis", numbers=["{1.wind_kph}", "{2.wind_kph}"]),
        ),
    ),
    Template(
        "mail_two_findings",
        prompts=(
            "Check the weather in {one} and {two}: e-mail {address} the temperature of the first and "
            "the humidity of the second, and remember the message's id under the key {key}.",
            "E-mail {address} how warm it is in {one} and how humid in {two}, then remember the id "
            "of that message under the key {key}.",
            "Send an e-mail to {address} with the temperature in {one} and the humidity in {two}; "
            "remember the id of the message under {key}.",
        ),
        slots={
            "one": pick("Berlin", "Oslo", "Madrid"),
            "two": pick("Vienna", "Cairo", "Tokyo", "Dublin"),
            "address": pick("iris@media.news", "joan@harbor.org"),
            "key": pick("mail_log", "sent_items"),
        },
        steps=(
            call("get_weather", city="{one}"),
            call("get_weather", city="{two}"),
            call(
                "send_email",
                to="{address}",
                body=mentions("{1.temperature_c}", "{2.humidity}", "{one}"),
            ),
            call("store_memory", key="{key}", value="{3.message_id}"),
        ),
    ),
]


@lru_cache(maxsize=8)
def small_suite(*counts: int) -> Suite:
    """So many tasks a level; two each where nothing is said."""
    return CompositionEngine(7, templates=TEMPLATES, counts=counts or (2, 2, 2, 2)).generate_suite()


@lru_cache(maxsize=1)
def small_horizon() -> Suite:
    """Four procedures of four calls."""
    return Suite(SUITE_VERSION, 7, tuple(rung(4, 7, 4)), name="horizon")


def write_suite(suite: Suite, path: Path) -> Path:
    """The suite as a file that the commands read."""
    path.write_text("".join(f"{canonical_json(task.to_row())}\n" for task in suite.tasks))
    return path
