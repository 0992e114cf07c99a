"""The exchanges of a log put together: each request brings the answers before it, or names the last."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dataset_builder.tasks.task import Task
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.converting.conversation import Conversation, Reply
from evaluator.converting.find_task import NoTask, Tasks, answering
from evaluator.traces.error_kinds import INFRASTRUCTURE_ERRORS
from evaluator.traces.trace_fields import MAX_COUNT, MAX_LATENCY_MS


@dataclass
class Answered:
    """A task and the conversation that answers it, as far as the log has been read."""

    where: str
    """Where its last part stands."""
    task: Task
    conversation: Conversation

    def extend(self, where: str, conversation: Conversation) -> None:
        """Take a longer form of the conversation, whose last exchange is new."""
        before = self.conversation
        self.where = where
        self.conversation = replace(
            conversation,
            labels=(),
            usage=_sum(before.usage, conversation.usage),
            latency_ms=_sum_of_times(before, conversation),
        )


class Joined:
    """The conversations of a log in the order in which they began."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._by_task: dict[tuple[str | None, str], list[Answered]] = {}
        self._by_response: dict[str, Answered] = {}
        self._all: list[Answered] = []

    def __iter__(self) -> Iterator[Answered]:
        return iter(self._all)

    def add(self, where: str, conversation: Conversation) -> None:
        """Add a conversation, or an exchange to the one that it continues; NoTask where it has none."""
        if conversation.continues is not None:
            answered = self._linked(where, conversation, conversation.continues)
        else:
            answered = self._begun_or_repeated(where, conversation)
        if conversation.response_id is not None:
            self._by_response[conversation.response_id] = answered

    def _linked(self, where: str, conversation: Conversation, response_id: str) -> Answered:
        """The conversation whose last response has this id, with another exchange."""
        answered = self._by_response.get(response_id)
        if answered is None:
            raise NoTask("continues a response that the log does not hold before it")
        if answered.conversation.response_id != response_id:
            raise NoTask("continues a response that another one has continued already")
        events = answered.conversation.events + conversation.events
        whole = replace(conversation, events=events)
        self._tasks.check(answered.task, whole)
        answered.extend(where, whole)
        return answered

    def _begun_or_repeated(self, where: str, conversation: Conversation) -> Answered:
        """A new conversation, or the one whose replies this one's request repeats."""
        task = self._tasks.find(conversation)
        conversation = answering(conversation, task)
        alike = self._by_task.setdefault((conversation.model, task.task_id), [])
        before = next(
            (each for each in alike if _is_continued(each.conversation, conversation)), None
        )
        if before is not None:
            before.extend(where, conversation)
            return before
        answered = Answered(where, task, replace(conversation, labels=()))
        self._all.append(answered)
        alike.append(answered)
        return answered


def _is_continued(before: Conversation, after: Conversation) -> bool:
    """Whether a request holds exactly the replies of a conversation, or is made again after a failure."""
    replies = before.replies
    if len(replies) != after.given:
        return False
    if not replies:
        return before.error is not None and before.error["kind"] in INFRASTRUCTURE_ERRORS
    return [*map(_said, replies)] == [*map(_said, after.replies[: after.given])]


def _said(reply: Reply) -> Any:
    """What two records of one reply have in common: its calls, or its text where it has none."""
    if reply.calls:
        return [(call.name, read_arguments(call.arguments)) for call in reply.calls]
    return reply.text.strip()


def _sum(one: Mapping[str, int] | None, other: Mapping[str, int] | None) -> dict[str, int] | None:
    """The tokens of both, as far as both are known; those of one where the other has none at all."""
    if not one or not other:
        return dict(one or other or {}) or None
    return {name: min(one[name] + other[name], MAX_COUNT - 1) for name in one if name in other}


def _sum_of_times(one: Conversation, other: Conversation) -> float | None:
    times = [each.latency_ms for each in (one, other) if each.latency_ms is not None]
    return round(min(sum(times), MAX_LATENCY_MS), 1) if times else None
