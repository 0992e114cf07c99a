"""Texts that must carry values: renderings, whole tokens, false mentions, length."""

import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.scoring.mentions import MadeUp, Mentions, carries, made_up_beside, read_mentions
from evaluator.scoring.numbers_in_text import Known, numbers_of


def read(
    text: Any, *values: Any, known: tuple[Any, ...] = (), own: dict[int, Any] | None = None
) -> Mentions:
    numbers = Known()
    numbers.add(numbers_of(list(known)))
    return read_mentions(text, values, own or {}, lambda said: made_up_beside(said, numbers))


def score(
    text: Any, *values: Any, known: tuple[Any, ...] = (), own: dict[int, Any] | None = None
) -> float:
    return read(text, *values, known=known, own=own).score


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234.5, "1,234.50"),
        (1234.5, "1234.5"),
        (1234.5, "€1,234.50."),
        (1234567, "1'234'567 people"),
        (36, "36°C"),
        (36, "It is 36 °C."),
        (36, "36C"),
        (36, "(36)"),
        (36, "temperature=36,"),
        (36, "36.0"),
        # rounded to the digits that are shown, a tie either way
        (443.5712, "about 443.6 miles"),
        (443.5712, "444"),
        (-0.9001, "-0.90"),
        (67_480.4, "67,480"),
        (2.675, "2.68"),
        (2.675, "2.67"),
        (67_480, "67k"),
        (14, "minus one, fourteen"),
        # words may say the direction
        (-2.45, "down 2.45"),
        (-1.47, "fell by 1.47 percent"),
        (-63, "63 days before"),
        (5, "$5"),
        (5, "5kg"),
        (5, "the 5th"),
        (-5, "-5"),
        (-5, "−5 °C"),
        (-5, "-$5"),
        (12, "12%"),
        (0.12, "12%"),
        (0.12, "12 percent"),
        (3_677_472, "3.7 million"),
        (1200, "1.2e3"),
        (0.5, ".5"),
        (7, "2026-07-15"),
        (500, "[36,500,120]"),
        (0, "0 errors"),
        (True, "true"),
        (3, "three rooms"),
        ("Berlin", "weather in BERLIN!"),
        ("Leave by the back door.", "he said “leave by the back door”, so"),
        ("don't", "don’t"),
        ("2026-09-13", "on 13 September 2026"),
        ("2026-09-13", "Sunday, September 13th, 2026"),
        ("2026-09-13", "2026-09-13"),
        ("2026-09-13", "0.05\nDenver\n2026-09-13"),
        ("2026-09-13", "Pulseline Trek 3\n2026-09-13"),
        (6.75, "negative\n6.75"),
        ("21:00", "at 9 pm"),
        ("21:00:00", "at 9:00 PM"),
        ("2026-09-13T21:00:00", "13 Sept 2026 at 9 pm"),
        ("01:00", "at 1:00 AM"),
        ("01:00", "01:00h"),
        ("12:00", "at noon"),
        ("00:30:00", "12:30 a.m."),
        ("INV-2026-95840", "Invoice INV-2026-95840."),
        ("https://a.example/x", "see https://a.example/x, or (https://a.example/x)."),
        ("ana@b.example", "Mail Ana@B.example!"),
        ("U.S.", "in the U.S. now"),
        (31, "31minutes"),
        (31_000_000, "31 million"),
        (31_000, "31k"),
        (300, "300K"),
        ("New York", "new\n york"),
        ("C++", "in C++, mostly"),
        ([36, "Berlin"], "Berlin: 36"),
        ({"t": 36, "c": {"name": "Berlin"}}, "Berlin: 36"),
        # what looks like a date hides none, and a word at the end of a line is no sign
        ("2026-03-05", "Invoice 12 due 2026-03-05."),
        ("2026-03-05", "In 14 days, 2026-03-05"),
        ("2028-06-25", "18\nfinance\n2028-06-25"),
        ("2026-03-05", "room 7 from March 5, 2026"),
        (23.4, "The sentiment is negative\n23.4 °C"),
    ],
)
def test_carried(value: Any, text: str) -> None:
    assert carries(text, value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (36, "136"),
        (36, "36.5"),
        (36, "36.3"),
        (36, "3.6"),
        (67_480, "67,999"),
        (67_480, "67,000"),
        (443.5712, "443.9"),
        (443.5712, "443.5"),
        (443.5712, "440"),
        (0.0496, "0.05"),
        (1.47, "1"),
        (12.35, "12"),
        (443.5712, "minus 443.5712"),
        (-2.45, "+2.45"),
        ("2026-09-13", "13 September"),
        ("2026-09-13", "13 October 2026"),
        ("21:00", "9 am"),
        ("21:00", "9:00"),
        ("01:00", "1:00 PM"),
        ("01:00", "at 1"),
        ("12:00", "12:00 am"),
        ("INV-2026-95840", "INV-2026-95840-x"),
        ("INV-2026-95840", "inv-2026-95840"),
        ("https://a.example/x", "https://a.example/x/y"),
        ("https://a.example/x", "https://a.example/x?a=b"),
        ("https://a.example/x", "https://a.example/x.com"),
        ("https://a.example/x", "HTTPS://A.EXAMPLE/X"),
        ("report.txt", "old_report.txt"),
        (31, "31 million"),
        (3.7, "3.7 million"),
        (31, "31k"),
        ("21:00", "12:00"),
        (36, "a36"),
        (36, "36a9"),
        (36, "v1.36"),
        (36, "thirty-six"),
        (36, "six"),
        (1.2, "1.2.3"),
        (5, "-5"),
        (234, "1,234"),
        (36, ""),
        (True, "untrue"),
        ("Berlin", "Berliner"),
        ("art", "party"),
        ("", "anything"),
        (None, "null"),
        ([], "anything"),
        ([36, "Rome"], "Berlin: 36"),
        (23.4, "negative 23.4 °C"),
        ("2026-05-12", "dismay 12 2026-03-05"),
    ],
)
def test_not_carried(value: Any, text: str) -> None:
    assert not carries(text, value)


