"""The Responses form of a conversation: what is sent of it, and the answer as a chat message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluator.asking.request_reply import Infrastructure, Message, Reply
from evaluator.traces.trace_fields import is_count

ITEMS = "response_items"
"""The key of a message under which the items stand that it was made of, so that they can go back."""
_FINISH = {"max_output_tokens": "length", "content_filter": "content_filter"}


def flat(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Tools in the form of Responses, which makes them strict unless it is told otherwise."""
    return [{"type": "function", **tool["function"], "strict": False} for tool in tools]


def items_of(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as input items."""
    return [item for message in messages for item in _items(message)]


def _items(message: Message) -> Iterator[dict[str, Any]]:
    if message["role"] == "tool":
        call = message["tool_call_id"]
        yield {"type": "function_call_output", "call_id": call, "output": message["content"]}
        return
    calls = iter(message.get("tool_calls") or ())
    if ITEMS not in message and message.get("content"):
        yield {"role": message["role"], "content": message["content"]}
    for item in message.get(ITEMS, ()):
        if item.get("type") == "function_call":
            yield from map(_call, [next(calls)])
        elif item.get("type") != "reasoning" or _is_readable(item):
            yield item
    yield from map(_call, calls)


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {
        "type": "function_call",
        "call_id": call["id"],
        "name": function["name"],
        "arguments": function["arguments"],
    }


def _is_readable(item: Mapping[str, Any]) -> bool:
    """Whether reasoning can go back: nothing is stored with the provider that its id could stand for."""
    return bool(item.get("encrypted_content") or item.get("content"))


def reply_of(response: Mapping[str, Any]) -> Reply:
    """The answer as a chat message, its items kept beside; Infrastructure where it says that it failed."""
    if response.get("status") == "failed":
        error = response.get("error") or {}
        raise Infrastructure("provider_error", str(error.get("message") or "the response failed"))
    items = [_sendable(item) for item in response.get("output") or ()]
    text = "".join(part for item in items for part in _texts(item))
    calls = [
        {
            "id": item.get("call_id"),
            "type": "function",
            "function": {"name": item.get("name"), "arguments": item.get("arguments")},
        }
        for item in items
        if item.get("type") == "function_call"
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text or None, ITEMS: items}
    if calls:
        message["tool_calls"] = calls
    details = response.get("incomplete_details") or {}
    finish = _FINISH.get(str(details.get("reason")))
    return Reply(
        message=message if items else None,
        finish_reason=finish or ("tool_calls" if calls else "stop"),
        usage=_usage(response.get("usage") or {}),
        model=response.get("model"),
    )


def _sendable(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item as it may go back; its state is the provider's alone."""
    return {name: value for name, value in item.items() if name != "status" and value is not None}


def _texts(item: Mapping[str, Any]) -> Iterator[str]:
    """What a message says, a refusal among it."""
    if item.get("type") != "message":
        return
    for part in item.get("content") or ():
        text = part.get("text") or part.get("refusal")
        if isinstance(text, str):
            yield text


def _usage(usage: Mapping[str, Any]) -> dict[str, int]:
    """Tokens under the names that chat has for them."""
    names = {
        "prompt_tokens": "input_tokens",
        "completion_tokens": "output_tokens",
        "total_tokens": "total_tokens",
    }
    return {ours: usage[theirs] for ours, theirs in names.items() if is_count(usage.get(theirs))}
