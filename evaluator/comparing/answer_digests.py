"""What one model answered, as digests: known again however it is written, ordered or named.

Order, whitespace, names, times and costs say nothing about an answer, so they are not looked at.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
    traceable: tuple[str, ...] = ()
    """Those of them with an id that stands in no other row: no provider sends such a message twice."""


def read_answers(value: Mapping[str, Any]) -> Answers:
    """Answers as a cache keeps them; KeyError or TypeError where they are none."""
    sent, traceable = (tuple(map(str, value[name])) for name in ("sent", "traceable"))
    return Answers(str(value["calls"]), sent, traceable)


def answers_of(traces: Iterable[Trace]) -> Answers:
    """The answers of one model's traces."""
    rows = sorted(traces, key=lambda trace: (trace.task_id, trace.sample))
    calls = [
        [row.task_id, row.sample, sorted(_digest([c.name, c.arguments]) for c in row.calls)]
        for row in rows
    ]
    messages = [
        (row, [row.response, row.extra.get("messages")])
        for row in rows
        if row.response or row.extra.get("messages")
    ]
    sent = tuple(_digest([row.task_id, *raw, row.usage]) for row, raw in messages)
    ids = [set(_ids(raw)) for _, raw in messages]
    rows_with = Counter(each for in_row in ids for each in in_row)
    traceable = tuple(
        digest
        for digest, in_row in zip(sent, ids, strict=True)
        if any(rows_with[each] == 1 for each in in_row)
    )
    return Answers(_digest(calls) if any(row.calls for row in rows) else "", sent, traceable)


def _ids(value: Any) -> Iterator[str]:
    """What a message and its calls are known by to who sent them."""
    if isinstance(value, dict):
        yield from (
            text for name in ("id", "tool_call_id") if isinstance(text := value.get(name), str)
        )
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _ids(inner)


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