@pytest.mark.parametrize(
    ("text", "values", "alike"),
    [
        ("Berlin has 36", ("Berlin", 36), 1),
        ("Berlin has none", ("Berlin", 36), 0.5),
        ("nothing", ("Berlin", 36), 0),
        ("", ("Berlin",), 0),
        (None, (36,), 0),
        # three numbers from nowhere are free, each further one counts against
        ("36 1001 1002 1003", (36,), 1),
        ("36 1001 2002 3003", (36,), 1),
        ("36 1001 2002 3003 4004", (36,), 1 / 2),
        ("36 1001 2002 3003 4004 5005", (36,), 1 / 3),
        ("36 1001 2002 3003 4004 5005 and 21", (36, 21), 2 / 4),
        # the same number twice is one number
        ("36 1001 2002 3003 1001 2002 3003", (36,), 1),
    ],
)
def test_score(text: Any, values: tuple[Any, ...], alike: float) -> None:
    assert score(text, *values) == pytest.approx(alike)


def test_numbers_of_the_prompt_and_of_outputs_are_not_false() -> None:
    text = "36 1001 2002 3003 4004 5005"
    assert score(text, 36, known=(4004, 5005)) == 1
    assert score(text, 36, known=(5050,)) == pytest.approx(1 / 2)  # 5005 is within 1 % of 5050
    assert score(text, 36, 4004.0) == pytest.approx(2 / 3)


def test_shotgun_of_numbers_is_worth_little() -> None:
    # 249 numbers, of which 36 and 77 stand in the list (within 1 %: nothing else) and three are free
    assert score(" ".join(map(str, range(1, 250))), 36, 77) == pytest.approx(2 / (2 + 249 - 2 - 3))


def test_own_value_is_as_good() -> None:
    assert score("it is 25", 36, own={0: 25}) == 1
    assert score("it is 36", 36, own={0: 25}) == 1
    assert score("it is 30", 36, own={0: 25}) == 0


