"""What each field of a trace row must be. A check gives what is wrong with a value, or nothing."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from dataset_builder.tools import catalogue
from evaluator.traces.error_kinds import INFRASTRUCTURE_ERRORS, MODEL_ERRORS
from evaluator.traces.model_name import name_problem
from evaluator.traces.protocols import (
    CALLS,
    ENDPOINTS,
    MAX_SAMPLES,
    PROMPT_VERSIONS,
    PROTOCOLS,
    WORDINGS,
    canonical_catalogue,
)
from evaluator.traces.variations import variation_problem

_MAX_LABEL = 200
# Far beyond anything that is measured, and small enough that sums stay exact.
MAX_COUNT = 2**31
MAX_LATENCY_MS = 10**9
MAX_COST_USD = 10**6
_MAX_NUMBER = 10**15


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
    size = len(catalogue())
    try:
        if isinstance(text, str):
            canonical_catalogue(text, size)
            return ""
    except ValueError:
        pass
    return f"expected full, task or a number of tools, at most {size}, got {_short(value)}"


def is_count(value: Any) -> bool:
    """Whether a value is a whole number that a row may hold."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_COUNT


def is_amount(value: Any, most: int) -> bool:
    """Whether a value is a number from 0 to ``most``."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _whole(value: Any) -> str:
    return "" if is_count(value) else f"expected a whole number from 0, got {_short(value)}"


def _sample(value: Any) -> str:
    if is_count(value) and value < MAX_SAMPLES:
        return ""
    return f"expected a whole number from 0 to {MAX_SAMPLES - 1}, got {_short(value)}"


def _amount(most: int) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if is_amount(value, most):
            return ""
        return f"expected a number from 0 to {most:,}, got {_short(value)}"

    return check


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else f"expected an object, got {kind(value)}"


def _usage(value: Any) -> str:
    """Every count of tokens is a whole number, and no other number is out of all range."""
    if not isinstance(value, dict):
        return _object(value)
    pending = list(value.items())
    for name, inner in pending:
        if isinstance(inner, dict):
            pending += inner.items()
        elif isinstance(inner, list):
            pending += ((name, item) for item in inner)
        elif name.endswith("_tokens") and inner is not None and not is_count(inner):
            return f"{_short(name)}: {_whole(inner)}"
        elif isinstance(inner, int | float) and abs(inner) > _MAX_NUMBER:
            return f"{_short(name)}: the number {_short(inner)} is out of range"
    return ""


def _failure(value: Any) -> str:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return 'expected an object such as {"kind": "rate_limit", "message": "…"}'
    # A kind that nobody knows could hide a model's answers behind a failure that is not its own.
    known = sorted(MODEL_ERRORS | INFRASTRUCTURE_ERRORS)
    if value["kind"] in known:
        return ""
    return f"expected one of the kinds {', '.join(known)}, got {_short(value['kind'])}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


LABELS = ("model", "protocol", "catalogue", "suite", "provider", "started_at")
CHECKS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("task_id", *LABELS), _label),
    "model": name_problem,
    "protocol": _protocol,
    "catalogue": _catalogue,
    "sample": _sample,
    "usage": _usage,
    "latency_ms": _amount(MAX_LATENCY_MS),
    "cost_usd": _amount(MAX_COST_USD),
    "error": _failure,
}


def asked_problem(asked: Any, protocol: Any) -> str:
    """What is wrong with ``asked`` (how a row was asked), or nothing: a signature is made of it.

    Known words and versions only, so that nobody opens a ranking of their own with another.
    """
    if asked is None:
        return ""
    if not isinstance(asked, dict):
        return f": expected an object, got {kind(asked)}"
    for name, known in (("calls", CALLS), ("wording", WORDINGS), ("endpoint", ENDPOINTS)):
        value = asked.get(name)
        if value is not None and value not in known:
            return f".{name}: expected {' or '.join(known)}, got {_short(value)}"
    if problem := variation_problem(asked, protocol):
        return problem
    version = asked.get("prompt_version")
    if version is None:
        return ""
    if protocol not in PROTOCOLS:
        return ".prompt_version: expected the protocol beside it"
    current = PROMPT_VERSIONS[protocol]
    if is_count(version) and 1 <= version <= current:
        return ""
    return f".prompt_version: expected 1 to {current} of {protocol}, got {_short(version)}"


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
    return f".turn: {problem}" if turn is not None and (problem := _whole(turn)) else ""
