"""Level 1, numbers: computed, converted or read first, then rounded or spelled out."""

from dataset_builder.slot import Decimal, Numbers, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_DECIMALS = pick(("one decimal", 1), ("two decimals", 2), ("three decimals", 3))
# So coarse that nearly every conversion has something to round off.
_COARSE = pick(("one decimal", 1), ("a whole number", 0))
_WHAT = pick(
    "exam scores", "delivery times in minutes", "dart scores", "weekly page counts",
    "commute times in minutes", "waiting times in minutes", "humidity readings in percent",
    "seedling heights in millimetres", "daily ticket counts", "battery levels in percent",
)  # fmt: skip
_PAPER = pick(
    "the cheque", "the deed", "the quiz card", "the school play", "the radio script", "the contract",
    "the crossword", "the receipt book", "the certificate", "the voice recording",
)  # fmt: skip
_GUIDE = pick(
    "the museum panel", "the audio guide", "the subtitles", "the radio script", "the quiz card",
    "the travel brochure", "the school play", "the voice-over",
)  # fmt: skip
_SMALL = pick("two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "fourteen")
_REST = pick(
    "one hundred and forty", "two hundred and six", "three hundred and twelve", "four hundred and ten",
    "five hundred and thirty-eight", "six hundred and ninety", "seven hundred and four",
    "eight hundred and fifty-five", "nine hundred and sixty-one",
)  # fmt: skip
_LEDGER = pick(
    "The old map", "My grandfather's diary", "The ship's log", "The chronicle", "The inscription",
    "The auction catalogue", "The land register", "The expedition report",
)  # fmt: skip

TEMPLATES = (
    Template(
        "conversion_rounded",
        prompts=(
            "Convert {value} {unit.from} to {unit.to} and round the result to {decimals}.",
            "What are {value} {unit.from} in {unit.to}, rounded to {decimals}? It's for {unit.purpose}.",
            "For {unit.purpose} I need {value} {unit.from} converted to {unit.to}. Please round what "
            "comes out to {decimals}.",
            "{value} {unit.from} into {unit.to}: convert it, then round the figure to {decimals}.",
        ),
        slots={"value": Decimal(12.3, 940, 1), "unit": Pool("unit_pairs"), "decimals": _COARSE},
        steps=(
            call("unit_convert", value="{value}", from_="{unit.from}", to="{unit.to}"),
            call("round_number", number="{1.result}", decimals="{decimals}"),
        ),
    ),
    Template(
        "spread_rounded",
        prompts=(
            "Work out the {basis} standard deviation of these {what} and round it to {decimals}: "
            "{numbers}.",
            "Our {what} were {numbers}. What's their {basis} standard deviation, rounded to {decimals}?",
            "{numbers} are my {what}. I need the {basis} standard deviation; please round it to "
            "{decimals}.",
            "{basis} standard deviation of {numbers}, then rounded to {decimals}, please.",
        ),
        slots={
            "what": _WHAT,
            "numbers": Numbers(5, 9, 12, 95),
            "basis": pick("sample", "population"),
            "decimals": _DECIMALS,
        },
        steps=(
            call("standard_deviation", numbers="{numbers}", basis="{basis}"),
            call("round_number", number="{1.standard_deviation}", decimals="{decimals}"),
        ),
    ),
    Template(
        "sum_spelled_out",
        prompts=(
            "Work out {expression} and spell the result out in words for {paper}.",
            "What does {expression} come to? I need the answer written out in words, for {paper}.",
            "Calculate {expression}, please, and give me the result in English words. It's for {paper}.",
            "For {paper}: the value of {expression}, spelled out in words.",
        ),
        slots={
            "expression": Pattern(
                "{a} + {b} * {c}",
                {
                    "a": Whole(120, 9_800),
                    "b": Whole(14, 96),
                    "c": Whole(13, 99),
                },
            ),
            "paper": _PAPER,
        },
        steps=(
            call("calculator", expression="{expression}"),
            call("number_to_text", number="{1.result}"),
        ),
    ),
    Template(
        "inhabitants_in_words",
        prompts=(
            "How many people live in {city.name}? Look the population up and spell the number out in "
            "words for {paper}.",
            "Find the population of {city.name} and write it out in words. It's for {paper}.",
            "I need the number of inhabitants of {city.name} in words, for {paper}. Please look it up "
            "first.",
            "For {paper}: the population of {city.name}, spelled out in English words.",
        ),
        slots={"city": Pool("facts/cities"), "paper": _GUIDE},
        steps=(
            call("get_location_info", city="{city.name}"),
            call("number_to_text", number="{1.population}"),
        ),
    ),
    Template(
        "written_measure_converted",
        prompts=(
            "{source} says “{words}” {unit.from}. Turn the words into a number and convert that to "
            "{unit.to}.",
            "What figure is “{words}”? It is meant in {unit.from}, so please convert the number to "
            "{unit.to}.",
            "{source} gives a measure in {unit.from}, written out as “{words}”. I need the figure, "
            "converted to {unit.to}.",
            "Read the number “{words}” for me and convert it from {unit.from} to {unit.to}.",
        ),
        slots={
            "source": _LEDGER,
            "words": Pattern("{a} thousand {b}", {"a": _SMALL, "b": _REST}),
            "unit": Pool("old_measures"),
        },
        steps=(
            call("text_to_number", text="{words}"),
            call("unit_convert", value="{1.number}", from_="{unit.from}", to="{unit.to}"),
        ),
    ),
)
