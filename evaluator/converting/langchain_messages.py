"""LangChain's messages: as `messages_to_dict`, `dumpd` or `model_dump` write them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluator.converting.conversation import (
    Conversation,
    Event,
    Prompt,
    Reply,
    Result,
    WrittenCall,
    an_object,
    named,
    objects,
    text_of,
    token_counts,
)
from evaluator.converting.exchange import Exchange, conversations
from evaluator.converting.failures import failure

_TYPES = ("human", "ai", "system", "tool", "function", "AIMessageChunk")
_CUT = ("length", "max_tokens", "MAX_TOKENS")
_FILTERED = ("content_filter", "refusal", "SAFETY")


def fits(exchange: Exchange) -> bool:
    """Whether every message says its type in one of LangChain's three ways."""
    messages = exchange.request.get("messages")
    return (
        isinstance(messages, list)
        and bool(messages)
        and all(
            isinstance(message, dict) and _fields(message).get("type") in _TYPES
            for message in messages
        )
    )


def _fields(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message's own fields, out of ``data`` or ``kwargs``."""
    if message.get("lc") is not None and isinstance(message.get("kwargs"), dict):
        fields: Mapping[str, Any] = message["kwargs"]
        return fields
    inner = message.get("data")
    return {**inner, "type": message.get("type")} if isinstance(inner, dict) else message


def read(exchange: Exchange) -> list[Conversation]:
    """The one conversation, which is whole."""
    messages = [_fields(m) for m in objects(exchange.request.get("messages"), "messages")]
    events = [
        event
        for number, message in enumerate(messages)
        for event in _events(message, f"messages[{number}]")
    ]
    answers = [message for message in messages if _is_answer(message)]
    told = [an_object(message.get("response_metadata"), "response_metadata") for message in answers]
    last = told[-1] if told else {}
    reason = last.get("finish_reason") or last.get("stop_reason")
    names = (last.get("model_name"), last.get("model"), exchange.request.get("model"))
    like = Conversation(
        (),
        model=next((name for name in map(named, names) if name), None),
        usage=_usage(answers),
        error=failure("content_filter") if reason in _FILTERED else None,
        is_cut=reason in _CUT,
    )
    return conversations(exchange, events, [], like)


def _is_answer(message: Mapping[str, Any]) -> bool:
    return message.get("type") in ("ai", "AIMessageChunk")


def _usage(answers: Sequence[Mapping[str, Any]]) -> dict[str, int] | None:
    """The tokens of all answers together; None where one of them does not say."""
    counted = [an_object(message.get("usage_metadata"), "usage_metadata") for message in answers]
    sums = [
        sum(used[name] for used in counted)
        if counted and all(isinstance(used.get(name), int) for used in counted)
        else None
        for name in ("input_tokens", "output_tokens")
    ]
    return token_counts(*sums)


def _events(message: Mapping[str, Any], where: str) -> Iterator[Event]:
    content = message.get("content")
    if _is_answer(message):
        yield Reply(tuple(_calls(message, where)), text_of(content))
    elif message.get("type") == "human":
        yield Prompt(text_of(content))
    elif message.get("type") in ("tool", "function"):
        yield Result(content, message.get("tool_call_id"))


def _calls(message: Mapping[str, Any], where: str) -> list[WrittenCall]:
    """The calls in the order of the raw ones, where they are kept; else those that parsed come first."""
    parsed = [
        WrittenCall(call.get("name"), call.get("args"), call.get("id"))
        for name in ("tool_calls", "invalid_tool_calls")
        for call in objects(message.get(name), f"{where}.{name}")
    ]
    more = an_object(message.get("additional_kwargs"), f"{where}.additional_kwargs")
    raw = objects(more.get("tool_calls"), f"{where}.additional_kwargs.tool_calls")
    order = [call.get("id") for call in raw]
    if any(call.id not in order for call in parsed):
        return parsed
    return sorted(parsed, key=lambda call: order.index(call.id))
