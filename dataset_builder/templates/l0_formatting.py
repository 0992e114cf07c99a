"""Level 0: numbers as text and back, rounding, percent-encoding."""

from dataset_builder.slot import Decimal, Pattern, Whole, pick
from dataset_builder.template import Template, call

_DECIMALS = pick(("one decimal", 1), ("two decimals", 2), ("three decimals", 3))
_PAGE = pick(
    "the annual report", "the investor slide", "the town's website", "the press sheet",
    "the dashboard", "the grant application", "the brochure", "the balance sheet",
    "the visitor statistics", "the tender", "the museum panel", "the fact sheet",
)  # fmt: skip
_FIGURE = pick(
    "reading", "measured value", "sample weight", "flow rate", "response time", "yield",
    "distance", "signal level", "concentration", "field strength", "dose", "thrust",
)  # fmt: skip
_SMALL = pick(
    "twelve", "nineteen", "twenty-seven", "thirty-four", "forty-one", "fifty-eight", "sixty-three",
    "seventy-six", "eighty-nine", "ninety-five", "sixteen", "twenty-two", "thirty-eight",
)  # fmt: skip
_HUNDREDS = Pattern(
    "{ones} hundred and {rest}",
    {"ones": pick("two", "three", "four", "five", "six", "seven", "eight", "nine"), "rest": _SMALL},
)


TEMPLATES = (
    Template(
        "write_with_separators",
        prompts=(
            "Write {number} with thousands separators and {decimals}.",
            "How does {number} look with thousands separators and {decimals}?",
            "For {page} I need {number} formatted nicely: thousands separators, {decimals}.",
            "Please format {number} for {page}, with {decimals} and thousands separators.",
        ),
        slots={
            "number": Decimal(12_000, 8_900_000, 4, grouped=False),
            "decimals": _DECIMALS,
            "page": _PAGE,
        },
        steps=(call("format_number", number="{number}", decimals="{decimals}"),),
        rich="Turn the number {number} into text that is easy to read: separators between the "
        "thousands and {decimals} after the point.",
    ),
    Template(
        "write_in_style",
        prompts=(
            "Write {number} as a {style} with {decimals}.",
            "The share on {page} is {number}. Please write it as a {style} with {decimals}.",
            "{number} as a {style}, {decimals}, please.",
            "Could you turn the fraction {number} into a {style} for {page}? Use {decimals}.",
        ),
        slots={
            "number": Decimal(0.0123, 0.9876, 4),
            "decimals": pick(("one decimal", 1), ("zero decimals", 0), ("two decimals", 2)),
            "style": pick(("percentage", "percent")),
            "page": _PAGE,
        },
        steps=(call("format_number", number="{number}", decimals="{decimals}", style="{style}"),),
        rich="The number {number} is a share of one whole. Write it as a {style}, as text, with "
        "{decimals} after the point.",
    ),
    Template(
        "spell_out_amount",
        prompts=(
            "How do I spell {number} out in words on a cheque?",
            "{number} in words, please.",
            "The contract repeats the amount in words. Could you write out {number} for me?",
            "I'm filling in a receipt and need the sum of {number} spelled out in English words.",
        ),
        slots={"number": Whole(1021, 98_000)},
        steps=(call("number_to_text", number="{number}"),),
        rich="Spell the number {number} out in English words, as it would be written on a cheque.",
    ),
    Template(
        "read_number_words",
        prompts=(
            "What number is “{words}” in digits?",
            "The deed gives the price as “{words}”. Please turn that into a number.",
            "“{words}” as a numeral?",
            "Someone dictated “{words}”. I need the figure in digits for my table.",
        ),
        slots={
            "words": Pattern(
                "{a} thousand {b}",
                {"a": _SMALL, "b": _HUNDREDS},
            )
        },
        steps=(call("text_to_number", text="{words}"),),
        rich="The text “{words}” is a number written in English words. Give its value as a number.",
    ),
    Template(
        "read_large_number_words",
        prompts=(
            "How much is “{words}” written in digits?",
            "The chronicle speaks of “{words}” bricks. Which number is that, in digits?",
            "Please convert the words “{words}” to a numeral for the spreadsheet.",
            "Digits for “{words}”, please.",
        ),
        slots={
            "words": Pattern(
                "{a} million {b} thousand and {c}",
                {"a": _SMALL, "b": _HUNDREDS, "c": _SMALL},
            )
        },
        steps=(call("text_to_number", text="{words}"),),
        rich="Read the number that is written in English words as “{words}” and give its value.",
    ),
    Template(
        "round_to_decimals",
        prompts=(
            "Round {number} to {decimals}.",
            "My {figure} came out as {number}. What is that rounded to {decimals}?",
            "{number}, rounded to {decimals}?",
            "Please round the {figure} of {number} to {decimals}; I go on calculating with it.",
        ),
        slots={"number": Decimal(1.2345, 489.0, 5), "decimals": _DECIMALS, "figure": _FIGURE},
        steps=(call("round_number", number="{number}", decimals="{decimals}"),),
        rich="Take the number {number} and round it to the nearest value with {decimals}, so that it "
        "stays a number.",
    ),
    Template(
        "round_one_way",
        prompts=(
            "Round {number} to {decimals}, and always {direction}.",
            "House rule: every {figure} is rounded {direction}, never the other way. What becomes of "
            "{number} with {decimals}?",
            "{number}, always rounded {direction}, {decimals}. Which number is it?",
            "Could you round {number} {direction} for me, keeping {decimals}?",
        ),
        slots={
            "number": Decimal(1.2345, 489.0, 5),
            "direction": pick("up", "down"),
            "decimals": pick(("one decimal", 1), ("three decimals", 3), ("four decimals", 4)),
            "figure": _FIGURE,
        },
        steps=(
            call(
                "round_number",
                number="{number}",
                decimals="{decimals}",
                direction="{direction}",
            ),
        ),
        rich="Round the number {number} {direction}, whatever its next digit is, and keep {decimals}.",
    ),
    Template(
        "percent_encode_phrase",
        prompts=(
            "Percent-encode the text “{text}” so that I can paste it into a link.",
            "What does “{text}” look like URL-encoded?",
            "I'm writing a URL by hand and the search term is “{text}”. How is it percent-encoded?",
            "Please URL-encode “{text}” for me, spaces as %20.",
        ),
        slots={
            "text": Pattern(
                "{a} & {b}: {c}?",
                {
                    "a": pick(
                        "café",
                        "bed",
                        "wine",
                        "tea",
                        "music",
                        "books",
                        "bikes",
                        "surf",
                        "jazz",
                        "crafts",
                        "coffee",
                        "yoga",
                    ),
                    "b": pick(
                        "breakfast",
                        "cheese",
                        "cake",
                        "poetry",
                        "friends",
                        "garden",
                        "hiking",
                        "vinyl records",
                        "flea market",
                        "street food",
                        "museum tour",
                        "sauna",
                    ),
                    "c": pick(
                        "open on Sunday",
                        "free entry",
                        "under 20 €",
                        "near São Bento",
                        "with children",
                        "10 % off",
                        "late at night",
                        "this weekend",
                    ),
                },
            )
        },
        steps=(call("encode_url", text="{text}"),),
        rich="The text “{text}” is to stand inside a URL. Percent-encode it, so that every character "
        "other than letters, digits and a few marks becomes a percent sign with its code.",
    ),
)
