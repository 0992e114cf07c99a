"""Which task a conversation answers: by an id in the log, else by the task's exact prompt."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from dataset_builder.tasks.task import Level, Suite, Task
from dataset_builder.visible_text import clean
from evaluator.converting.conversation import Conversation, Prompt, Reply
from evaluator.traces.suite_of import suite_of

_FIELDS = ("task_id", "custom_id", "key", "id")
_LONGEST = 60


class NoTask(ValueError):
    """It cannot be said which task a conversation answers; the message says why."""


class Tasks:
    """The tasks that a conversation may be of: those of a suite, and those that stand apart from it."""

    def __init__(self, suite: Suite, field: str | None = None) -> None:
        """``field``: where the id stands, dotted; one of the usual fields where it is None."""
        self._suite = suite
        self._field = field

    @cached_property
    def _by_prompt(self) -> dict[str, list[Task]]:
        return _by_prompt(self._suite)

    @cached_property
    def _requests_by_prompt(self) -> dict[str, list[Task]]:
        return _by_prompt(self._suite_apart(Level.IRRELEVANT))

    @cached_property
    def _ladder_by_prompt(self) -> dict[str, list[Task]]:
        """The procedures, which are composed only where a conversation may be of one."""
        return _by_prompt(self._suite_apart(Level.PROCEDURE))

    def _suite_apart(self, level: Level) -> Suite:
        return suite_of([level.task_id(1)], self._suite, "")

    def find(self, conversation: Conversation) -> Task:
        """The task; NoTask where nothing, or more than one thing, says which it is."""
        named = self._named(conversation)
        if named is not None:
            self.check(named, conversation)
            return named
        prompted = self._prompted(conversation)
        if not prompted:
            raise NoTask("no id of a task, and no prompt of one word for word")
        if len(prompted) > 1:
            raise NoTask(f"holds a prompt that {_listed(prompted)} have")
        return next(iter(prompted.values()))

    def check(self, task: Task, conversation: Conversation) -> None:
        """NoTask where a conversation that is said to be of a task holds the prompt of another."""
        prompted = self._prompted(conversation)
        if prompted and task.task_id not in prompted:
            raise NoTask(
                f"is said to be of {task.task_id} and holds the prompt of {_listed(prompted)}"
            )

    def _named(self, conversation: Conversation) -> Task | None:
        if self._field is not None:
            value = _at(conversation.labels[0] if conversation.labels else {}, self._field)
            task = self._by_id(value)
            if task is None:
                said = "nothing" if value is None else clean(value, _LONGEST)
                raise NoTask(f"{self._field}: expected the id of a task, got {said}")
            return task
        values = [label.get(name) for label in conversation.labels for name in _FIELDS]
        found = {task.task_id: task for value in values if (task := self._by_id(value))}
        if len(found) > 1:
            raise NoTask(f"says {_listed(found)}")
        return next(iter(found.values()), None)

    def _by_id(self, value: Any) -> Task | None:
        if not isinstance(value, str):
            return None
        return suite_of([value], self._suite, "").by_id.get(value)

    def _prompted(self, conversation: Conversation) -> dict[str, Task]:
        """The tasks whose whole prompt a user's message is, white space at its ends apart."""
        texts = {text.strip() for text in conversation.prompts}
        found = {text: tasks for text in texts if (tasks := self._by_prompt.get(text))}
        if not found:
            found = {t: tasks for t in texts if (tasks := self._requests_by_prompt.get(t))}
        if not found and any(len(text) >= _SHORTEST for text in texts):
            found = {text: tasks for text in texts if (tasks := self._ladder_by_prompt.get(text))}
        prompted = {task.task_id: task for tasks in found.values() for task in tasks}
        if len(found) > 1:
            raise NoTask(f"holds the prompts of {_listed(prompted)}")
        return prompted


def answering(conversation: Conversation, task: Task) -> Conversation:
    """The conversation from the task's prompt on: examples before it are no answers to it."""
    for start, event in enumerate(conversation.events):
        if isinstance(event, Prompt) and event.text.strip() == task.prompt.strip():
            before = sum(isinstance(earlier, Reply) for earlier in conversation.events[:start])
            return replace(
                conversation,
                events=conversation.events[start:],
                given=max(0, conversation.given - before),
            )
    return conversation


_SHORTEST = 300
"""Characters of the shortest prompt of a procedure; composing them all takes seconds."""


def _by_prompt(suite: Suite) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = {}
    for task in suite.tasks:
        found.setdefault(task.prompt.strip(), []).append(task)
    return found


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _listed(tasks: Mapping[str, Task]) -> str:
    names = sorted(tasks)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return " and ".join(names[:3]) + more
