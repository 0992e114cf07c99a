"""Texts that must carry values: renderings, whole tokens, false mentions, length."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.mentions import carries, numbers_of, read_mentions, tokens, unknown


def score(
    text: Any, *values: Any, known: tuple[float, ...] = (), own: dict[int, Any] | None = None
) -> float:
    made_up = unknown(tokens(text or ""), sorted(known))
    return read_mentions(text, values, own or {}, lambda _: made_up).score


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
        (36, "36.3"),
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
        (3.7, "3.7 million"),
        (1200, "1.2e3"),
        (0.5, ".5"),
        (7, "2026-07-15"),
        (500, "[36,500,120]"),
        (0, "0 errors"),
        (True, "true"),
        ("Berlin", "weather in BERLIN!"),
        ("New York", "new\n york"),
        ("C++", "in C++, mostly"),
        ([36, "Berlin"], "Berlin: 36"),
        ({"t": 36, "c": {"name": "Berlin"}}, "Berlin: 36"),
    ],
)
def test_carried(value: Any, text: str) -> None:
    assert carries(text, value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (36, "136"),
        (36, "36.5"),
        (36, "3.6"),
        (36, "a36"),
        (36, "36a9"),
        (36, "v1.36"),
        (36, "thirty-six"),
        (1.2, "1.2.3"),
        (5, "-5"),
        (-5, "5"),
        (-10, "5-10"),
        (234, "1,234"),
        (36, ""),
        (True, "untrue"),
        ("Berlin", "Berliner"),
        ("art", "party"),
        ("", "anything"),
        (None, "null"),
        ([], "anything"),
        ([36, "Rome"], "Berlin: 36"),
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
    assert score(text, 36, 4004.4) == pytest.approx(2 / 3)


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


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_every_rendered_number_is_carried(value: float) -> None:
    assert carries(f"It is {value:.12g}.", value)
    assert carries(f"x={value:.6g};", value)


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
    assert list(numbers_of(piece * (100_000 // len(piece)))) is not None
