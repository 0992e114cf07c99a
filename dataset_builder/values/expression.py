"""Arithmetic expressions by value: a small parser with bounded work that never evaluates Python."""

import math
import re
from collections.abc import Callable
from functools import lru_cache

from dataset_builder.values.rounding import significant, to_places

MAX_LENGTH = 500
MAX_DEPTH = 40
MAX_MAGNITUDE = 1e300
# What is asked of libm along the way is rounded before it is worked with, so that a difference of
# two such values does not bring its last digits, which vary between machines, to light.
_LIBM_DIGITS = 14

_NUMBER = r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?"
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]*)?"
_OTHER = r"[A-Za-z_][A-Za-z0-9_]*|\*\*|//|[-+*/%^(),!]"
_TOKEN = re.compile(rf"\s*({_GROUPED}|{_NUMBER}|{_OTHER})")
_TOKEN_IN_CALL = re.compile(rf"\s*({_NUMBER}|{_OTHER})")
_SPELLINGS = str.maketrans(
    {"×": "*", "·": "*", "⋅": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "π": "pi"}
)
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}


class ExpressionError(ValueError):
    """The text is no arithmetic expression, or its value is out of bounds."""


# The same expressions are compared in row after row. What is none is not kept, and none is long.
@lru_cache(maxsize=4_096)
def evaluate(text: str) -> float:
    """The value of an arithmetic expression, rounded to 12 significant digits.

    Whole results up to 2^53 are exact. Knows ``+ - * / // % ** ^``, parentheses, postfix ``!``,
    ``pi``, ``e``, ``tau``, ``sqrt``, ``abs``, ``floor``, ``ceil``, ``round`` (halves away from
    zero), ``exp``, ``ln`` and ``log`` (natural; ``log(x, base)``), ``log10``, ``log2``, ``sin``,
    ``cos``, ``tan`` (radians), ``min`` and ``max``. A comma groups thousands, except between the
    arguments of a function. Raises ExpressionError with a sentence that says what is wrong.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression may have at most {MAX_LENGTH} characters")
    parser = _Parser(_tokens(text))
    try:
        value = parser.sum(0)
    except ZeroDivisionError:
        raise ExpressionError("division by zero") from None
    except OverflowError:
        raise ExpressionError("the value is too large or undefined") from None
    parser.expect_end()
    return significant(value)


def numbers_used(text: str) -> list[float]:
    """The numbers that an expression is written with, without their signs; ExpressionError for none."""
    return [float(token) for token in _tokens(text) if token[0].isdigit() or token[0] == "."]


def _tokens(text: str) -> list[str]:
    """The tokens, without thousands separators and a final ``=``, ``^`` written ``**``."""
    text = text.translate(_SPELLINGS).strip().removesuffix("=").rstrip()
    tokens: list[str] = []
    calls: list[bool] = []  # whether each open parenthesis holds a function's arguments
    position = 0
    while position < len(text):
        in_call = bool(calls) and calls[-1]
        match = (_TOKEN_IN_CALL if in_call else _TOKEN).match(text, position)
        if match is None:
            raise ExpressionError(f"'{text[position:].strip()[:20]}' is not arithmetic")
        token = match[1]
        if token == "(":
            calls.append(bool(tokens) and tokens[-1][0].isalpha())
        elif token == ")" and calls:
            calls.pop()
        elif len(token) > 1:
            token = token.replace(",", "")
        tokens.append("**" if token == "^" else token)
        position = match.end()
    if not tokens:
        raise ExpressionError("the expression is empty")
    return tokens


def _bounded(value: float) -> float:
    if isinstance(value, complex) or not abs(value) <= MAX_MAGNITUDE:
        raise ExpressionError("the value is too large or undefined")
    return float(value)


def _round(value: float, places: float = 0.0) -> float:
    if abs(places) > 30 or places != int(places):
        raise ExpressionError("round takes from -30 to 30 decimals")
    return float(to_places(value, int(places)))


def _libm(function: Callable[..., float]) -> Callable[..., float]:
    def rounded(*arguments: float) -> float:
        return significant(function(*arguments), _LIBM_DIGITS)

    return rounded


def _circular(function: Callable[[float], float]) -> Callable[[float], float]:
    # To decimals and not to digits: sin(pi) is 0, as it should be.
    return lambda angle: round(function(angle), 15)


# Each takes from `fewest` to `most` arguments: (function, fewest, most).
_FUNCTIONS: dict[str, tuple[Callable[..., float], int, int]] = {
    "sqrt": (math.sqrt, 1, 1),
    "abs": (abs, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "round": (_round, 1, 2),
    "min": (lambda *values: min(values), 1, MAX_LENGTH),
    "max": (lambda *values: max(values), 1, MAX_LENGTH),
    "exp": (_libm(math.exp), 1, 1),
    "ln": (_libm(math.log), 1, 1),
    "log": (_libm(math.log), 1, 2),
    "log10": (_libm(math.log10), 1, 1),
    "log2": (_libm(math.log2), 1, 1),
    "sin": (_circular(math.sin), 1, 1),
    "cos": (_circular(math.cos), 1, 1),
    "tan": (_circular(math.tan), 1, 1),
}


class _Parser:
    """Recursive descent: sum → product → unary → power → postfix → atom."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise ExpressionError(f"a '{token}' is missing")

    def expect_end(self) -> None:
        if self.peek():
            raise ExpressionError(f"'{self.peek()[:20]}' is not expected there")

    def sum(self, depth: int) -> float:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"an expression may nest at most {MAX_DEPTH} deep")
        value = self.product(depth)
        while self.peek() in ("+", "-"):
            operator, right = self.take(), self.product(depth)
            value = _bounded(value + right if operator == "+" else value - right)
        return value

    def product(self, depth: int) -> float:
        value = self.unary(depth)
        while self.peek() in ("*", "/", "//", "%"):
            operator, right = self.take(), self.unary(depth)
            if operator == "*":
                value = value * right
            elif operator == "/":
                value = value / right
            elif operator == "//":
                value = value // right
            else:
                value = value % right
            _bounded(value)
        return value

    def unary(self, depth: int) -> float:
        sign = self.sign()
        return sign * self.power(depth)

    def sign(self) -> float:
        sign = 1.0
        while self.peek() in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        return sign

    def power(self, depth: int) -> float:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"an expression may nest at most {MAX_DEPTH} deep")
        base = self.postfix(depth)
        if self.peek() != "**":
            return base
        self.take()
        exponent = self.sign() * self.power(depth + 1)
        return significant(_bounded(base**exponent), _LIBM_DIGITS)

    def postfix(self, depth: int) -> float:
        value = self.atom(depth)
        while self.peek() == "!":
            self.take()
            if not 0 <= value <= 100 or value != int(value):
                raise ExpressionError("a factorial takes a whole number from 0 to 100")
            value = float(math.factorial(int(value)))
        return value

    def atom(self, depth: int) -> float:
        token = self.take()
        if token == "(":
            value = self.sum(depth + 1)
            self.expect(")")
            return value
        if token[:1].isdigit() or token[:1] == ".":
            return _bounded(float(token))
        if token.lower() in _CONSTANTS:
            return _CONSTANTS[token.lower()]
        if token.lower() in _FUNCTIONS:
            return self.call(token.lower(), depth)
        if not token:
            raise ExpressionError("the expression ends too early")
        raise ExpressionError(f"'{token[:20]}' is not arithmetic")

    def call(self, name: str, depth: int) -> float:
        self.expect("(")
        arguments = [self.sum(depth + 1)]
        while self.peek() == ",":
            self.take()
            arguments.append(self.sum(depth + 1))
        self.expect(")")
        function, fewest, most = _FUNCTIONS[name]
        if not fewest <= len(arguments) <= most:
            raise ExpressionError(f"{name} does not take {len(arguments)} arguments")
        try:
            return _bounded(function(*arguments))
        except ValueError as error:
            if isinstance(error, ExpressionError):
                raise
            raise ExpressionError(f"{name} is not defined for that") from None
