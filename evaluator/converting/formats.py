"""The formats that are read, and which of them an entry of a log is in."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evaluator.converting import (
    anthropic_messages,
    bfcl,
    chat_messages,
    gemini,
    inspect_logs,
    langchain_messages,
    openai_responses,
)
from evaluator.converting.conversation import Conversation, Unreadable
from evaluator.converting.exchange import Exchange, exchange
from evaluator.traces.trace_fields import kind


class Format(NamedTuple):
    """How a format is known, and read."""

    fits: Callable[[Exchange], bool]
    read: Callable[[Exchange], list[Conversation]]


# In this order an entry is tried: the last two hold what only speaks of roles and texts.
FORMATS: Mapping[str, Format] = {
    "inspect": Format(inspect_logs.fits, inspect_logs.read),
    "bfcl": Format(bfcl.fits, bfcl.read),
    "gemini": Format(gemini.fits, gemini.read),
    "openai-responses": Format(openai_responses.fits, openai_responses.read),
    "anthropic": Format(anthropic_messages.fits, anthropic_messages.read),
    "langchain": Format(langchain_messages.fits, langchain_messages.read),
    "huggingface": Format(chat_messages.is_hugging_face, chat_messages.read),
    "openai-chat": Format(chat_messages.is_openai, chat_messages.read),
}


def read_entry(entry: Any, told: str | None = None) -> tuple[str, list[Conversation]]:
    """The form of an entry (by its shape, which ``told`` has to agree with) and its conversations.

    Unreadable where it has no form that is known, or another than the one told.
    """
    entry = _wrapped(entry) if isinstance(entry, list) else entry
    if not isinstance(entry, dict):
        raise Unreadable(f"expected a conversation as a JSON object, got {kind(entry)}")
    if "calls" in entry and "task_id" in entry:
        raise Unreadable("is a row of a trace file already, which `comptoolbench score` takes")
    parted = exchange(entry)
    found = next((name for name, form in FORMATS.items() if form.fits(parted)), None)
    if found is None and parted.error is not None:
        # A failed request says nothing of its form, and is the same in all.
        found = told or "openai-chat"
    if found is None:
        raise Unreadable(f"has no form that is known; expected one of {', '.join(FORMATS)}")
    if told is not None and not _agrees(told, found, parted):
        raise Unreadable(f"has the form {found}, not {told}")
    return told or found, FORMATS[found].read(parted)


def _agrees(told: str, found: str, parted: Exchange) -> bool:
    """Whether an entry found to be of one form may be of the other: where both read it alike."""
    if told == "anthropic":
        return found == told or chat_messages.is_mere_text(parted)
    return found == told or {told, found} == {"huggingface", "openai-chat"}


def _wrapped(items: list[Any]) -> dict[str, Any]:
    """A list of messages as a request."""
    objects = [item for item in items if isinstance(item, dict)]
    if objects and all("parts" in item for item in objects):
        return {"contents": items}
    is_items = any(str(item.get("type")).startswith("function_call") for item in objects)
    return {"input" if is_items else "messages": items}


def is_one_conversation(items: list[Any]) -> bool:
    """Whether a list holds the messages of one conversation, and not a conversation in each item."""
    return all(isinstance(item, dict) and _is_message(item) for item in items) and any(
        item.get("role") == "user" or "human" in (item.get("type"), _constructor(item))
        for item in items
    )


def _is_message(item: Mapping[str, Any]) -> bool:
    if "messages" in item or "request" in item or "response" in item:
        return False
    return "role" in item or "lc" in item or isinstance(item.get("type"), str)


def _constructor(item: Mapping[str, Any]) -> Any:
    fields = item.get("kwargs")
    return fields.get("type") if isinstance(fields, dict) else None
