"""Rounding that gives the same digits on every machine, halves away from zero."""

from decimal import ROUND_HALF_UP, Context, Decimal

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


def to_places(value: float | Decimal, places: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    """The decimal that a person would write, rounded to ``places`` decimals (-2: to hundreds).

    2.675 is taken as 2.675, not as the binary fraction just below it. ``places`` from -400 to 30,
    or as far as the result has at most 400 digits.
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    context = Context(prec=EXACT.prec, rounding=rounding)
    rounded = exact.quantize(Decimal((0, (1,), -places)), context=context)
    return rounded if rounded else rounded.copy_abs()
