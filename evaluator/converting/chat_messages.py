"""Chat messages: OpenAI's chat completions, and Hugging Face's form, whose arguments are objects."""

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


def is_openai(exchange: Exchange) -> bool:
    """Whether an exchange is of chat completions, or messages that hold no call in another form."""
    response = exchange.response or {}
    return isinstance(response.get("choices"), list) or _has_roles(exchange)


def is_hugging_face(exchange: Exchange) -> bool:
    """Whether some call's arguments are an object, or the answer stands as ``completion``."""
    if not _has_roles(exchange):
        return False
    messages = [*_asked(exchange), *_completion(exchange)]
    return bool(_completion(exchange)) or any(
        isinstance((call.get("function") or {}).get("arguments"), dict)
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("tool_calls"), list)
        for call in message["tool_calls"]
        if isinstance(call, dict) and isinstance(call.get("function"), dict)
    )


def is_mere_text(exchange: Exchange) -> bool:
    """Whether there are messages of text alone, which are the same in every form that has roles."""
    return (
        exchange.response is None
        and _has_roles(exchange)
        and all(message.keys() <= {"role", "content"} for message in _asked(exchange))
    )


def _has_roles(exchange: Exchange) -> bool:
    messages = _asked(exchange)
    return bool(messages) and all(
        isinstance(message, dict) and isinstance(message.get("role"), str) for message in messages
    )


def _asked(exchange: Exchange) -> list[Any]:
    """The messages of the request; with TRL's `prompt` and `completion`, the prompt."""
    for key in ("messages", "prompt"):
        if isinstance(messages := exchange.request.get(key), list):
            return messages
    return []


def _completion(exchange: Exchange) -> list[Any]:
    messages = (exchange.response or {}).get("completion")
    return messages if isinstance(messages, list) else []


def read(exchange: Exchange) -> list[Conversation]:
    """The conversations of an exchange, one for each choice."""
    asked = [
        event
        for number, message in enumerate(objects(_asked(exchange), "messages"))
        for event in _events(message, f"messages[{number}]")
    ]
    response = exchange.response or {}
    usage = an_object(response.get("usage"), "usage")
    like = Conversation(
        (),
        model=named(response.get("model")) or named(exchange.request.get("model")),
        usage=token_counts(usage.get("prompt_tokens"), usage.get("completion_tokens")),
    )
    return conversations(exchange, asked, list(_answers(exchange)), like)


def _answers(exchange: Exchange) -> Iterator[Answer]:
    if completion := _completion(exchange):
        messages = objects(completion, "completion")
        yield Answer(
            tuple(
                event
                for number, message in enumerate(messages)
                for event in _events(message, f"completion[{number}]")
            )
        )
        return
    for number, choice in enumerate(objects((exchange.response or {}).get("choices"), "choices")):
        where = f"choices[{number}].message"
        message = {"role": "assistant", **an_object(choice.get("message"), where)}
        reason = choice.get("finish_reason")
        error = failure("content_filter") if reason == "content_filter" else None
        yield Answer(tuple(_events(message, where)), error, reason == "length")


def _events(message: Mapping[str, Any], where: str) -> Iterator[Event]:
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str):
        raise Unreadable(f"{where}: expected a role")
    if role == "user":
        yield Prompt(text_of(content))
    elif role == "assistant":
        yield Reply(tuple(_calls(message, where)), text_of(content))
    elif role in ("tool", "function"):
        yield Result(content, message.get("tool_call_id"))


def _calls(message: Mapping[str, Any], where: str) -> Iterator[WrittenCall]:
    calls = objects(message.get("tool_calls"), f"{where}.tool_calls")
    legacy = message.get("function_call")
    if not calls and legacy is not None:
        calls = [{"function": legacy}]
    for number, call in enumerate(calls):
        here = f"{where}.tool_calls[{number}].function"
        # Some write the function's fields beside the id.
        function = an_object(call.get("function"), here) or call
        yield WrittenCall(function.get("name"), function.get("arguments"), call.get("id"))
