"""What a failed request in a log means, in the kinds that a trace may tell of."""

import re
from typing import Any

from evaluator.asking.request_reply import compact

_MAX_MESSAGE = 300
# The model's own failures first: they come with statuses that also mean something else.
_WORDS = (
    ("context_overflow", r"context_length|context window|maximum context|prompt is too long"),
    ("content_filter", r"content_filter|content_policy|content policy|content management policy"),
    ("malformed_call", r"tool_use_failed|malformed_function_call"),
    ("rate_limit", r"rate_limit|too_many_requests|resource_exhausted|insufficient_quota"),
    ("auth", r"authentication|invalid_api_key|unauthenticated"),
    ("unknown_model", r"model_not_found|not_found"),
    ("bad_request", r"invalid_request|invalid_argument|permission"),
)
_STATUS = {400: "bad_request", 401: "auth", 403: "bad_request", 404: "unknown_model"}
_STATUS |= {413: "bad_request", 422: "bad_request", 429: "rate_limit"}
_WHATEVER = "provider_error"


def failure(error: Any, status: Any = None) -> dict[str, str]:
    """The ``error`` of a row for what a log says of a failure, and the HTTP status where it has one."""
    while isinstance(error, dict) and isinstance(error.get("error"), dict):
        error = error["error"]
    said = error if isinstance(error, str) else compact(error)
    known = _STATUS.get(status, _WHATEVER) if isinstance(status, int) else _WHATEVER
    matching = (kind for kind, words in _WORDS if re.search(words, said[:5_000], re.IGNORECASE))
    message = error.get("message") if isinstance(error, dict) else said
    text = message if isinstance(message, str) else said
    return {"kind": next(matching, known), "message": text[:_MAX_MESSAGE]}
