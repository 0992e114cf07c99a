"""Formatting: numbers as text and back, rounding, percent-encoding (paper, Table 3)."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Annotated, Literal
from urllib.parse import quote

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.canonical import NUMBER_WORDS, fold
from dataset_builder.values.parameter_types import Integer, Name, Number, Said, Verbatim
from dataset_builder.values.rounding import EXACT, to_places

MAX_DECIMALS = 15
MAX_SPELLED = 10**15
MAX_WORDS_LENGTH = 500
MAX_READ = Decimal(10) ** 300

_ONES = NUMBER_WORDS[:20]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ONE_VALUE = {word: value for value, word in enumerate(_ONES)}
_TEN_VALUE = {word: 20 + 10 * i for i, word in enumerate(_TENS)}
_SCALE_VALUE = {word: 1000**i for i, word in enumerate(_SCALES) if word}
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_SIGN = re.compile(r"^(?:[-−]|minus |negative )")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


@tool("Formatting")
def format_number(
    number: Number,
    decimals: Integer = 2,
    style: Annotated[
        Literal["decimal", "percent", "scientific"],
        Said(
            decimal=("thousands separators", "thousands separator"),
            percent=("percentage", "as a percent"),
            scientific=("scientific notation", "exponential notation"),
        ),
    ] = "decimal",
) -> Output:
    """Write a number as text with thousands separators, as a percentage or in scientific notation.

    Args:
        number: The number; 0.25 is 25 percent.
        decimals: Digits after the point. Default 2.
        style: How to write it. Default decimal.

    Returns:
        text (string): the number as written
    """
    if not 0 <= decimals <= MAX_DECIMALS:
        raise ToolError(f"decimals must lie between 0 and {MAX_DECIMALS}")
    exact = Decimal(repr(number))
    if style == "scientific":
        rounded = to_places(exact, decimals - (exact.adjusted() if exact else 0))
        mantissa, _, exponent = f"{rounded:.{decimals}e}".partition("e")
        return {"text": f"{mantissa}e{int(exponent):+03}"}
    if style == "percent":
        return {"text": f"{to_places(EXACT.multiply(exact, Decimal(100)), decimals):,f}%"}
    return {"text": f"{to_places(exact, decimals):,f}"}


@tool("Formatting")
def number_to_text(number: Number) -> Output:
    """Spell a number out in English words, such as forty-two.

    Args:
        number: The number to spell out.

    Returns:
        text (string): the words
    """
    exact = Decimal(repr(number))
    if exact.copy_abs() >= MAX_SPELLED:
        raise ToolError("only numbers below a thousand trillion can be spelled out")
    whole, _, fraction = f"{exact.copy_abs():f}".partition(".")
    fraction = fraction.rstrip("0")
    if len(fraction) > MAX_DECIMALS:
        raise ToolError(f"at most {MAX_DECIMALS} decimals can be spelled out")
    words = ["minus"] if exact < 0 else []
    words.append(_spell(int(whole)))
    if fraction:
        words += ["point", *(_ONES[int(digit)] for digit in fraction)]
    return {"text": " ".join(words)}


@tool("Formatting")
def text_to_number(text: Name) -> Output:
    """Read a number written in English words, such as three hundred and five or 2.5 million.

    Args:
        text: The number in words.

    Returns:
        number (number): its value
    """
    if len(text) > MAX_WORDS_LENGTH:
        raise ToolError(f"at most {MAX_WORDS_LENGTH} characters are read")
    folded = fold(text)
    body = _SIGN.sub("", folded, count=1)
    words = [word.rstrip(",") for word in _HYPHEN.sub(" ", body).split()]
    if len(words) > 1 and words[0] == "a":
        words[0] = "one"
    # "and" is only a filler, but nothing begins or ends with it.
    inner = words[:1] + [word for word in words[1:-1] if word != "and"] + words[1:][-1:]
    value = _read_number(inner) if inner else None
    if value is None or value > MAX_READ:
        raise ToolError(f"'{text[:60]}' is no number in English words")
    return {"number": float(value if body == folded or not value else -value)}


@tool("Formatting")
def round_number(
    number: Number,
    decimals: Integer = 0,
    direction: Annotated[
        Literal["nearest", "up", "down"],
        Said(nearest=("to the nearest",), up=("rounded up",), down=("rounded down",)),
    ] = "nearest",
) -> Output:
    """Round a number to a count of decimals and keep it a number.

    Args:
        number: The number to round.
        decimals: Decimals to keep; -2 rounds to hundreds. Default 0.
        direction: nearest (halves away from zero), up or down. Default nearest.

    Returns:
        result (number): the rounded number
    """
    if not -MAX_DECIMALS <= decimals <= MAX_DECIMALS:
        raise ToolError(f"decimals must lie between -{MAX_DECIMALS} and {MAX_DECIMALS}")
    rounding = {"nearest": ROUND_HALF_UP, "up": ROUND_CEILING, "down": ROUND_FLOOR}[direction]
    return {"result": float(to_places(number, decimals, rounding))}


@tool("Formatting")
def encode_url(text: Verbatim) -> Output:
    """Percent-encode text for use inside a URL; a space becomes %20.

    Args:
        text: The text to encode.

    Returns:
        encoded (string): letters, digits and -._~ kept, all else as %XX of its UTF-8 bytes
    """
    return {"encoded": quote(text, safe="")}


def _spell(number: int) -> str:
    """English words of a whole number from 0 to 999 trillion."""
    if number < 1000:
        return _spell_group(number)
    words = []
    for scale in reversed(range(len(_SCALES))):
        group = number // 1000**scale % 1000
        if group:
            words.append(f"{_spell_group(group)} {_SCALES[scale]}".rstrip())
    return " ".join(words)


def _spell_group(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_ONES[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(_TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else ""))
    elif rest or not hundreds:
        words.append(_ONES[rest])
    return " ".join(words)


def _read_number(words: list[str]) -> Decimal | None:
    """The value of the words of a positive number; None where they make none."""
    scale = _SCALE_VALUE.get(words[-1], 1)
    value = _read_decimal(words[:-1] if scale > 1 else words)
    if value is not None:
        return EXACT.multiply(value, Decimal(scale))
    whole = _read_whole(words)
    return None if whole is None else Decimal(whole)


def _read_decimal(words: list[str]) -> Decimal | None:
    """The value of digits, or of words with a "point" among them."""
    if len(words) == 1 and _DIGITS.fullmatch(words[0]):
        return Decimal(words[0].replace(",", ""))
    if "point" not in words:
        return None
    point = words.index("point")
    whole = _read_whole(words[:point]) if point else 0
    digits = [_ONE_VALUE.get(word, 10) for word in words[point + 1 :]]
    if whole is None or not digits or max(digits) > 9:
        return None
    return Decimal(f"{whole}.{''.join(map(str, digits))}")


def _read_whole(words: list[str]) -> int | None:
    """The value of a whole number in words: groups of hundreds, each with a smaller scale."""
    total, group, last_scale = 0, list[str](), 10**15
    for word in words:
        scale = _SCALE_VALUE.get(word)
        if scale is None:
            group.append(word)
            continue
        value = _read_group(group)
        if not value or scale >= last_scale:
            return None
        total, group, last_scale = total + value * scale, [], scale
    if total and not group:
        return total
    value = _read_group(group)
    return None if value is None or (total and not value) else total + value


def _read_group(words: list[str]) -> int | None:
    """The value of a number below two thousand in words, such as "two hundred five"."""
    hundreds = 0
    if words[1:2] == ["hundred"]:
        hundreds = 100 * _ONE_VALUE.get(words[0], 0)
        if not hundreds or len(words) == 2:
            return hundreds or None
        words = words[2:]
    rest = _read_below_hundred(words)
    return None if rest is None or (hundreds and not rest) else hundreds + rest


def _read_below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _ONE_VALUE.get(words[0], _TEN_VALUE.get(words[0]))
    if len(words) == 2 and words[0] in _TEN_VALUE and 1 <= _ONE_VALUE.get(words[1], 0) <= 9:
        return _TEN_VALUE[words[0]] + _ONE_VALUE[words[1]]
    return None
