"""Where the calls of a trace row stand: in ``calls``, or in what an OpenAI client gave.

One that has ``calls`` is read from there, whatever stands beside them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.traces.trace_fields import kind

READ_FROM = ("calls", "messages", "tool_calls", "message", "response")
"""The fields that hold calls; of several in one row the first counts."""

Entry = tuple[str, Any]
"""Where a call stands in its row, and what stands there; it has name and arguments if it is one."""
_NOTHING = (
    "calls: expected a list of calls, got null; OpenAI's messages and tool_calls are read as well"
)
_FUNCTION = '{"function": {"name", "arguments"}}'


def find_calls(row: Mapping[str, Any], problems: list[str]) -> tuple[str, list[Entry]]:
    """The field that a row's calls are read from, and its calls; adds to ``problems`` what is none."""
    field = next((name for name in READ_FROM if name in row and _may_hold(name, row[name])), "")
    value = row.get(field)
    if not field:
        problems.append(_NOTHING)
        return "calls", []
    if field == "tool_calls":
        return field, list(_of_message({field: value}, "", None, problems))
    if field == "message":
        return field, list(_of_reply(value, field, problems))
    if field == "response" and isinstance(value, dict):
        return field, _of_response(value, problems)
    if not isinstance(value, list):
        problems.append(f"{field}: expected a list of calls, got {kind(value)}")
        return field, []
    if field == "calls":
        return field, [(f"calls[{number}]", entry) for number, entry in enumerate(value)]
    return field, _of_conversation(value, field, problems)


def _may_hold(field: str, value: Any) -> bool:
    """Whether a field can be meant for calls: a log's ``message`` or ``response`` is often text."""
    return field not in ("message", "response") or isinstance(value, dict | list)


def _of_response(response: Mapping[str, Any], problems: list[str]) -> list[Entry]:
    """The calls of a chat completion, or of the one message in its place."""
    if "choices" not in response:
        return list(_of_reply(response, "response", problems))
    choices = response["choices"]
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        problems.append("response.choices: expected one choice, since a row is one answer")
        return []
    return list(_of_reply(choices[0].get("message"), "response.choices[0].message", problems))


def _of_reply(message: Any, where: str, problems: list[str]) -> Iterator[Entry]:
    """The calls of the one message that a model answered with."""
    known = ("tool_calls", "function_call", "content")
    if not isinstance(message, dict) or not any(name in message for name in known):
        problems.append(f"{where}: expected an assistant's message with tool_calls")
    elif message.get("role", "assistant") != "assistant":
        problems.append(f"{where}.role: expected assistant")
    else:
        yield from _of_message(message, f"{where}.", 0, problems)


def _of_conversation(messages: list[Any], where: str, problems: list[str]) -> list[Entry]:
    """The calls of the assistant's messages, each a turn."""
    entries: list[Entry] = []
    turn = 0
    for position, message in enumerate(messages):
        place = f"{where}[{position}]"
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            problems.append(f"{place}: expected an object with a role")
        elif message["role"] == "assistant":
            entries += _of_message(message, f"{place}.", turn, problems)
            turn += 1
    return entries


def _of_message(
    message: Mapping[str, Any], place: str, turn: int | None, problems: list[str]
) -> Iterator[Entry]:
    """The calls of a message in OpenAI's chat form; ``place``: what stands before its fields' names."""
    legacy = message.get("function_call")
    calls = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
    if not isinstance(calls, list):
        problems.append(f"{place}tool_calls: expected a list, got {kind(calls)}")
        return
    for number, call in enumerate(calls):
        where = f"{place}tool_calls[{number}]"
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            told = {name: function[name] for name in ("name", "arguments") if name in function}
            yield f"{where}.function", told | ({} if turn is None else {"turn": turn})
        else:
            problems.append(f"{where}: expected {_FUNCTION}")
