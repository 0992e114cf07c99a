"""What each field of a trace row must be. A check gives what is wrong with a value, or nothing."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from evaluator.protocol import PROTOCOLS, catalogue_size

_MAX_LABEL = 200


def kind(value: Any) -> str:
    """What a JSON value is, in a word for messages."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    names = ((str, "text"), (list, "a list"), (dict, "an object"))
    return next((name for type_, name in names if isinstance(value, type_)), "a number")


def _label(value: Any) -> str:
    """What is wrong with a short text that is shown to people, or nothing."""
    if not isinstance(value, str):
        return f"expected text, got {kind(value)}"
    if not value or len(value) > _MAX_LABEL or not value.isprintable():
        return f"expected 1 to {_MAX_LABEL} printable characters"
    return ""


def _protocol(value: Any) -> str:
    return "" if value in PROTOCOLS else f"expected {' or '.join(PROTOCOLS)}, got {_short(value)}"


def _catalogue(value: Any) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    try:
        if isinstance(text, str):
            catalogue_size(text)
            return ""
    except ValueError:
        pass
    return f"expected full, task or a number of tools, got {_short(value)}"


def _whole(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        return f"expected a whole number from 0, got {_short(value)}"
    return ""


def _amount(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return f"expected a number from 0, got {_short(value)}"
    return ""


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else f"expected an object, got {kind(value)}"


def _failure(value: Any) -> str:
    if isinstance(value, dict) and isinstance(value.get("kind"), str):
        return ""
    return 'expected an object such as {"kind": "rate_limit", "message": "…"}'


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


LABELS = ("model", "protocol", "catalogue", "suite", "provider", "started_at")
CHECKS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("task_id", *LABELS), _label),
    "protocol": _protocol,
    "catalogue": _catalogue,
    "sample": _whole,
    "usage": _object,
    "latency_ms": _amount,
    "cost_usd": _amount,
    "error": _failure,
}


def call_problem(entry: Any) -> str:
    """What is wrong with an entry of ``calls``, or nothing."""
    if not isinstance(entry, dict):
        return f": expected an object with name and arguments, got {kind(entry)}"
    if not isinstance(entry.get("name"), str):
        return f".name: expected text, got {kind(entry.get('name'))}"
    if "arguments" not in entry:
        return ".arguments: expected an object, got nothing"
    arguments = entry["arguments"]
    if arguments is not None and not isinstance(arguments, dict | str):
        return f".arguments: expected an object or its JSON text, got {kind(arguments)}"
    turn = entry.get("turn")
    return f".turn: {said}" if turn is not None and (said := _whole(turn)) else ""
