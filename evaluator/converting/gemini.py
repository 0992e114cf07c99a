"""Gemini's contents: parts with functionCall and functionResponse, in camelCase or snake_case."""

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

# Reasons to finish by which the provider withholds an answer.
_FILTERED = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE")
_MALFORMED = "MALFORMED_FUNCTION_CALL"


def fits(exchange: Exchange) -> bool:
    """Whether the response has candidates, or the request contents of parts."""
    response = exchange.response or {}
    if isinstance(response.get("candidates"), list):
        return True
    contents = exchange.request.get("contents")
    return isinstance(contents, str | list) and bool(contents)


def read(exchange: Exchange) -> list[Conversation]:
    """The conversations of an exchange, one for each candidate."""
    response = exchange.response or {}
    usage = an_object(_either(response, "usageMetadata", "usage_metadata"), "usageMetadata")
    like = Conversation(
        (),
        model=named(_either(response, "modelVersion", "model_version"))
        or named(exchange.request.get("model")),
        usage=token_counts(
            _either(usage, "promptTokenCount", "prompt_token_count"), _answered(usage)
        ),
    )
    answers = [
        _answer(candidate, f"candidates[{number}]")
        for number, candidate in enumerate(objects(response.get("candidates"), "candidates"))
    ]
    feedback = an_object(_either(response, "promptFeedback", "prompt_feedback"), "promptFeedback")
    if not answers and _either(feedback, "blockReason", "block_reason"):
        answers = [Answer((), failure("content_filter"))]
    return conversations(exchange, [*_asked(exchange.request)], answers, like)


def _answered(usage: Mapping[str, Any]) -> Any:
    """Tokens of the answer and of the thoughts before it, which are counted apart."""
    written = _either(usage, "candidatesTokenCount", "candidates_token_count")
    thought = _either(usage, "thoughtsTokenCount", "thoughts_token_count")
    both = isinstance(written, int) and isinstance(thought, int)
    return written + thought if both else written


def _asked(request: Mapping[str, Any]) -> Iterator[Event]:
    contents = request.get("contents")
    if isinstance(contents, str):
        yield Prompt(contents)
        return
    for number, content in enumerate(objects(contents, "contents")):
        yield from _events(content, f"contents[{number}]")


def _answer(candidate: Mapping[str, Any], where: str) -> Answer:
    reason = str(_either(candidate, "finishReason", "finish_reason")).rpartition(".")[2]
    said = _either(candidate, "finishMessage", "finish_message")
    error = failure("content_filter") if reason in _FILTERED else None
    if reason == _MALFORMED:
        error = {**failure(said if isinstance(said, str) else _MALFORMED), "kind": "malformed_call"}
    content = {"role": "model", **an_object(candidate.get("content"), f"{where}.content")}
    return Answer(
        tuple(_events({**content, "role": content["role"] or "model"}, where)),
        error,
        reason == "MAX_TOKENS",
    )


def _events(content: Mapping[str, Any], where: str) -> Iterator[Event]:
    role = content.get("role") or "user"
    if role not in ("user", "model", "function", "tool"):
        raise Unreadable(f"{where}: expected the role user or model")
    parts = objects(content.get("parts"), f"{where}.parts")
    text = text_of([part for part in parts if not part.get("thought")])
    if role == "model":
        yield Reply(tuple(_calls(parts, where)), text)
        return
    for part in parts:
        given = an_object(_either(part, "functionResponse", "function_response"), where)
        if given:
            yield Result(given.get("response"), given.get("id"))
    if role == "user" and text:
        yield Prompt(text)


def _calls(parts: list[Mapping[str, Any]], where: str) -> Iterator[WrittenCall]:
    for part in parts:
        call = an_object(_either(part, "functionCall", "function_call"), where)
        if call:
            yield WrittenCall(call.get("name"), call.get("args"), call.get("id"))


def _either(value: Mapping[str, Any], camel: str, snake: str) -> Any:
    found = value.get(camel)
    return value.get(snake) if found is None else found
