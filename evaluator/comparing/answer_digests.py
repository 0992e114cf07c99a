"""What one model answered, as digests: known again however it is written, ordered or named.

Order, whitespace, names, times and costs say nothing about an answer, so they are not looked at.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluator.traces.trace import Trace

_DIGITS = 16


@dataclass(frozen=True)
class Answers:
    """What one model answered."""

    calls: str = ""
    """Digest of the calls on every task; empty where none was made."""
    sent: tuple[str, ...] = ()
    """A digest for each row that holds what the provider sent."""


def answers_of(traces: Iterable[Trace]) -> Answers:
    """The answers of one model's traces."""
    rows = sorted(traces, key=lambda trace: (trace.task_id, trace.sample))
    calls = [
        [row.task_id, row.sample, sorted(_digest([c.name, c.arguments]) for c in row.calls)]
        for row in rows
    ]
    sent = (
        _digest([row.task_id, row.response, row.extra.get("messages"), row.usage])
        for row in rows
        if row.response or row.extra.get("messages")
    )
    return Answers(_digest(calls) if any(row.calls for row in rows) else "", tuple(sent))


def _digest(value: Any) -> str:
    text = json.dumps(_plain(value), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    """A JSON value without what can be changed and means the same: blanks, capitals, 1.0 for 1."""
    if isinstance(value, str):
        return "".join(value.split()).casefold()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {_plain(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
