"""Calls between the markers that chat templates and habits put around them."""

import re
from collections.abc import Container
from typing import Any

from evaluator.asking.parse.json_calls import (
    NOT_JSON,
    Call,
    calls_of,
    cleaned,
    json_at,
    json_value,
    looks_like_a_call,
    malformed,
    read_arguments,
    read_json,
    sequence,
)
from evaluator.asking.parse.python_calls import python_calls
from evaluator.traces.trace import MAX_CALLS

_LANGUAGE = re.compile(r"(?:[\w+-]*[ \t]*\n|(?:json|python|tool_\w+)\b)")
_TAG = re.compile(r"<(tool_calls?|function_calls?|tool_code)>")
_SPACE = re.compile(r"\s*")
_FUNCTION = re.compile(r"<function=([^<>\s]{1,80})>")
_PARAMETER = re.compile(r"<parameter=([^<>\s]{1,80})>")
_MISTRAL_NAME = re.compile(
    r"\s*([\w.-]{1,80})\s*(?:\[CALL_ID\][^\[{]{0,80})?(?:\[ARGS\])?\s*(?=\{)"
)


def _payload(text: str, offered: Container[str]) -> list[Call]:
    """What stands between markers that announce calls: JSON, Python or, failing both, malformed."""
    values = sequence(text)
    if values is not None:
        calls = [call for value in values for call in calls_of(value, offered) or ()]
        if calls or not values:
            return calls
    return python_calls(text, offered) or [malformed(text)]


def read_tags(text: str, offered: Container[str]) -> list[Call]:
    """``<tool_call>{...}</tool_call>``, any number of them; the last may lack its end."""
    calls: list[Call] = []
    position = 0
    for _ in range(MAX_CALLS):
        tag = _TAG.search(text, position)
        if tag is None:
            break
        position = _end_of_space(text, tag.end())
        if _TAG.match(text, position):
            continue
        end = text.find(f"</{tag[1]}>", position)
        payload = text[position : end if end >= 0 else len(text)].strip()
        calls += read_functions(payload, offered) or _payload(payload, offered)
        position = end if end >= 0 else len(text)
    return calls


def _end_of_space(text: str, start: int) -> int:
    space = _SPACE.match(text, start)
    return start if space is None else space.end()


def read_functions(text: str, offered: Container[str]) -> list[Call]:
    """``<function=f>{...}</function>``, or with ``<parameter=a>1</parameter>`` in place of JSON."""
    heads = list(_FUNCTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)][: len(heads)]
    return [
        (cleaned(head[1], offered), _function_body(text[head.end() : end].split("</function>")[0]))
        for head, end in zip(heads, ends, strict=True)
    ]


def _function_body(body: str) -> Any:
    heads = list(_PARAMETER.finditer(body))
    if not heads:
        return read_arguments(body.strip())
    ends = [head.start() for head in heads[1:]] + [len(body)]
    arguments = {}
    for head, end in zip(heads, ends, strict=True):
        value = body[head.end() : end].split("</parameter>")[0].strip("\n")
        parsed = json_value(value)
        arguments[head[1]] = value if parsed is NOT_JSON else parsed
    return read_arguments(arguments)


def read_mistral(text: str, offered: Container[str]) -> list[Call]:
    """``[TOOL_CALLS][{...}]``, or ``[TOOL_CALLS]f[ARGS]{...}`` of the newer models."""
    _, marker, rest = text.partition("[TOOL_CALLS]")
    if not marker:
        return []
    rest = rest.replace("</s>", "").strip()
    if not _MISTRAL_NAME.match(rest):
        return _payload(rest, offered)
    calls: list[Call] = []
    position = 0
    while (head := _MISTRAL_NAME.match(rest, position)) is not None:
        value, position = json_at(rest, head.end())
        if value is NOT_JSON:
            return [*calls, (head[1], rest[head.end() :])]
        calls.append((cleaned(head[1], offered), read_arguments(value)))
        position += len("[TOOL_CALLS]") if rest.startswith("[TOOL_CALLS]", position) else 0
    return calls


def read_llama(text: str, offered: Container[str]) -> list[Call]:
    """``<|python_tag|>{...}``, several apart by semicolons, or ``f.call(a=1)``."""
    _, marker, rest = text.partition("<|python_tag|>")
    if not marker:
        return []
    return _payload(re.split(r"<\|e(?:om|ot)_id\|>", rest)[0].strip(), offered)


def read_fences(text: str, offered: Container[str]) -> list[Call]:
    """Fenced blocks; those that hold no call are passed over."""
    calls: list[Call] = []
    doubtful: list[str] = []
    for piece in text.split("```")[1::2][:MAX_CALLS]:
        block = _LANGUAGE.sub("", piece, count=1) if _LANGUAGE.match(piece) else piece
        block = block.strip()
        block_calls = read_json(block, offered) or python_calls(block, offered)
        calls += block_calls
        if not block_calls and block[:1] in ("[", "{") and looks_like_a_call(block, offered):
            doubtful.append(block)
    return calls or [malformed(block) for block in doubtful]
