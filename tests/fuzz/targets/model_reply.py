"""What a model says: any text and any message has calls that a trace can hold."""

import json
from collections.abc import Iterator

from evaluator.asking.parse import Answer, read_message, read_text
from evaluator.traces.trace import MAX_CALLS, Call, Trace
from tests.fuzz.checks import is_read_back, json_of, settled

OFFERED = frozenset({"get_weather", "calculator", "send_email"})
_CALL = '{"name": "get_weather", "arguments": {"city": "Berlin"}}'
_TEXTS = (
    *(
        _CALL,
        f"[{_CALL}, {_CALL}]",
        f"<tool_call>\n{_CALL}\n</tool_call>",
        f"```json\n{_CALL}\n```",
    ),
    *('{"calculator": {"expression": "1+1"}}', "[get_weather(city='Berlin'), calculator(x=-1.5)]"),
    '<function=calculator>{"expression": "2"}</function>',
    "<function=send_email><parameter=to>a@b.c</parameter><parameter=n>[1]</parameter></function>",
    '[TOOL_CALLS]get_weather[CALL_ID]x1[ARGS]{"city": "Oslo"}[TOOL_CALLS]calculator{"a": 1}</s>',
    f"<|python_tag|>{_CALL}; {_CALL}<|eom_id|>",
    f"<think>maybe {_CALL}</think>I call functions.get_weather: {_CALL}. Done.",
    '{"tool_calls": [{"function": {"name": "calculator", "arguments": "{\\"expression\\": \\"1\\"}"}}]}',
    '{"name": "get_weather", "parameters": {"city": "Ber',
)


def seeds() -> Iterator[bytes]:
    """Calls in every shape that is read, as texts, and messages with them."""
    for text in _TEXTS:
        yield text.encode()
    function = {"name": "get_weather", "arguments": '"{\\"city\\": \\"Rome\\"}"'}
    messages = (
        {"tool_calls": [{"id": "1", "type": "function", "function": function}, {"function": None}]},
        {"function_call": function},
        {"content": [{"type": "text", "text": _TEXTS[0]}, {"type": "image"}]},
    )
    yield from (json.dumps({"role": "assistant", **message}).encode() for message in messages)


def check(data: bytes) -> None:
    """The calls of an input as a text, and as a message where it is one."""
    text = data.decode(errors="replace")
    _check(settled(lambda: read_text(text, OFFERED)))
    message = json_of(data)
    if isinstance(message, dict):
        _check(settled(lambda: read_message(message, OFFERED)))


def _check(answer: Answer) -> None:
    assert (answer.shape == "none") == (not answer.calls)
    assert len(answer.calls) <= MAX_CALLS
    calls = tuple(Call(name, arguments) for name, arguments in answer.calls)
    assert all(isinstance(call.arguments, dict | str) for call in calls), answer
    # What is no call may be an object all the same: a file gives it back as one.
    written = Trace.from_row(Trace("L0_node_0001", calls).to_row())
    assert is_read_back(written), answer
