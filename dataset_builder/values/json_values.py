"""JSON values as tools are given them: read, bounded in size and depth, and refused in a sentence.

What no kind of parameter knows better stands here; `kinds` builds on it.
"""

import json
import math
from typing import Any

MAX_CHARACTERS = 100_000
MAX_ITEMS = 10_000
MAX_DEPTH = 16
# What each value of a JSON tree costs beside its characters, so that 25,000 values are accepted.
_NODE_COST = 4
_LARGEST = 10**300


class ArgumentError(ValueError):
    """A value is not of the kind that it should be; the message says what was expected."""


def check_text(value: str) -> None:
    """Refuse text that is too long to work on or that no encoding can carry."""
    if len(value) > MAX_CHARACTERS:
        raise ArgumentError(f"at most {MAX_CHARACTERS:,} characters are accepted")
    if value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ArgumentError("the text holds half of a surrogate pair") from None


def read_number(value: Any) -> int | float:
    """A finite number, or the one that a text writes; ArgumentError otherwise."""
    if isinstance(value, str):
        value = json_or_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ArgumentError(f"expected a number, got {json_type_in_words(value)}")
    if (isinstance(value, int) and abs(value) > _LARGEST) or not math.isfinite(value):
        raise ArgumentError("the number is out of range")
    return value


def read_integer(value: Any) -> int:
    """A whole number within ± 2**63 (3.0 is 3), or the one that a text writes; ArgumentError otherwise."""
    value = read_number(value)
    if value != int(value) or abs(value) > 2**63:
        raise ArgumentError("expected a whole number")
    return int(value)


def read_boolean(value: Any) -> bool:
    """True or false, or the one that a text names; ArgumentError otherwise."""
    if isinstance(value, str):
        value = {"true": True, "false": False}.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise ArgumentError(f"expected true or false, got {json_type_in_words(value)}")
    return value


def read_object(value: Any) -> dict[str, Any]:
    """A JSON object within bounds, or the one that a text writes; ArgumentError otherwise."""
    if isinstance(value, str):
        value = json_or_text(value)
    if not isinstance(value, dict):
        raise ArgumentError(f"expected an object, got {json_type_in_words(value)}")
    check_tree(value)
    return value


def check_tree(value: Any) -> None:
    """Bound a JSON value's depth, size and numbers, without recursion."""
    level, depth, budget = [value], 0, MAX_CHARACTERS
    while level:
        below: list[Any] = []
        for node in level:
            budget -= _NODE_COST
            # JSON has no subclasses, and to ask for the type itself is several times faster.
            sort = type(node)
            if sort is str:
                if len(node) > MAX_CHARACTERS or not node.isascii():
                    check_text(node)
                budget -= len(node)
            elif sort is dict or sort is list:
                if depth >= MAX_DEPTH:
                    raise ArgumentError(f"at most {MAX_DEPTH} levels of nesting are accepted")
                if len(node) > budget:
                    raise ArgumentError("the value is too large")
                below.extend(node)
                if sort is dict:
                    below.extend(node.values())
            elif sort is int or sort is float:
                read_number(node)
            elif node is not None and sort is not bool:
                raise ArgumentError("expected a JSON value")
            if budget < 0:
                raise ArgumentError("the value is too large")
        level, depth = below, depth + 1


def json_or_text(text: str) -> Any:
    """The JSON value of a text, or the text itself where it is no JSON."""
    if len(text) > MAX_CHARACTERS:
        raise ArgumentError(f"at most {MAX_CHARACTERS:,} characters are accepted")
    depth = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if depth > 4 * MAX_DEPTH:
            # Found here and not by the parser, whose own limit differs between machines.
            raise ArgumentError(f"at most {MAX_DEPTH} levels of nesting are accepted")
    try:
        return json.loads(text)
    except ValueError:
        return text


def json_type_in_words(value: Any) -> str:
    """``a number``, ``a list`` …, as an error says what it got."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list"}
    return names.get(type(value), "an object")
