"""Anthropic's Messages: contents of blocks, with calls (tool_use) and what they gave (tool_result)."""

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
    an_object,
    named,
    objects,
    text_of,
    token_counts,
)
from evaluator.converting.exchange import Answer, Exchange, conversations
from evaluator.converting.failures import failure

_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking")
_CACHED = ("cache_creation_input_tokens", "cache_read_input_tokens")


def fits(exchange: Exchange) -> bool:
    """Whether the response is a message of blocks, or the messages hold blocks that only these have."""
    response = exchange.response or {}
    if response.get("type") == "message" and isinstance(response.get("content"), list):
        return True
    messages = exchange.request.get("messages")
    return isinstance(messages, list) and any(
        isinstance(block, dict) and block.get("type") in _BLOCKS
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def read(exchange: Exchange) -> list[Conversation]:
    """The conversation of an exchange."""
    asked = [
        event
        for number, message in enumerate(objects(exchange.request.get("messages"), "messages"))
        for event in _events(message, f"messages[{number}]")
    ]
    response = exchange.response or {}
    usage = an_object(response.get("usage"), "usage")
    # What came from the cache is not among the input tokens.
    cached = [usage[name] for name in _CACHED if isinstance(usage.get(name), int)]
    taken = usage.get("input_tokens")
    like = Conversation(
        (),
        model=named(response.get("model")) or named(exchange.request.get("model")),
        usage=token_counts(
            taken + sum(cached) if isinstance(taken, int) else None, usage.get("output_tokens")
        ),
    )
    return conversations(exchange, asked, [_answer(response)], like)


def _answer(response: Mapping[str, Any]) -> Answer:
    reason = response.get("stop_reason")
    error = failure("content_filter") if reason == "refusal" else None
    events = tuple(_events({"role": "assistant", **response}, "response"))
    return Answer(events, error, reason == "max_tokens")


def _events(message: Mapping[str, Any], where: str) -> Iterator[Event]:
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant", "system"):
        raise Unreadable(f"{where}: expected the role user or assistant")
    blocks = [] if isinstance(content, str) else objects(content, f"{where}.content")
    if role == "assistant":
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        yield Reply(
            tuple(
                WrittenCall(call.get("name"), call.get("input"), call.get("id")) for call in calls
            ),
            text_of(content),
        )
        return
    for block in blocks:
        if block.get("type") == "tool_result":
            yield Result(block.get("content"), block.get("tool_use_id"))
    if role == "user" and (text := text_of(content)):
        yield Prompt(text)
