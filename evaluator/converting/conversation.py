"""What every format is read into: the prompts, replies and results of one conversation, in order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.asking.request_reply import compact
from evaluator.traces.trace_fields import MAX_COUNT, MAX_LATENCY_MS, is_amount, is_count, kind


class Unreadable(ValueError):
    """A part of a log that is not of its format; the message says where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a user wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """One call as the log has it; ``arguments`` are an object, its JSON text, or what should be one."""

    name: Any
    arguments: Any
    id: Any = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model: its native calls, and its text."""

    calls: tuple[WrittenCall, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What the log says that a call gave; ``id`` is the call's, where the format has ids."""

    content: Any
    id: Any = None


Event = Prompt | Reply | Result


@dataclass(frozen=True, slots=True)
class Conversation:
    """One model's conversation, or one exchange of it.

    ``given`` counts the replies that came with the request: the log may hold them as an exchange
    before. ``continues`` is the ``response_id`` of the exchange before, where only its id is given.
    ``labels`` are the objects in which the task's id may stand, the outermost first.
    """

    events: tuple[Event, ...]
    given: int = 0
    labels: tuple[Mapping[str, Any], ...] = ()
    model: str | None = None
    usage: Mapping[str, int] | None = None
    latency_ms: float | None = None
    error: Mapping[str, str] | None = None
    is_cut: bool = False
    """Whether the last reply ended at its limit of tokens."""
    response_id: str | None = None
    continues: str | None = None
    protocol: str | None = None
    catalogue: str | None = None

    @property
    def replies(self) -> list[Reply]:
        """The model's answers in order; the place in it is the turn."""
        return [event for event in self.events if isinstance(event, Reply)]

    @property
    def prompts(self) -> list[str]:
        """What the user wrote."""
        return [event.text for event in self.events if isinstance(event, Prompt)]


# Reading parts -------------------------------------------------------------------------------


def objects(value: Any, where: str) -> list[Mapping[str, Any]]:
    """A list of objects, empty for null; Unreadable for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unreadable(f"{where}: expected a list, got {kind(value)}")
    for position, item in enumerate(value):
        if not isinstance(item, dict):
            raise Unreadable(f"{where}[{position}]: expected an object, got {kind(item)}")
    return value


def an_object(value: Any, where: str) -> Mapping[str, Any]:
    """An object, empty for null; Unreadable for anything else."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Unreadable(f"{where}: expected an object, got {kind(value)}")
    return value


def text_of(content: Any) -> str:
    """The text of a message's content, which may be a list of parts; other JSON as compact text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_texts(content))
    return compact(content)


def _texts(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]


def named(value: Any) -> str | None:
    """A model's name or an id; None for what is no text."""
    return value if isinstance(value, str) and value else None


def token_counts(asked: Any, answered: Any) -> dict[str, int] | None:
    """Usage as rows hold it; None where the log says nothing that could be counted."""
    counts = {"prompt_tokens": asked, "completion_tokens": answered}
    known = {name: count for name, count in counts.items() if is_count(count)}
    if len(known) == 2 and asked + answered < MAX_COUNT:
        known["total_tokens"] = asked + answered
    return known or None


def milliseconds(value: Any, unit: int = 1) -> float | None:
    """A time of so many units of milliseconds; None for what is none."""
    if not is_amount(value, MAX_LATENCY_MS // unit):
        return None
    return round(float(value) * unit, 1)
