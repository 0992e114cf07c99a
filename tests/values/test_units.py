"""Units of measurement: the facts agree with known values, and spellings lead to one unit."""

from collections import Counter
from fractions import Fraction

import pytest

from dataset_builder.values.canonical import unit
from dataset_builder.values.facts import load

UNITS = load("units")


@pytest.mark.parametrize("name", UNITS)
def test_names_are_lower_case_words_with_a_positive_factor(name):
    facts = UNITS[name]
    assert name.replace("_", "").isalpha()
    assert name.islower()
    assert Fraction(facts["factor"]) > 0
    assert set(facts) - {"offset"} == {"quantity", "factor", "spellings"}
    assert ("offset" in facts) == (facts["quantity"] == "temperature")


def test_no_spelling_belongs_to_two_units():
    spellings = Counter(s for name, facts in UNITS.items() for s in (name, *facts["spellings"]))
    assert [s for s, count in spellings.items() if count > 1] == []


@pytest.mark.parametrize(("name", "facts"), UNITS.items())
def test_every_spelling_leads_to_its_unit(name, facts):
    assert {unit(s) for s in (name, *facts["spellings"], name.replace("_", " "))} == {name}
    assert unit(f" {name.upper()} ") == name


def test_every_quantity_has_one_unit_to_count_in_and_more_to_convert():
    quantities = Counter(facts["quantity"] for facts in UNITS.values())
    bases = Counter(
        facts["quantity"]
        for facts in UNITS.values()
        if Fraction(facts["factor"]) == 1 and not Fraction(facts.get("offset", 0))
    )
    assert bases == Counter(dict.fromkeys(quantities, 1))
    assert min(quantities.values()) >= 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("°C", "celsius"),
        ("Fahrenheit", "fahrenheit"),
        ("KM", "kilometers"),
        ("Kilometres", "kilometers"),
        ("Mb", "megabits"),
        ("MB", "megabytes"),
        ("mb", "megabytes"),
        ("km/h", "kilometers_per_hour"),
        ("Miles per Hour", "miles_per_hour"),
        ("square_metres", "square_meters"),
        ("lbs", "pounds"),
    ],
)
def test_spelling(text, name):
    assert unit(text) == name


@pytest.mark.parametrize(
    "text", ["", "furlongs", "ton", "dollars", "degrees of freedom", "x" * 1000]
)
def test_unknown_unit(text):
    with pytest.raises(ValueError, match="no known unit"):
        unit(text)
