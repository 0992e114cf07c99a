"""The four tasks that the paper prints (Appendix G), in words of our own."""

from dataset_builder.slot import pick
from dataset_builder.template import Template, call, mentions

TEMPLATES = (
    Template(
        "appendix_g_subtraction",
        prompts=(
            "Work out {expression} for me.",
            "Quick sum: {expression} comes to how much?",
            "I need the result of {expression}.",
        ),
        slots={"expression": pick("234 - 89")},
        steps=(call("calculator", expression="{expression}"),),
        rich=(
            "Evaluate one arithmetic expression, given exactly as {expression}, and give the single "
            "number that it comes to."
        ),
    ),
    Template(
        "appendix_g_weather",
        prompts=(
            "How warm is it in {city} right now? Take the {celsius} temperature and turn it into "
            "{fahrenheit}.",
            "Get me the current temperature in {city}, then convert it from {celsius} to {fahrenheit}.",
            "What's the weather like in {city}, and what does the {celsius} reading come to in "
            "{fahrenheit}?",
        ),
        slots={
            "city": pick("Berlin"),
            "celsius": pick(("Celsius", "celsius")),
            "fahrenheit": pick(("Fahrenheit", "fahrenheit")),
        },
        steps=(
            call("get_weather", city="{city}"),
            call("unit_convert", value="{1.temperature_c}", from_="{celsius}", to="{fahrenheit}"),
        ),
    ),
    Template(
        "appendix_g_stocks",
        prompts=(
            "Of {one}, {two} and {three}, which share is the most expensive right now? Get me the "
            "price of each.",
            "Fetch the current prices of {one}, {two} and {three} and say which of them is highest.",
            "Which stock trades highest at the moment: {one}, {two} or {three}?",
        ),
        slots={"one": pick("TSLA"), "two": pick("AAPL"), "three": pick("PYPL")},
        steps=(
            call("get_stock_price", symbol="{one}"),
            call("get_stock_price", symbol="{two}"),
            call("get_stock_price", symbol="{three}"),
        ),
        optional=(call("min_max", numbers=["{1.price}", "{2.price}", "{3.price}"]),),
    ),
    Template(
        "appendix_g_report",
        prompts=(
            'Search the web for "{query}". On what you find, pull out the named entities and, '
            "separately, judge the sentiment. Put both findings into a report, and email that report "
            "to {address}.",
            'I want a report on "{query}": search the web for it, extract the entities from the '
            "results and measure the sentiment of the same results, write the report from these two, "
            "and send the report by email to {address}.",
            'Look up "{query}" online, run entity extraction as well as a sentiment analysis over '
            "the results, combine the two in a report and mail the report to {address}.",
        ),
        slots={
            "query": pick("food technology innovations"),
            "address": pick("iris@media.news"),
        },
        steps=(
            call("web_search", query="{query}"),
            call("extract_entities", text="{1.results}"),
            call("sentiment_analysis", text="{1.results}"),
            call(
                "generate_report",
                content=mentions("{2.people}", "{2.places}", "{2.organizations}", "{3.sentiment}"),
            ),
            call("send_email", to="{address}", body="{4.report}"),
        ),
    ),
)
