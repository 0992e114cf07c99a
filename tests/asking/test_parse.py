import json
import time
from typing import Any

import pytest

from evaluator.asking.parse import read_message, read_text, without_thinking
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.traces.strict_json import parse_json
from evaluator.traces.trace import MAX_CALLS, Call, Trace
from evaluator.traces.trace_log import trace_line

OFFERED = {"get_weather", "unit_convert"}
WEATHER = ("get_weather", {"city": "Paris"})
CONVERT = ("unit_convert", {"value": "{{1.t}}", "to": "f"})
W = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
C = '{"name": "unit_convert", "arguments": {"value": "{{1.t}}", "to": "f"}}'

# Shape, text, calls.
TEXTS: list[tuple[str, str, list[Any]]] = [
    ("none", "", []),
    ("none", "I cannot do that.", []),
    ("none", "The answer is (4) or [5].", []),
    ("none", '{"answer": 4}', []),
    ("none", '{"calls": []}', []),
    ("none", '```python\nprint("get_weather")\n```', []),
    ("json", f'{{"calls": [{W}, {C}]}}', [WEATHER, CONVERT]),
    ("json", f'{{"tool_calls": [{{"type": "function", "function": {W}}}]}}', [WEATHER]),
    ("json", W, [WEATHER]),
    ("json", f"{W}\n{C}", [WEATHER, CONVERT]),
    ("json", f"[{W}, {C}]", [WEATHER, CONVERT]),
    ("json", '{"name": "get_weather", "parameters": {"city": "Paris"}}', [WEATHER]),
    ("json", '{"tool": "get_weather", "input": {"city": "Paris"}}', [WEATHER]),
    ("json", '{"function": "get_weather", "args": {"city": "Paris"}}', [WEATHER]),
    ("json", '{"get_weather": {"city": "Paris"}}', [WEATHER]),
    ("json", '{"name": "functions.get_weather", "arguments": {"city": "Paris"}}', [WEATHER]),
    ("json", '{"name": "get_weather"}', [("get_weather", {})]),
    ("json", '{"name": "fly", "arguments": {}}', [("fly", {})]),
    ("fenced", f"Sure:\n```json\n{W}\n```\nand\n```\n{C}\n```", [WEATHER, CONVERT]),
    ("fenced", f"```json {W}```", [WEATHER]),
    ("fenced", '```tool_code\nget_weather(city="Paris")\n```', [WEATHER]),
    ("fenced", f"```sh\nls\n```\n```json\n[{W}]\n```", [WEATHER]),
    ("tool_call_tag", f"<tool_call>\n{W}\n</tool_call>", [WEATHER]),
    (
        "tool_call_tag",
        f"<tool_call>{W}</tool_call> <tool_call>{C}</tool_call>",
        [WEATHER, CONVERT],
    ),
    ("tool_call_tag", f"I call: <tool_call>{W}", [WEATHER]),
    ("tool_call_tag", f"<tool_calls>\n<tool_call>{W}</tool_call></tool_calls>", [WEATHER]),
    ("tool_call_tag", f"<function_call>{W}</function_call>", [WEATHER]),
    (
        "tool_call_tag",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n"
        "</tool_call>",
        [WEATHER],
    ),
    ("function_tag", '<function=get_weather>{"city": "Paris"}</function>', [WEATHER]),
    ("mistral", f"[TOOL_CALLS][{W}, {C}]</s>", [WEATHER, CONVERT]),
    (
        "mistral",
        '[TOOL_CALLS]get_weather[CALL_ID]ab1[ARGS]{"city": "Paris"}'
        '[TOOL_CALLS]unit_convert{"value": "{{1.t}}", "to": "f"}',
        [WEATHER, CONVERT],
    ),
    (
        "llama",
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; '
        f"{C}<|eom_id|>",
        [WEATHER, CONVERT],
    ),
    ("llama", '<|python_tag|>get_weather.call(city="Paris")', [WEATHER]),
    (
        "python",
        "[get_weather(city='Paris'), unit_convert(value='{{1.t}}', to='f')]",
        [WEATHER, CONVERT],
    ),
    ("python", 'get_weather(city="Paris")', [WEATHER]),
    (
        "python",
        "[fly(to=[1, -2.5], now=True, why=None)]",
        [("fly", {"to": [1, -2.5], "now": True, "why": None})],
    ),
    ("embedded_json", f"First {W}, then {C}.", [WEATHER, CONVERT]),
    ("json", f"<think>maybe {C}?</think>\n{W}", [WEATHER]),
    ("none", f"<think>I could {W}", []),
    # What does not parse is kept as it was written.
    (
        "tool_call_tag",
        '<tool_call>{"name": "get_weather", x}</tool_call>',
        [("get_weather", '{"name": "get_weather", x}')],
    ),
    ("tool_call_tag", "<tool_call>rain?</tool_call>", [("", "rain?")]),
    (
        "malformed",
        '{"name": "get_weather", "arguments": {"city"',
        [("get_weather", '{"name": "get_weather", "arguments": {"city"')],
    ),
    (
        "fenced",
        '```json\n{"name": "get_weather", "arguments": {"city": }}\n```',
        [("get_weather", '{"name": "get_weather", "arguments": {"city": }}')],
    ),
    ("json", '{"name": "get_weather", "arguments": "{oops"}', [("get_weather", "{oops")]),
    ("python", "get_weather('Paris')", [("get_weather", "get_weather('Paris')")]),
    ("function_tag", "<function=get_weather>{oops</function>", [("get_weather", "{oops")]),
    ("mistral", '[TOOL_CALLS]get_weather{"city": oops', [("get_weather", '{"city": oops')]),
]


