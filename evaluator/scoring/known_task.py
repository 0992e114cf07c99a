"""What is known of a task before any answer is seen, and the verdicts that its answers have shared so far."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeVar

from dataset_builder.tasks.task import Edge, Step, Task
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from dataset_builder.values.surface_forms import numbers_in
from evaluator.scoring.arguments import Expected
from evaluator.scoring.numbers_in_text import Known, numbers_of
from evaluator.scoring.verdict import Pair, TaskScore
from evaluator.traces.protocols import offered_tools

Key = TypeVar("Key")
Value = TypeVar("Value")
Tokens = tuple[int | None, ...]
ScoreKey = tuple[Tokens, frozenset[str], bool, str | None]
"""The tokens of the calls, the names offered, whether in many turns, and the kind of error in the trace."""
PairKey = tuple[int, int, Tokens]
"""A step, the token of a call, and those of the calls that the verdict hangs on besides."""
MAX_NUMBERS = 1_000
"""So many numbers of one output count as known to the texts after it."""
MOST_KEPT = 200
"""Of one task: scores of answers, readings of pairs, and outputs whose numbers are known."""


class KnownTask:
    """A task with what judging any call of it takes. Computed once, where a trace first needs it."""

    def __init__(self, task: Task, tools: Mapping[str, Tool]) -> None:
        """``tools``: the catalogue that calls are executed with."""
        self.task = task
        self.tools = tools
        self.positions = {step.step_id: i for i, step in enumerate(task.steps)}
        self.sources = [self._sources(step) for step in task.steps]
        self._offered: dict[str, frozenset[str]] = {}
        self._numbers: dict[int, Sequence[float]] = {}
        self.scores: dict[ScoreKey, TaskScore] = {}
        self._readings: dict[PairKey, Sequence[Pair]] = {}

    def offered(self, catalogue: str) -> frozenset[str]:
        """The names of the tools that a catalogue offers."""
        if catalogue not in self._offered:
            names = offered_tools(self.task, catalogue, self.tools)
            self._offered[catalogue] = frozenset(names)
        return self._offered[catalogue]

    def _sources(self, step: Step) -> tuple[int, ...]:
        """The steps that edges into a step come from, each once."""
        positions = (self.positions.get(edge.source) for edge in step.edges)
        return tuple(dict.fromkeys(source for source in positions if source is not None))

    @cached_property
    def expected(self) -> list[Expected]:
        """By step its right call."""
        return [
            Expected(self.tools.get(step.tool), step.arguments, step.match, _fed(step.edges))
            for step in self.task.steps
        ]

    @cached_property
    def optional(self) -> list[Expected]:
        """The optional calls."""
        return [
            Expected(self.tools.get(call["tool"]), call["arguments"])
            for call in self.task.optional_calls
        ]

    @cached_property
    def depends(self) -> list[set[int]]:
        """By step the positions of those that come before it."""
        return [
            {
                self.positions[name]
                for name in (*step.depends_on, *(edge.source for edge in step.edges))
                if name in self.positions
            }
            for step in self.task.steps
        ]

    @cached_property
    def has_free_text(self) -> list[bool]:
        """By step whether text in free words belongs to it: all outputs before its call judge that."""
        return [
            any(
                rule["rule"] == "mentions"
                for match in (step.match, *(each.match for each in step.alternatives))
                for rule in match.values()
            )
            for step in self.task.steps
        ]

    def prompt_numbers(self) -> Known:
        """The numbers of the prompt; the caller may add to them."""
        return Known(list(self._prompt_numbers))

    @cached_property
    def _prompt_numbers(self) -> Sequence[float]:
        prompt = self.task.prompt
        return sorted([*numbers_of(prompt), *numbers_in(prompt)])

    def output_numbers(self, call: Executed) -> Sequence[float]:
        """The numbers of what a call gave."""
        numbers = None if call.token is None else self._numbers.get(call.token)
        if numbers is None:
            numbers = tuple(islice(numbers_of(call.output), MAX_NUMBERS))
            if call.token is not None:
                keep(self._numbers, call.token, numbers)
        return numbers

    def readings(self, key: PairKey) -> Sequence[Pair] | None:
        """The readings of a pair that an earlier answer had as well."""
        return self._readings.get(key)

    def keep(self, key: PairKey, readings: Sequence[Pair]) -> None:
        """Keep the readings of a pair for later answers."""
        keep(self._readings, key, readings)


def keep(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Keep a value; begins anew where there are too many."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value


def _fed(edges: Iterable[Edge]) -> frozenset[str]:
    """The names of the arguments that edges feed."""
    return frozenset(edge.argument.partition(".")[0] for edge in edges)
