"""JSON that strangers wrote: read strictly, with bounds on depth and on numbers."""

import json
import math
from typing import Any

MAX_DEPTH = 32
_CODE_UNITS_ALONE = range(0xD800, 0xE000)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is out of range")
    return value


def _integer(text: str) -> int:
    if len(text) > 300:
        raise ValueError(f"the number {text[:20]}... is out of range")
    return int(text)


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON value")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_int=_integer, parse_constant=_no_constant)


def parse_json(text: str, depth: int = MAX_DEPTH) -> Any:
    """The value of a JSON text; ValueError that says what is wrong with it.

    Refuses NaN, infinite numbers and more than ``depth`` levels. Half of a surrogate pair, which no
    file can carry, becomes U+FFFD.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        # Some of its messages end with the word themselves.
        message = error.msg.lower().removesuffix(" at")
        raise ValueError(f"is no JSON ({message} at character {error.pos + 1})") from None
    except RecursionError:
        raise ValueError(f"is nested beyond {depth} levels") from None
    if is_deeper(value, depth):
        raise ValueError(f"is nested beyond {depth} levels")
    return mended(value) if "\\u" in text else value


def is_deeper(value: Any, depth: int) -> bool:
    """Whether lists and objects nest in more than ``depth`` levels."""
    level = [value]
    while level:
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        depth -= 1
        if level and depth <= 0:
            return True
    return False


def mended(value: Any) -> Any:
    """A JSON value with U+FFFD in place of each half of a surrogate pair, as a file gives it back."""
    if isinstance(value, str):
        if value.isascii() or not any(ord(character) in _CODE_UNITS_ALONE for character in value):
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {mended(key): mended(item) for key, item in value.items()}
    return [mended(item) for item in value] if isinstance(value, list) else value
