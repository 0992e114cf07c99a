"""Arithmetic expressions: values, precedence, bounds and what is refused."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.values.expression import MAX_LENGTH, ExpressionError, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("234 - 89", 145.0),
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("10 - 4 - 3", 3.0),
        ("100 / 10 / 5", 2.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("2 ** -1", 0.5),
        ("2 ** -2 ** 2", 0.0625),
        ("-2 ** 2", -4.0),
        ("2 * -3", -6.0),
        ("--4", 4.0),
        ("7 // 2", 3.0),
        ("-7 % 3", 2.0),
        ("5!", 120.0),
        ("0!", 1.0),
        (".5 + 2.", 2.5),
        ("1.5e3", 1500.0),
        ("0.1 + 0.2", 0.3),
        ("1 / 3", 0.333333333333),
        ("12 × 3 ÷ 4 − 1", 8.0),
        ("π", 3.14159265359),
        ("2 + 2 =", 4.0),
        ("sqrt(2)", 1.41421356237),
        ("SQRT(16)", 4.0),
        ("abs(-3.5)", 3.5),
        ("floor(-2.5) + ceil(2.1)", 0.0),
        ("ln(e)", 1.0),
        ("log(8, 2)", 3.0),
        ("log10(1000)", 3.0),
        ("log2(1024)", 10.0),
        ("exp(0)", 1.0),
        ("min(3, 1, 2) + max(4, 5)", 6.0),
        ("min(3)", 3.0),
    ],
)
def test_value(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234,567 + 1", 1234568.0),
        ("(1,200 + 3) * 2", 2406.0),
        ("1,234.5 * 2", 2469.0),
        ("max(1,200)", 200.0),
        ("max((1,200), 5)", 1200.0),
        ("max(1,200) + 1,000", 1200.0),
    ],
)
def test_commas_group_thousands_except_between_the_arguments_of_a_function(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("round(2.675, 2)", 2.68),
        ("round(1234, -2)", 1200.0),
    ],
)
def test_round_takes_halves_away_from_zero(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ["-0", "0 * -1", "sin(pi)", "round(-0.4)", "-0.0"])
def test_zero_has_no_sign(text):
    assert math.copysign(1, evaluate(text)) == 1
    assert evaluate(text) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("=", "empty"),
        (")", "')' is not arithmetic"),
        ("(2 + 3", "a ')' is missing"),
        ("2 3", "'3' is not expected there"),
        ("2π", "'pi' is not expected there"),
        ("2(3)", "'(' is not expected there"),
        ("2 +", "ends too early"),
        ("5%", "ends too early"),
        ("1_000", "'_000' is not expected there"),
        ("12,34", "',' is not expected there"),
        ("1,000,0000", "',' is not expected there"),
        ("1.2.3", "'.3' is not expected there"),
        ("3 apples", "'apples' is not expected there"),
        ("x + 1", "'x' is not arithmetic"),
        ("__import__('os')", "not arithmetic"),
        ("5²", "'²' is not arithmetic"),
        ("٣ + 1", "not arithmetic"),
        ("1 / 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("log(8, 1)", "division by zero"),
        ("sqrt(-1)", "sqrt is not defined for that"),
        ("log(0)", "log is not defined for that"),
        ("(-8) ^ (1 / 3)", "too large or undefined"),
        ("9 ** 9 ** 9", "too large or undefined"),
        ("10 ^ 1000000000", "too large or undefined"),
        ("exp(1000)", "too large or undefined"),
        ("1e999", "too large or undefined"),
        ("1e200 * 1e200", "too large or undefined"),
        ("1e300 + 1e300", "too large or undefined"),
        ("101!", "from 0 to 100"),
        ("2.5!", "from 0 to 100"),
        ("(-1)!", "from 0 to 100"),
        ("round(1, 99)", "from -30 to 30"),
        ("round(1, 0.5)", "from -30 to 30"),
        ("abs(1, 2)", "abs does not take 2 arguments"),
        ("round(1, 2, 3)", "round does not take 3 arguments"),
        ("sqrt()", "not arithmetic"),
        ("sqrt 4", "a '(' is missing"),
        ("(" * 60 + "1" + ")" * 60, "at most 40 deep"),
        ("2 ** " * 60 + "1", "at most 40 deep"),
        ("abs(" * 60 + "1" + ")" * 60, "at most 40 deep"),
        ("1+" * MAX_LENGTH + "1", "at most 500 characters"),
    ],
)
def test_refusal_says_what_is_wrong(text, message):
    with pytest.raises(ExpressionError) as refusal:
        evaluate(text)
    assert message in str(refusal.value)


@given(st.integers(-(2**26), 2**26), st.integers(-(2**26), 2**26))
def test_whole_numbers_are_exact(a, b):
    assert evaluate(f"({a}) * ({b})") == a * b
    assert evaluate(f"{a} - ({b})") == a - b


NUMBERS = st.floats(-1e6, 1e6).map(lambda x: round(x, 4))


@given(NUMBERS, NUMBERS, st.sampled_from(["+", "-", "*"]))
def test_agrees_with_python(a, b, operator):
    expected = {"+": a + b, "-": a - b, "*": a * b}[operator]
    assert evaluate(f"({a!r}) {operator} ({b!r})") == pytest.approx(expected, rel=1e-11, abs=1e-9)


@given(st.text(alphabet="0123456789.,+-*/%^()!e pisqrtmax=√\u202e\n", max_size=60))
def test_any_text_gives_a_finite_value_or_is_refused(text):
    with suppress(ExpressionError):
        assert math.isfinite(evaluate(text))
