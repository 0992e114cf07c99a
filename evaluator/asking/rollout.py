"""One task while it is answered: what it offers, the calls made so far, and what they give."""

from collections.abc import Iterable, Mapping
from typing import Any

from dataset_builder.tasks.task import Task
from dataset_builder.tools.replay import Episode, Executed
from dataset_builder.tools.tool import Tool
from evaluator.asking import prompts
from evaluator.traces.protocols import most_turns, offered_tools
from evaluator.traces.trace import Call


class Rollout:
    """A task under a protocol and a catalogue, whoever answers it and in whatever form."""

    def __init__(
        self, task: Task, protocol: str, catalogue: str, tools: Mapping[str, Tool]
    ) -> None:
        """``catalogue``: its one name (`canonical_catalogue`)."""
        self.offered = frozenset(names := offered_tools(task, catalogue, tools))
        self.schemas = prompts.schemas(task, names, protocol, tools)
        self.most_turns = most_turns(task, protocol)
        self.calls: list[Call] = []
        self.turn = 0
        """The 0-based number of the reply that calls are taken from."""
        self._episode = Episode(tools, self.offered)

    @property
    def is_over(self) -> bool:
        """Whether no further reply is taken."""
        return self.turn >= self.most_turns

    def call(self, name: str, arguments: Any) -> Executed | None:
        """Make one call; what became of it, or None in the last reply, after which nothing is shown."""
        self.calls.append(Call(name, arguments, self.turn))
        if self.turn + 1 >= self.most_turns:
            return None
        return self._episode.execute(name, arguments)

    def end_turn(self) -> None:
        """The reply is over: calls that follow belong to the next one."""
        self.turn += 1

    def reply(self, calls: Iterable[tuple[str, Any]]) -> list[Executed]:
        """Make all the calls of one reply; what became of them, nothing after the last reply."""
        executed = [self.call(name, arguments) for name, arguments in calls]
        self.end_turn()
        return [result for result in executed if result is not None]