def test_length() -> None:
    # 1,000 characters plus three times "Berlin"
    assert score("Berlin" + " " * (1000 + 18 - 6), "Berlin") == 1
    assert score("Berlin" + " " * (1000 + 18 - 5), "Berlin") == 0
    long = "word " * 600
    assert score(long + "!", long) == 1
    assert score("x" + " " * 2000, 1, own={0: "y" * 400}) == 0
    assert score("y" * 400 + " " * 1800, 1, own={0: "y" * 400}) == 1


@pytest.mark.parametrize(
    ("text", "values", "is_exact"),
    [
        ("Berlin has 36", ("Berlin", 36), True),
        ("Berlin has none", ("Berlin", 36), False),
        # no number may be made up, but for a few small counts
        ("36 of 1001", (36,), False),
        ("36 beside 36.3", (36,), False),
        ("Both (2) have 36", (36,), True),
        ("1) Berlin 36 2) Paris 21 3) Rome 31 4) Oslo 18", (36, 21, 31, 18), True),
        ("7, of 1, 2 and 3", (7,), True),
        ("0 1 2 3 4 5 6 7 8 9 10", (7,), False),
        ("36 and -2", (36,), False),
        ("36 and 2.5", (36,), False),
    ],
)
def test_the_exact_reading(text: str, values: tuple[Any, ...], is_exact: bool) -> None:
    assert read(text, *values).is_exact is is_exact


def test_what_is_known_may_be_told_in_any_form() -> None:
    known = ("Tuesday at 23:30, 11 November 2026, minus 4.52 percent",)
    assert read("36; at 11:30 pm on 2026-11-11, down 4.5%", 36, known=known).is_exact
    assert not read("36; down 4.6%", 36, known=known).is_exact


def test_an_exact_text_carries_what_the_models_own_call_gave() -> None:
    assert read("it is 25", 36, own={0: 25}).is_exact
    assert not read("it is 36", 36, own={0: 25}).is_exact


def test_a_colon_before_a_number_makes_no_hour_known() -> None:
    assert not read("36, grade 16", 36, known=("Survey: 45 percent",)).is_exact
    assert read("36, at 4 pm", 36, known=("from 16:45 on",)).is_exact


def test_unrounded_numbers() -> None:
    def is_exact(text: str) -> bool:
        return read_mentions(text, [1.46893], {}, lambda _: MadeUp([], []), unrounded=True).is_exact

    assert is_exact("up 1.46893 percent")
    assert is_exact("up 1.468930")
    assert not is_exact("up 1.4689 percent")
    assert not is_exact("up 1.47 percent")


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_every_rendered_number_is_carried(value: float) -> None:
    assert carries(f"It is {value:.12g}.", value)
    assert carries(f"x={value:.5e};", value)


@given(st.floats(1e-3, 1e9), st.sampled_from([-1, 1]), st.floats(0.0101, 0.5))
def test_a_number_more_than_a_hundredth_off_is_never_carried(
    value: float, sign: int, off: float
) -> None:
    wrong = value * (1 + sign * off)
    for text in (f"{wrong:.12g}", f"{wrong:,.2f}", f"{wrong:.3e}"):
        shown = float(text.replace(",", ""))
        if abs(shown - value) > 0.01 * value:
            assert not carries(f"It is {text}.", value)


@given(st.integers(-(10**12), 10**12))
def test_thousands_separators(value: int) -> None:
    assert carries(f"({value:,})", value)
    assert list(numbers_of({"a": [f"{value:,} km", True, None]})) == [value]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert 0 <= score(text, 36, "x", [1, "y"]) <= 1


@pytest.mark.parametrize(
    "piece", ["1", "1,111", "1.1", "-", "$", "1e", "[", "[1,", "1e400 ", "9" * 400]
)
def test_hostile_texts_take_linear_work(piece: str) -> None:
    started = time.process_time()
    numbers = list(numbers_of(piece * (100_000 // len(piece))))
    assert time.process_time() - started < 1
    assert all(map(math.isfinite, numbers))
