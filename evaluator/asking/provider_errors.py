"""What a failed request means: the provider's failure, or the model's own."""

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

from evaluator.asking.parse import read_text
from evaluator.asking.request_reply import Infrastructure, ModelFault

MAX_MESSAGE = 300

# How providers say that the model's call was not well formed (Groq, Cerebras, Ollama, llama.cpp).
_REFUSED_CALL = re.compile(
    r"tool_use_failed|failed_generation|tool call validation failed|failed to parse tool call"
    r"|error parsing tool call|failed to call a function|malformed_function_call",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|exceeds? the (?:available )?"
    r"context|prompt is too long|exceed_context_size|too many tokens",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content_policy|content_filter|content policy|content management policy", re.IGNORECASE
)

# What LiteLLM puts before a provider's message, and the message in a body that it shows whole.
_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception): )*(?:\w+Exception - )?")
_QUOTED_MESSAGE = re.compile(r'"message": ?"((?:[^"\\]|\\.)+)"')
_REFERENCE = re.compile(r"\{\{\s*(?:step_)?\d+[^{}]*\}\}")


def failure(error: BaseException, timeout_s: float) -> Infrastructure | ModelFault:
    """What an exception of LiteLLM means.

    LiteLLM wraps most failures as status 500: what happened stands in the chain of causes.
    """
    causes = list(_causes(error))
    transport = _transport(causes)
    if transport == "timeout":
        return ModelFault("timeout", no_answer(timeout_s))
    if any(map(_is_unreadable_call, causes)):
        return ModelFault("malformed_call", "the arguments of a call nest too deeply to be read")
    status = next((s for cause in reversed(causes) if (s := _status(cause))), None)
    message = _message(error) or _without_words(status)
    if transport is not None:
        return Infrastructure(transport, message)
    text = " ".join([str(error), *(body for cause in causes if (body := _body(cause)))])
    if status in (400, 422, 500) and _REFUSED_CALL.search(text):
        return _refused_call(message, text)
    if status in (400, 413, 422) and _TOO_LONG.search(text):
        return ModelFault("context_overflow", message)
    if status in (400, 422) and _FILTERED.search(text):
        return ModelFault("content_filter", message)
    if status == 401:
        return Infrastructure("auth", message)
    if status == 404:
        return Infrastructure("unknown_model", message)
    if status == 429:
        return Infrastructure("rate_limit", message, _retry_after(causes))
    if status in (400, 402, 403, 405, 413, 415, 422):
        return Infrastructure("bad_request", message)
    return Infrastructure("provider_error", message, _retry_after(causes))


def no_answer(timeout_s: float) -> str:
    """How a trace says that the model took too long."""
    return f"no answer within {timeout_s:g} s"


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _transport(causes: list[BaseException]) -> str | None:
    """How the connection failed, or None where an answer came."""
    import httpx

    for cause in causes:
        if isinstance(cause, httpx.ReadTimeout):
            return "timeout"
        if isinstance(cause, httpx.TimeoutException):
            return "connect_timeout"
        if isinstance(cause, httpx.TransportError | ConnectionError):
            return "connection"
    return None


def _is_unreadable_call(cause: BaseException) -> bool:
    """Whether LiteLLM, which had read the answer, could not read the arguments of a call in it."""
    return isinstance(cause.__context__, RecursionError) and "Invalid response" in str(cause)


def _status(cause: BaseException) -> int | None:
    status = getattr(cause, "status_code", None)
    response = getattr(cause, "response", None)
    status = getattr(response, "status_code", None) or status
    return status if isinstance(status, int) else None


def _body(cause: BaseException) -> str:
    try:
        return str(getattr(getattr(cause, "response", None), "text", "") or "")
    except RuntimeError:  # httpx's, for a response whose body was never read.
        return ""


def _retry_after(causes: list[BaseException]) -> float | None:
    """Seconds that the provider asks to wait, given as seconds or as a date."""
    for cause in causes:
        headers = getattr(getattr(cause, "response", None), "headers", None) or {}
        value = headers.get("retry-after")
        if value is None:
            continue
        try:
            return max(0.0, float(value))
        except ValueError:
            return _seconds_until(value)
    return None


def _seconds_until(date: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _message(error: BaseException) -> str:
    """The provider's own words on one line."""
    text = _PREFIX.sub("", str(error)).partition("Traceback (most recent")[0]
    quoted = _QUOTED_MESSAGE.search(text)
    text = " ".join((quoted[1] if quoted else text).split())
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 3]}..."


def _without_words(status: int | None) -> str:
    """What is said of a failure that brings no message, as a proxy's may."""
    if status is None:
        return "the request failed, and nothing says why"
    return f"status {status} without a message: is the address right?"


def _refused_call(message: str, text: str) -> Infrastructure | ModelFault:
    """A provider's refusal of a call: the model's fault, unless all that is wrong is a reference."""
    quoted = re.search(r'"failed_generation"\s*:\s*("(?:[^"\\]|\\.)*")', text)
    try:
        generation = str(json.loads(quoted[1])) if quoted else None
    except ValueError:
        generation = None
    if generation is not None and _REFERENCE.search(generation):
        answer = read_text(generation, ())
        if answer.calls and all(isinstance(arguments, dict) for _, arguments in answer.calls):
            return Infrastructure("reference_rejected", message)
    return ModelFault("malformed_call", message, generation)


def redacted(text: str, secret: str | None) -> str:
    """The text without a secret."""
    if not secret or secret == "none":
        return text
    for form in (secret, quote(secret, safe="")):
        text = text.replace(form, "[key]")
    return text
