"""Formatting tools: numbers as text and back, rounding, percent-encoding."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import formatting as f
from tests.samples.tool_call import call

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@pytest.mark.parametrize(
    ("number", "decimals", "style", "text"),
    [
        (1234567.891, 2, "decimal", "1,234,567.89"),
        (1234.5, 0, "decimal", "1,235"),
        (2.675, 2, "decimal", "2.68"),
        (-9876, 1, "decimal", "-9,876.0"),
        (-0.001, 2, "decimal", "0.00"),
        (0.256, 1, "percent", "25.6%"),
        (12.5, 0, "percent", "1,250%"),
        (123456, 2, "scientific", "1.23e+05"),
        (9.999, 2, "scientific", "1.00e+01"),
        (-0.00052, 1, "scientific", "-5.2e-04"),
        (0, 2, "scientific", "0.00e+00"),
        (0.0, 2, "scientific", "0.00e+00"),
        (1e300, 3, "scientific", "1.000e+300"),
        (10**300, 0, "decimal", f"{10**300:,}"),
    ],
)
def test_format_number(number, decimals, style, text):
    assert call(f.format_number, number=number, decimals=decimals, style=style) == {"text": text}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (42, "forty-two"),
        (100, "one hundred"),
        (305, "three hundred five"),
        (1100, "one thousand one hundred"),
        (90_017, "ninety thousand seventeen"),
        (1_000_000, "one million"),
        (2_000_003_040, "two billion three thousand forty"),
        (-17.25, "minus seventeen point two five"),
        (0.007, "zero point zero zero seven"),
        (42.0, "forty-two"),
    ],
)
def test_numbers_and_words_lead_to_each_other(number, text):
    assert call(f.number_to_text, number=number) == {"text": text}
    assert call(f.text_to_number, text=text) == {"number": float(number)}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("A hundred and five", 105),
        ("nineteen hundred", 1900),
        ("Twelve thousand, three hundred and forty-five", 12345),
        ("two hundred and fifty thousand", 250_000),
        ("one hundred thousand and one", 100_001),
        ("twenty one", 21),
        ("a million", 1_000_000),
        ("negative eight", -8),
        ("point five", 0.5),
        ("three point one four million", 3_140_000),
        ("2.5 million", 2_500_000),
        ("40 thousand", 40_000),
        ("-5", -5),
        ("1,250.5", 1250.5),
        ("minus zero", 0),
    ],
)
def test_text_to_number(text, number):
    assert call(f.text_to_number, text=text) == {"number": number}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "and five",
        "five and",
        "hundred",
        "million",
        "twenty thirty",
        "twenty eleven",
        "two million million",
        "one thousand two million",
        "five thousand zero",
        "zero thousand",
        "zero hundred",
        "point",
        "five point",
        "one point twenty",
        "1,2",
        "1e5",
        "٣",
        "forty apples",
        "--5",
        "\u202efive",
    ],
)
def test_what_is_no_number_in_words(text):
    assert "is no number in English words" in call(f.text_to_number, text=text)["error"]


@pytest.mark.parametrize(
    ("number", "decimals", "direction", "result"),
    [
        (3.14159, 2, "nearest", 3.14),
        (2.675, 2, "nearest", 2.68),
        (2.5, 0, "nearest", 3.0),
        (-2.5, 0, "nearest", -3.0),
        (3.141, 2, "up", 3.15),
        (-3.149, 2, "up", -3.14),
        (3.149, 2, "down", 3.14),
        (-3.141, 2, "down", -3.15),
        (1234, -2, "nearest", 1200.0),
        (1e300, 15, "nearest", 1e300),
    ],
)
def test_round_number(number, decimals, direction, result):
    output = call(f.round_number, number=number, decimals=decimals, direction=direction)
    assert output == {"result": result}


@pytest.mark.parametrize(
    ("text", "encoded"),
    [
        ("a b&c=ü/?", "a%20b%26c%3D%C3%BC%2F%3F"),
        ("safe-chars_are.kept~", "safe-chars_are.kept~"),
        ("100% + more", "100%25%20%2B%20more"),
        ("", ""),
    ],
)
def test_encode_url(text, encoded):
    assert call(f.encode_url, text=text) == {"encoded": encoded}


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (f.format_number, {"number": 1, "decimals": -1}, "between 0 and 15"),
        (f.format_number, {"number": 1, "decimals": 10**9}, "between 0 and 15"),
        (f.format_number, {"number": float("inf")}, "out of range"),
        (f.number_to_text, {"number": 1e15}, "below a thousand trillion"),
        (f.number_to_text, {"number": 0.1 + 0.2}, "at most 15 decimals"),
        (f.number_to_text, {"number": 5e-324}, "at most 15 decimals"),
        (f.text_to_number, {"text": "one " * 1000}, "at most 500 characters"),
        (f.text_to_number, {"text": "9" * 400}, "no number"),
        (f.round_number, {"number": 1, "decimals": 16}, "between -15 and 15"),
        (f.encode_url, {"text": "\ud800"}, "surrogate"),
        (f.encode_url, {"text": "é" * 90_000}, "would exceed"),
        (f.encode_url, {"text": "x" * 100_001}, "at most 100,000 characters"),
    ],
)
def test_refusal_says_what_is_wrong(tool, arguments, message):
    output = call(tool, **arguments)
    assert set(output) == {"error"}
    assert message in output["error"]


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 4))
def test_spelling_out_and_reading_are_inverse(number, places):
    value = round(number / 10**places, places)
    words = call(f.number_to_text, number=value)["text"]
    assert call(f.text_to_number, text=words) == {"number": value}


@given(st.floats(-1e12, 1e12), st.integers(0, 6))
def test_a_rounded_number_is_near_and_stays(number, decimals):
    once = call(f.round_number, number=number, decimals=decimals)["result"]
    assert abs(once - number) <= 0.5 * 10**-decimals + abs(number) * 1e-15
    assert call(f.round_number, number=once, decimals=decimals)["result"] == once
    text = call(f.format_number, number=number, decimals=decimals)["text"]
    assert float(text.replace(",", "")) == once


@given(TEXT)
def test_decoding_gives_the_text_back(text):
    encoded = call(f.encode_url, text=text)["encoded"]
    assert unquote(encoded) == text
    assert encoded.isascii()


@given(TEXT)
def test_any_text_is_read_or_refused(text):
    assert set(call(f.text_to_number, text=text)) <= {"number", "error"}
