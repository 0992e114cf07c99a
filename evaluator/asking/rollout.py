"""One task while it is answered: what it offers, the calls made so far, and what they give."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from dataset_builder.tasks.task import Task
from dataset_builder.tools.replay import Episode, Executed
from dataset_builder.tools.tool import Tool
from evaluator.asking import prompts
from evaluator.asking.scramble import made_up_names, real_name, scrambled
from evaluator.traces.protocols import most_turns, offered_tools
from evaluator.traces.trace import Call
from evaluator.traces.variations import PLAIN, Variation


class Rollout:
    """A task under a protocol and a catalogue, whoever answers it and in whatever form."""

    def __init__(
        self,
        task: Task,
        protocol: str,
        catalogue: str,
        tools: Mapping[str, Tool],
        variation: Variation = PLAIN,
    ) -> None:
        """``catalogue``: its one name (`canonical_catalogue`)."""
        self.withheld = variation.withheld_of(task)
        names = [n for n in offered_tools(task, catalogue, tools) if n not in self.withheld]
        self.made_up = made_up_names(task, tools, variation)
        schemas = prompts.schemas(task, names, protocol, tools)
        self.schemas = scrambled(schemas, variation, self.made_up)
        self.offered = frozenset(self.made_up[name] if self.made_up else name for name in names)
        """The names that a model is told."""
        self.most_turns = most_turns(task, protocol)
        self.calls: list[Call] = []
        """Under the tools' own names."""
        self.turn = 0
        """The 0-based number of the reply that calls are taken from."""
        self._episode = Episode(tools, frozenset(names), variation.faults_of(task))

    @property
    def is_over(self) -> bool:
        """Whether no further reply is taken."""
        return self.turn >= self.most_turns

    def call(self, name: str, arguments: Any) -> Executed | None:
        """Make one call; what became of it, or None in the last reply, after which nothing is shown."""
        real = real_name(name, self.made_up)
        self.calls.append(Call(real, arguments, self.turn))
        if self.turn + 1 >= self.most_turns:
            return None
        # What goes back is told in the model's own words.
        return replace(self._episode.execute(real, arguments), name=name)

    def end_turn(self) -> None:
        """The reply is over: calls that follow belong to the next one."""
        self.turn += 1

    def reply(self, calls: Iterable[tuple[str, Any]]) -> list[Executed]:
        """Make all the calls of one reply; what became of them, nothing after the last reply."""
        executed = [self.call(name, arguments) for name, arguments in calls]
        self.end_turn()
        return [result for result in executed if result is not None]
