"""Result files of the Berkeley Function Calling Leaderboard (BFCL 4, `*_result.json`): JSON lines.

``result`` is the answer of a single turn (a list of ``{name: arguments}``, or the model's text), or for
several turns a list of turns of such steps. Token counts and latency (seconds) have the same nesting.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.converting.conversation import (
    Conversation,
    Event,
    Prompt,
    Reply,
    Result,
    Unreadable,
    WrittenCall,
    milliseconds,
    text_of,
    token_counts,
)
from evaluator.converting.exchange import Exchange
from evaluator.converting.failures import failure
from evaluator.traces.trace_fields import kind

_FAILED = "Error during inference"


def fits(exchange: Exchange) -> bool:
    """Whether an entry has an id and a result, and beside them what this benchmark counts."""
    entry = exchange.entry
    return (
        {"id", "result"} <= entry.keys()
        and isinstance(entry["result"], str | list)
        and not {"input_token_count", "latency", "inference_log", "traceback"}.isdisjoint(entry)
    )


def read(exchange: Exchange) -> list[Conversation]:
    """The one conversation of an entry."""
    entry = exchange.entry
    result = entry.get("result")
    error = None
    events: list[Event]
    if isinstance(result, str) and (result.startswith(_FAILED) or "traceback" in entry):
        events, error = [], failure(result)
    elif turns := _several_turns(result):
        events = [*_turns(turns, entry.get("inference_log"))]
    else:
        events = [_reply(result, "result")]
    latency = _total(entry.get("latency"))
    return [
        Conversation(
            tuple(events),
            labels=(entry,),
            usage=token_counts(
                _total(entry.get("input_token_count")), _total(entry.get("output_token_count"))
            ),
            latency_ms=milliseconds(latency, 1000),
            error=error,
        )
    ]


def _several_turns(result: Any) -> list[list[Any]]:
    """The turns of a result of several; nothing of a single one."""
    has_turns = isinstance(result, list) and all(isinstance(turn, list) for turn in result)
    return result if has_turns else []


def _turns(turns: list[list[Any]], log: Any) -> Iterator[Event]:
    """The steps of all turns, with what the log (where there is one) says of prompts and results."""
    logs = log if isinstance(log, list) else []
    logged = [turn for turn in logs if isinstance(turn, dict) and "begin_of_turn_query" in turn]
    for number, steps in enumerate(turns):
        told = logged[number] if number < len(logged) else {}
        for message in _dicts(told.get("begin_of_turn_query")):
            if message.get("role") == "user":
                yield Prompt(text_of(message.get("content")))
        for place, step in enumerate(steps):
            yield _reply(step, f"result[{number}][{place}]")
            for message in _dicts(told.get(f"step_{place}")):
                if message.get("role") == "tool":
                    yield Result(message.get("content"))


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _reply(step: Any, where: str) -> Reply:
    if step is None or isinstance(step, str):
        return Reply(text=step or "")
    if not isinstance(step, list):
        raise Unreadable(f"{where}: expected a list of calls or text, got {kind(step)}")
    calls = []
    for position, call in enumerate(step):
        if isinstance(call, str):
            return Reply(text="\n".join(text for text in step if isinstance(text, str)))
        if not isinstance(call, dict) or len(call) != 1:
            raise Unreadable(f'{where}[{position}]: expected {{"name": arguments}}')
        ((name, arguments),) = call.items()
        calls.append(WrittenCall(name, arguments))
    return Reply(tuple(calls))


def _total(value: Any) -> Any:
    """A number, or the sum of nested ones; None where anything else stands."""
    if isinstance(value, list):
        parts = [_total(part) for part in value]
        return None if None in parts else sum(parts)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
