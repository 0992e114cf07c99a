"""Arithmetic in any text: a finite number, or a sentence that says what is wrong."""

import math
from collections.abc import Iterator
from contextlib import suppress

from dataset_builder.values.expression import (
    MAX_MAGNITUDE,
    ExpressionError,
    evaluate,
    numbers_used,
)
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import kind_of
from dataset_builder.values.references import render
from tests.fuzz.checks import settled

_WRITTEN = (
    *("1,234.5 * (2 + 3) - 4!", "2 ^ 0.5 ** 2 // 3 % 7", "-(-8)^(1/3)", "sqrt(2) × π ÷ e − tau"),
    *("log(8, 2) + log10(100) - ln(e)", "round(2.675, 2) = ", "min(1, 2, 3) + max(4,5)", "1e3!"),
    *("abs(floor(-1.5)) + ceil(.5)", "sin(1) * cos(2) / tan(3)", "exp(700)", "1_000", "0x10"),
)


def seeds() -> Iterator[bytes]:
    """Expressions that use each function and operator."""
    return (text.encode() for text in _WRITTEN)


def check(data: bytes) -> None:
    """The value and the numbers written, and the canonical form, which has the same value."""
    text = data.decode(errors="replace")
    value = settled(lambda: _value(text))
    if isinstance(value, float):
        assert abs(value) <= MAX_MAGNITUDE * 1.01
        assert all(number >= 0 for number in numbers_used(text))
        assert math.isclose(evaluate(render(value)), value, rel_tol=1e-11, abs_tol=1e-300)
    else:
        assert 0 < len(value.strip()) < 200
    with suppress(ArgumentError):
        kind_of("expression").canonical(text)


def _value(text: str) -> float | str:
    try:
        return evaluate(text)
    except ExpressionError as error:
        return str(error)
