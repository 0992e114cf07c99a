"""One entry of a log: what was asked and what came back, out of the wrappings of batches and loggers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluator.converting.conversation import Conversation, Event, Reply, milliseconds
from evaluator.converting.failures import failure

_RESPONSE_KEYS = ("choices", "candidates", "output", "completion")
_REQUEST_KEYS = ("messages", "contents", "input", "prompt")
_LABELS = ("metadata", "request", "response", "body")


@dataclass(frozen=True)
class Exchange:
    """A request and its response as their provider has them, of one entry of a log.

    ``response`` is None where the entry holds a whole conversation, or a failure (``error``).
    """

    entry: Mapping[str, Any]
    request: Mapping[str, Any]
    response: Mapping[str, Any] | None
    error: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Answer:
    """What one choice of a response adds to the conversation."""

    events: tuple[Event, ...]
    error: Mapping[str, str] | None = None
    is_cut: bool = False


def exchange(entry: Mapping[str, Any]) -> Exchange:
    """The request and response of an entry: bare, of a provider's batch, or as `request` and `response`."""
    wrapped = entry.get("request")
    bare = entry if any(entry.get(key) is not None for key in _REQUEST_KEYS) else {}
    request = _body(wrapped) if isinstance(wrapped, dict) else bare
    response, error = _answer(entry)
    return Exchange(entry, request, response, error)


def _answer(entry: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Mapping[str, str] | None]:
    """The response of an entry, or why it has none; neither where it is no exchange."""
    wrapped = entry.get("response")
    if isinstance(wrapped, dict):
        status, body = wrapped.get("status_code"), _body(wrapped)
        is_refused = isinstance(status, int) and status >= 400
        if is_refused or (body.get("error") and not _is_response(body)):
            return None, failure(body, status)
        return body, None
    result = entry.get("result")
    if isinstance(result, dict) and isinstance(result.get("type"), str):
        # Anthropic's batches: succeeded, errored, canceled or expired.
        if isinstance(result.get("message"), dict):
            return result["message"], None
        return None, failure(result.get("error") or result["type"])
    if _is_response(entry):
        return entry, None
    if entry.get("error"):
        return None, failure(entry["error"])
    if isinstance(entry.get("request"), dict):
        return None, failure("the log holds no response")
    return None, None


def _body(wrapped: Mapping[str, Any]) -> Mapping[str, Any]:
    body = wrapped.get("body")
    return body if isinstance(body, dict) else wrapped


def _is_response(entry: Mapping[str, Any]) -> bool:
    is_message = entry.get("type") == "message" and entry.get("role") == "assistant"
    return is_message or any(isinstance(entry.get(key), list) for key in _RESPONSE_KEYS)


def labels(entry: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The objects of an entry in which somebody may have put the task's id, the outermost first."""
    found: list[Mapping[str, Any]] = [entry]
    for label in found:
        found += (label[key] for key in _LABELS if isinstance(label.get(key), dict))
    return tuple(found)


def conversations(
    exchange: Exchange, asked: Sequence[Event], answers: Sequence[Answer], like: Conversation
) -> list[Conversation]:
    """A conversation for each answer to what was asked; the whole one where there is no response.

    ``like`` holds what they have in common.
    """
    entry = exchange.entry
    like = replace(
        like,
        labels=labels(entry),
        latency_ms=milliseconds(entry.get("latency_ms")) or like.latency_ms,
    )
    if exchange.response is None:
        given = sum(isinstance(event, Reply) for event in asked) if exchange.error else 0
        return [replace(like, events=tuple(asked), given=given, error=exchange.error)]
    given = sum(isinstance(event, Reply) for event in asked)
    return [
        replace(
            like,
            events=(*asked, *answer.events),
            given=given,
            error=answer.error or like.error,
            is_cut=answer.is_cut,
            # What several choices took together is counted once.
            usage=like.usage if number == 0 else None,
        )
        for number, answer in enumerate(answers or [Answer(())])
    ]
