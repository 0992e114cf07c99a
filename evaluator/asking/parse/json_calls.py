"""Calls that a text gives as JSON, and what should have been one."""

import json
import re
from collections.abc import Container, Iterator
from typing import Any

from evaluator.asking.request_reply import compact
from evaluator.traces.strict_json import mended
from evaluator.traces.trace import parse_arguments

Call = tuple[str, Any]
"""A tool's name and its arguments: an object, or the text that should have been one."""

_MAX_STARTS = 50
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_NAME_KEYS = ("name", "tool_name", "tool", "function")
_NAMED = re.compile(r'"(?:name|tool_name|tool|function)"\s*:\s*"([^"\\]{1,80})"')
_START = re.compile(r'[\[{]\s*(?=[{"])')

NOT_JSON = object()


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def json_value(text: str) -> Any:
    """The value of a text that is JSON and nothing else; `NOT_JSON` for any other."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return NOT_JSON


def json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at ``start``, and where it ends; `NOT_JSON` where none does."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return NOT_JSON, start


def read_arguments(value: Any) -> Any:
    """A call's arguments as an object; what is none comes back as the model gave it."""
    if value is None or value == "null":
        return {}
    value = mended(value)
    text = value if isinstance(value, str) else compact(value)
    arguments = parse_arguments(text)
    if isinstance(arguments, str) and isinstance(twice := json_value(arguments), str):
        # Some servers encode the arguments twice.
        inner = parse_arguments(mended(twice))
        return inner if isinstance(inner, dict) else arguments
    return arguments


def sequence(text: str) -> list[Any] | None:
    """JSON values apart by white space, commas or semicolons; None where anything else stands."""
    values: list[Any] = []
    position = 0
    while True:
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1
        if position == len(text):
            return values
        value, position = json_at(text, position)
        if value is NOT_JSON:
            return None
        values.append(value)


def calls_of(value: Any, offered: Container[str]) -> list[Call] | None:
    """The calls that a JSON value is, alone, in a list or under a key; None where it is none."""
    if isinstance(value, list):
        calls: list[Call] = []
        for item in value:
            call = _call_of(item, offered)
            if call is None:
                return None
            calls.append(call)
        return calls or None
    if isinstance(value, dict):
        for key in ("calls", "tool_calls"):
            if isinstance(value.get(key), list):
                return calls_of(value[key], offered)
    call = _call_of(value, offered)
    return None if call is None else [call]


def _call_of(value: Any, offered: Container[str]) -> Call | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    if name is not None:
        name = cleaned(name, offered)
        given = [value[key] for key in _ARGUMENT_KEYS if key in value]
        if given or name in offered:
            return name, read_arguments(given[0]) if given else {}
    if len(value) == 1:
        (name, arguments), *_ = value.items()
        if name in offered and isinstance(arguments, dict):
            return name, read_arguments(arguments)
    return None


def cleaned(name: str, offered: Container[str]) -> str:
    """The name, without a namespace that no offered tool has."""
    name = mended(name).strip()
    short = name.rpartition(".")[2]
    return short if name not in offered and short in offered else name


def looks_like_a_call(text: str, offered: Container[str]) -> bool:
    """Whether a text that does not parse was meant as a call."""
    named = _NAMED.search(text)
    if named is None:
        return False
    return named[1] in offered or any(f'"{key}"' in text for key in _ARGUMENT_KEYS)


def malformed(payload: str) -> Call:
    """What should have been a call, kept as written, under the name that it seems to bear."""
    named = _NAMED.search(payload)
    return named[1] if named else "", payload


def read_json(text: str, offered: Container[str]) -> list[Call]:
    """JSON and nothing else."""
    values = sequence(text) if text[:1] in ("[", "{") else None
    return [call for value in values or () for call in calls_of(value, offered) or ()]


def read_embedded(text: str, offered: Container[str]) -> list[Call]:
    """JSON calls in running text."""
    return list(_embedded(text, offered))


def _embedded(text: str, offered: Container[str]) -> Iterator[Call]:
    position = 0
    for _ in range(_MAX_STARTS):
        start = _START.search(text, position)
        if start is None:
            return
        value, end = json_at(text, start.start())
        calls = None if value is NOT_JSON else calls_of(value, offered)
        yield from calls or ()
        position = end if value is not NOT_JSON else start.end()
