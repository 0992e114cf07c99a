"""Rounding that gives the same digits on every machine, halves away from zero."""

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

# Wide enough to hold every float with twenty decimals.
EXACT = Context(prec=400, rounding=ROUND_HALF_UP)

_WHOLE = 2.0**53


def significant(value: float, digits: int = 12) -> float:
    """The value to that many significant digits, which hides how libm rounded its last ones.

    Whole numbers that a float holds exactly stay as they are.
    """
    if abs(value) <= _WHOLE and value == int(value):
        return float(value) + 0.0
    return float(f"{value:.{digits}g}")


def is_same(one: Any, other: Any, tolerance: float = 1e-9) -> bool:
    """Whether two JSON values are equal, numbers within a share of the larger one."""
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(is_same(a, b, tolerance) for a, b in pairs)
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in (one, other)):
        return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
    return bool(abs(one - other) <= tolerance * max(abs(one), abs(other)))


def to_places(value: float | Decimal, places: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    """The decimal that a person would write, rounded to ``places`` decimals (-2: to hundreds).

    2.675 is taken as 2.675, not as the binary fraction just below it. ``places`` from -400 to 30,
    or as far as the result has at most 400 digits.
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    context = Context(prec=EXACT.prec, rounding=rounding)
    rounded = exact.quantize(Decimal((0, (1,), -places)), context=context)
    return rounded if rounded else rounded.copy_abs()
