"""OpenAI's Responses: items in and out, or exchanges that name the one before by its id."""

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
from evaluator.converting.exchange import Answer, Exchange, conversations
from evaluator.converting.failures import failure

_ITEMS = ("function_call", "function_call_output", "reasoning", "message")


def fits(exchange: Exchange) -> bool:
    """Whether an exchange is of the Responses API."""
    response = exchange.response or {}
    given = exchange.request.get("input")
    items = given if isinstance(given, list) else []
    return (
        response.get("object") == "response"
        or (isinstance(response.get("output"), list) and _are_items(response["output"]))
        or (bool(items) and _are_items(items))
    )


def _are_items(items: Sequence[Any]) -> bool:
    return all(
        isinstance(item, dict) and (item.get("type") in _ITEMS or "role" in item) for item in items
    )


def read(exchange: Exchange) -> list[Conversation]:
    """The conversation of an exchange."""
    given = exchange.request.get("input")
    asked: list[Event] = (
        [Prompt(given)] if isinstance(given, str) else [*_events(objects(given, "input"))]
    )
    response = exchange.response or {}
    usage = an_object(response.get("usage"), "usage")
    like = Conversation(
        (),
        model=named(response.get("model")) or named(exchange.request.get("model")),
        usage=token_counts(usage.get("input_tokens"), usage.get("output_tokens")),
        response_id=named(response.get("id")),
        continues=named(exchange.request.get("previous_response_id"))
        or named(response.get("previous_response_id")),
    )
    return conversations(exchange, asked, [_answer(response)], like)


def _answer(response: Mapping[str, Any]) -> Answer:
    # An answer without any item is one without a call.
    events = tuple(_events(objects(response.get("output"), "output"))) or (Reply(),)
    why = an_object(response.get("incomplete_details"), "incomplete_details").get("reason")
    error = failure(why) if why == "content_filter" else None
    if response.get("status") in ("failed", "cancelled"):
        error = failure(response.get("error") or response["status"])
        events = events if response.get("output") else ()
    return Answer(events, error, why == "max_output_tokens")


def _events(items: Sequence[Mapping[str, Any]]) -> Iterator[Event]:
    """The events of items: what the model gave between two others is one reply."""
    calls: list[WrittenCall] = []
    texts: list[str] = []
    for item in items:
        kind = item.get("type") or "message"
        if kind == "function_call":
            calls.append(WrittenCall(item.get("name"), item.get("arguments"), item.get("call_id")))
        elif kind == "message" and item.get("role") == "assistant":
            texts.append(text_of(item.get("content")))
        elif kind == "function_call_output" or item.get("role") == "user":
            if calls or texts:
                yield Reply(tuple(calls), "\n".join(texts))
                calls, texts = [], []
            if kind == "function_call_output":
                yield Result(item.get("output"), item.get("call_id"))
            else:
                yield Prompt(text_of(item.get("content")))
    if calls or texts:
        yield Reply(tuple(calls), "\n".join(texts))
