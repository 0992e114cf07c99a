"""The grammar: what every clause has to be, and the one sentence that says what is wrong with one."""

import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.procedures import grammar
from dataset_builder.procedures.grammar import Given, Quantities
from dataset_builder.procedures.read_grammar import read_clauses
from dataset_builder.tasks.template_error import TemplateError
from dataset_builder.tools import catalogue

GOOD = """
[[clause]]
call = "get_weekday(date={date})"
wordings = [
  "find out on which weekday {date} falls",
  "look up the weekday of {date}",
  "check which weekday {date} is",
]
slots.date.day = [1974-01-01, 2024-12-31]
takes = { date = "date" }
[clause.gives]
weekday = ["label", "weekday", "the weekday of {date}"]
"""
MESSAGE = """
[[clause]]
call = "send_message(recipient={to}, text=mentions({values}))"
wordings = ["send {to} a chat message that gives {values}", "tell {to} in a chat message {values}",
  "message {to} in the chat with {values}"]
slots.to.pick = ["Mei Tanaka"]
takes = { values = "number" }
several = { values = [1, 5] }
"""
# What is changed in a good clause, and what the error says then.
FAULTS = [
    ("look up the weekday of {date}", "look up the weekday", "wordings 2: date is not stated"),
    ("look up the weekday of {date}", "Look up the weekday of {date}", "small letter"),
    ("look up the weekday of {date}", "look up the weekday of {day} {date}", "day is no hole"),
    ("look up the weekday of {date}", "look up a weekday {date}.", "without a full stop"),
    ("look up the weekday of {date}", "look up an weekday of {date}", "'an weekday' has the wrong"),
    (
        "look up the weekday of {date}",
        "look up the weekday of a {date}",
        "an article stands before",
    ),
    ("look up the weekday of {date}", "put {date} into words", "no word decides for get_weekday"),
    (
        "check which weekday {date} is",
        "look up the weekday of {date}",
        "fewer than three different",
    ),
    ("weekday of {date}", "weekday {date}", "'the weekday' stands right before {date}"),
    ("get_weekday(date={date})", "get_weekday()", "lacks ['date']"),
    ("get_weekday(date={date})", "get_weekdays(date={date})", "there is no tool get_weekdays"),
    ("get_weekday(date={date})", "get_weekday(date={date}, zone={date})", "unknown arguments"),
    ('takes = { date = "date" }', 'takes = { date = "day" }', "there is no quantity day"),
    (
        'takes = { date = "date" }',
        'takes = { day = "date" }',
        "takes.day: the call has no such hole",
    ),
    ('takes = { date = "date" }', 'takes = { date = "number" }', "a text takes no number"),
    ('takes = { date = "date" }', "several = { date = [1, 2] }", "several.date"),
    ('takes = { date = "date" }', "several = { date = [3, 2] }", "expected [fewest, most]"),
    ('takes = { date = "date" }', "takes = { date = 1 }", "expected the names of quantities"),
    ('takes = { date = "date" }', 'quoted = "date"', "quoted: expected a list"),
    ('takes = { date = "date" }', 'quoted = ["day"]', "quoted: day"),
    ('takes = { date = "date" }', 'take = { date = "date" }', "there is no such key"),
    ("weekday = [", "day = [", "gives.day: get_weekday returns no such field"),
    ('["label", ', '["name", ', "there is no quantity name"),
    ('["label", ', '["same", ', "takes no results of one same quantity"),
    ('"weekday", "the', '"the weekday", "the', "a noun stands without article"),
    ('"the weekday of {date}"', '"weekday of {date}"', "a phrase begins with 'the'"),
    ('"the weekday of {date}"', '"the weekday"', "name the results of two calls"),
    ('"the weekday of {date}"]', '"the weekday of {day}"]', "phrase: day is no hole"),
    ('"the weekday of {date}"]', "", "cannot be read"),
]


def clauses(text: str) -> list[Any]:
    """The clauses of a file's text; TemplateError where one cannot exist."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TemplateError(f"cannot be read as TOML ({error})") from None
    return list(read_clauses("dates.toml", document, grammar().quantities, catalogue()))


@pytest.mark.parametrize("text", [GOOD, MESSAGE])
def test_a_good_clause_is_read(text: str) -> None:
    (clause,) = clauses(text)
    assert clause.subject == "dates"


@pytest.mark.parametrize(("part", "instead", "message"), FAULTS)
def test_a_fault_is_one_sentence_with_its_place(part: str, instead: str, message: str) -> None:
    assert part in GOOD
    with pytest.raises(TemplateError) as caught:
        clauses(GOOD.replace(part, instead))
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    if "cannot be read" not in message:
        assert text.startswith("dates.toml: clause 1 (get_weekday")


def test_the_clause_of_the_guide_is_read() -> None:
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n( *\[\[clause\]\].*?) ```", guide, flags=re.DOTALL)
    (clause,) = clauses(textwrap.dedent(example))
    assert clause.tool == "get_weekday"


def test_what_hangs_on_free_wording_never_flows() -> None:
    with pytest.raises(TemplateError, match="free wording never flows on"):
        clauses(f'{MESSAGE}[clause.gives]\nmessage_id = ["identifier", "message"]\n')


def test_nearly_all_tools_take_part() -> None:
    tools = {clause.tool for clause in grammar().clauses}
    assert len(tools) >= 90
    assert tools <= catalogue().keys()


def test_each_name_is_one_word_and_stands_in_no_wording() -> None:
    wordings = " ".join(text for clause in grammar().clauses for text in clause.wordings)
    for name in grammar().names:
        assert name.isalpha()
        assert name not in wordings


def test_a_quantity_fits_itself_and_the_broader_ones() -> None:
    quantities = Quantities({"number": "", "money": "number", "count": "number"})
    fitting = {
        (one, other)
        for one in ("number", "money", "money/USD", "count")
        for other in ("number", "money", "money/USD", "count")
        if quantities.fits(one, other)
    }
    same = {(one, one) for one in ("number", "money", "money/USD", "count")}
    broader = {("money", "number"), ("money/USD", "number"), ("count", "number")}
    assert fitting == same | broader | {("money/USD", "money")}


@pytest.mark.parametrize(
    ("noun", "is_plural"),
    [
        ("weekday", False),
        ("moving averages", True),
        ("headlines", True),
        ("product price in US dollars", False),
        ("list of names", False),
        ("address of the top result", False),
    ],
)
def test_those_is_said_of_plurals_alone(noun: str, is_plural: bool) -> None:
    assert Given("field", "fact", noun).is_plural == is_plural
