"""Reads the calls out of a model's answer, native or written as text in one of the usual shapes.

A call that does not parse is kept: its arguments are then the text as the model wrote it. Work is
linear in the length of the answer.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.asking.parse.json_calls import (
    Call,
    looks_like_a_call,
    malformed,
    read_arguments,
    read_embedded,
    read_json,
)
from evaluator.asking.parse.marked_calls import (
    read_fences,
    read_functions,
    read_llama,
    read_mistral,
    read_tags,
)
from evaluator.asking.parse.python_calls import python_calls
from evaluator.asking.request_reply import Message, compact
from evaluator.traces.strict_json import mended
from evaluator.traces.trace import MAX_CALLS

MAX_CHARACTERS = 200_000
_THINKING = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """The calls of one message, in order, and the shape that they came in ("none": no call)."""

    calls: tuple[Call, ...] = ()
    shape: str = "none"


def read_message(message: Message | None, offered: Container[str]) -> Answer:
    """The calls of an assistant message in OpenAI form; a missing message has none."""
    if message is None:
        return Answer()
    native = message.get("tool_calls")
    if isinstance(native, Sequence) and not isinstance(native, str) and native:
        return Answer(tuple(_native(item) for item in native[:MAX_CALLS]), "native")
    if isinstance(message.get("function_call"), Mapping):
        return Answer((_native({"function": message["function_call"]}),), "function_call")
    return read_text(_text(message.get("content")), offered)


def read_text(text: str, offered: Container[str]) -> Answer:
    """The calls written in a text, whatever stands around them; ``offered`` names settle doubt."""
    text = without_thinking(mended(text[:MAX_CHARACTERS])).strip()
    if not text:
        return Answer()
    for shape, reader in _READERS.items():
        calls = reader(text, offered)
        if calls:
            return Answer(tuple(calls[:MAX_CALLS]), shape)
    if text[0] in "[{" and looks_like_a_call(text, offered):
        return Answer((malformed(text),), "malformed")
    return Answer()


def without_thinking(text: str) -> str:
    """The text without its thinking parts; one that is not closed reaches to the end.

    A closing tag alone ends a part whose opening the chat template wrote.
    """
    kept: list[str] = []
    start, inside = 0, False
    for tag in _THINKING.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            start, inside = tag.end(), False
        elif not inside:
            kept.append(text[start : tag.start()])
            inside = True
    if not inside:
        kept.append(text[start:])
    return "".join(kept)


def _native(item: Any) -> Call:
    function = item.get("function") if isinstance(item, Mapping) else None
    if not isinstance(function, Mapping):
        return "", mended(compact(item))
    name = function.get("name")
    return mended(name) if isinstance(name, str) else "", read_arguments(function.get("arguments"))


def _text(content: Any) -> str:
    """The text of a message's content, which may be a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = [part for part in content if isinstance(part, Mapping)]
    return "\n".join(p["text"] for p in parts if isinstance(p.get("text"), str))


_READERS: Mapping[str, Callable[[str, Container[str]], list[Call]]] = {
    "json": read_json,
    "tool_call_tag": read_tags,
    "function_tag": read_functions,
    "mistral": read_mistral,
    "llama": read_llama,
    "fenced": read_fences,
    "python": python_calls,
    "embedded_json": read_embedded,
}