@pytest.mark.parametrize(("shape", "text", "calls"), TEXTS)
def test_texts(shape: str, text: str, calls: list[Any]) -> None:
    answer = read_text(text, OFFERED)
    assert (answer.shape, list(answer.calls)) == (shape, calls)


def native(*calls: Any) -> dict[str, Any]:
    listed = [{"id": "1", "type": "function", "function": call} for call in calls]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def call(arguments: Any) -> dict[str, Any]:
    return {"name": "get_weather", "arguments": arguments}


MESSAGES: list[tuple[Any, str, list[Any]]] = [
    (None, "none", []),
    ({"role": "assistant", "content": None}, "none", []),
    ({"role": "assistant"}, "none", []),
    ({"role": "assistant", "content": [{"type": "text", "text": W}]}, "json", [WEATHER]),
    ({"role": "assistant", "content": 5}, "none", []),
    (native(call('{"city": "Paris"}')), "native", [WEATHER]),
    (native(call('{"city": "Paris"}'), call("{}")), "native", [WEATHER, ("get_weather", {})]),
    (native(call({"city": "Paris"})), "native", [WEATHER]),
    (native(call(json.dumps('{"city": "Paris"}'))), "native", [WEATHER]),
    (native(call("")), "native", [("get_weather", {})]),
    (native(call(None)), "native", [("get_weather", {})]),
    (native(call("null")), "native", [("get_weather", {})]),
    (native(call('{"city": "Par')), "native", [("get_weather", '{"city": "Par')]),
    (native(call("[1]")), "native", [("get_weather", "[1]")]),
    (native(call('{"a": NaN}')), "native", [("get_weather", '{"a": NaN}')]),
    (native({"arguments": "{}"}), "native", [("", {})]),
    ({"tool_calls": [None]}, "native", [("", "null")]),
    ({"tool_calls": [], "content": W}, "json", [WEATHER]),
    ({"function_call": call('{"city": "Paris"}')}, "function_call", [WEATHER]),
    (native(call("{}")) | {"content": W}, "native", [("get_weather", {})]),
]


@pytest.mark.parametrize(("message", "shape", "calls"), MESSAGES)
def test_messages(message: Any, shape: str, calls: list[Any]) -> None:
    answer = read_message(message, OFFERED)
    assert (answer.shape, list(answer.calls)) == (shape, calls)


THINKING = {
    "a": "a",
    "<think>x</think>a": "a",
    "a<thinking>x</thinking>b": "ab",
    "x</think>a": "a",
    "a<think>x": "a",
    "<think>x<think>y</think>a": "a",
    "<THINK>x</THINK>a": "a",
}


@pytest.mark.parametrize("text", THINKING)
def test_thinking_is_no_answer(text: str) -> None:
    assert without_thinking(text) == THINKING[text]


def test_arguments_that_no_file_could_hold_stay_text() -> None:
    deep = "[" * 50 + "]" * 50
    assert read_arguments(f'{{"a": {deep}}}') == f'{{"a": {deep}}}'
    assert read_arguments('{"a": 1e999}') == '{"a": 1e999}'
    assert read_arguments({"a": float("inf")}) == '{"a":Infinity}'
    assert read_arguments('{"a": "\\ud800"}') == {"a": "�"}


_HALF = {"name": "fly\ud800", "arguments": {"city": "\udc00", "\ud800": [1]}}
_CITY = '{"city": "\ud800"}'


@pytest.mark.parametrize(
    "message",
    [
        {"content": json.dumps(_HALF)},
        {"content": json.dumps(_HALF, ensure_ascii=False)},
        {"content": "<tool_call>[\ud800"},
        {"content": 'get_weather(city="\\ud800")'},
        {"tool_calls": [{"function": _HALF}]},
        {"tool_calls": [{"function": {"name": "get_weather", "arguments": _CITY}}]},
        {"tool_calls": [{"function": {"name": "get_weather", "arguments": json.dumps(_CITY)}}]},
        {"tool_calls": [{"function": {"name": "get_weather", "arguments": "\ud800"}}]},
        {"tool_calls": ["\ud800"]},
    ],
)
def test_half_a_surrogate_pair_is_read_as_a_file_gives_it_back(message: dict[str, Any]) -> None:
    # Else a call would be executed with another text than its row is scored with.
    answer = read_message(message, OFFERED)
    assert answer.calls
    trace = Trace("L0_node_0001", tuple(Call(*call) for call in answer.calls))
    assert Trace.from_row(parse_json(trace_line(trace).decode())) == trace


HOSTILE = [
    "<tool_call>" * 20_000,
    "[" * 200_000,
    "<think>" * 30_000,
    '{"' * 100_000,
    "[{" * 100_000,
    "```" * 60_000,
    "-" * 19_000 + "f()",
    "f(" * 9_000,
    "f(a=" + "not " * 4_000 + "1)",
    "<function=a>" * 15_000,
    "[TOOL_CALLS]" + "a{}" * 60_000,
    "x" + " " * 190_000 + "y",
    ("[" + " " * 1_000) * 200,
    "f(a=" + "1+" * 9_000 + "1)",
    "f(a=1" + "0" * 19_000 + ")",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_read_in_bounded_time(text: str) -> None:
    # CPU time, and far above what it takes: what is quadratic here would take minutes.
    began = time.process_time()
    answer = read_text(text, OFFERED)
    assert time.process_time() - began < 10
    assert len(answer.calls) <= MAX_CALLS
