"""What one call is worth as one expected step, given which calls its upstream steps are aligned with."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dataset_builder.tasks.task import Edge, Step, Task
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from evaluator.scoring.align import QUANTUM, Worth
from evaluator.scoring.alternatives import as_alternative
from evaluator.scoring.arguments import Expected, Surroundings, call_similarity, compare
from evaluator.scoring.data_flow import edge_verdicts, flows, stopped
from evaluator.scoring.known_numbers import KnownNumbers
from evaluator.scoring.upstream_values import Upstream
from evaluator.scoring.verdict import Pair

UpstreamCalls = tuple[int | None, ...]
"""The call of each of a step's sources."""


class Scene:
    """One trace's executed calls in front of one task's steps; every pair is judged at most once."""

    def __init__(
        self,
        task: Task,
        executed: Sequence[Executed],
        tools: Mapping[str, Tool],
        offered: Container[str],
    ) -> None:
        """A call to a tool that was not offered is no candidate for any step."""
        self.task = task
        self.executed = executed
        self._tools = tools
        self._position = {step.step_id: i for i, step in enumerate(task.steps)}
        self._numbers = KnownNumbers(task.prompt, executed)
        self._pairs: dict[tuple[int, int, UpstreamCalls], Pair] = {}
        by_name: dict[str, list[int]] = {}
        for number, call in enumerate(executed):
            if call.name in offered:
                by_name.setdefault(call.name, []).append(number)
        self.candidates = [_candidates(step, by_name) for step in task.steps]
        self.sources = [self._sources(step) for step in task.steps]

    def _sources(self, step: Step) -> tuple[int, ...]:
        """The steps that edges into a step come from, each once."""
        positions = (self._position.get(edge.source) for edge in step.edges)
        return tuple(dict.fromkeys(source for source in positions if source is not None))

    def worth(self, step: int, call: int, upstream: UpstreamCalls) -> Worth:
        """What the call is worth as the step; ``upstream``: the call of each of its `sources`."""
        return self.pair(step, call, upstream).worth

    def ceiling(self, step: int, call: int) -> Worth:
        """At least what the call is worth as the step, whatever its upstream steps are aligned with."""
        nothing = (None,) * len(self.sources[step])
        if not nothing:
            return self.pair(step, call, nothing).worth
        hopes = [_hope(pair) for pair in self._readings(step, call, nothing)]
        right, similarity = (max(parts) for parts in zip(*hopes, strict=True))
        return right, similarity, len(self.task.steps[step].edges)

    def pair(self, step: int, call: int, upstream: UpstreamCalls) -> Pair:
        """The verdict on a call taken as a step."""
        key = (step, call, upstream)
        if key not in self._pairs:
            readings = self._readings(step, call, upstream)
            self._pairs[key] = max(readings, key=lambda pair: pair.worth)
        return self._pairs[key]

    def _readings(self, position: int, call: int, upstream_calls: UpstreamCalls) -> list[Pair]:
        """The call taken as the step itself and as each of its alternatives, where the tool fits."""
        step, executed = self.task.steps[position], self.executed[call]
        if executed.arguments is None:
            flow = [stopped("the arguments are no JSON object")] * len(step.edges)
            return [Pair(executed.name, 0.0, (), edge_verdicts(step, flow), True)]
        calls = dict(zip(self.sources[position], upstream_calls, strict=True))
        upstream = Upstream(self.task.steps, self._position, self.executed, calls)
        pairs = []
        if executed.name == step.tool:
            values = [upstream.value(edge) for edge in step.edges]
            pairs = [
                self._as_expected(step, call, upstream, values, arguments)
                for arguments in _orders(self._tools.get(step.tool), executed.arguments)
            ]
        tool, made_up = self._tools.get(executed.name), partial(self._numbers.made_up, call)
        return pairs + [
            as_alternative(step, alternative, executed, tool, upstream, made_up)
            for alternative in step.alternatives
            if alternative.tool == executed.name
        ]

    def _as_expected(
        self,
        step: Step,
        call: int,
        upstream: Upstream,
        values: Sequence[Any],
        arguments: Mapping[str, Any],
    ) -> Pair:
        """The call taken as the step itself; ``values``: what its own upstream gave, edge by edge."""
        expected = Expected(
            self._tools.get(step.tool), step.arguments, step.match, _fed(step.edges)
        )
        around = Surroundings(
            upstream.by_argument(expected, step.edges, values),
            partial(self._numbers.made_up, call),
            lambda: self.executed[call].output == step.output,
        )
        verdicts = compare(expected, arguments, around)
        flow = flows(expected, arguments, step.edges, values, around.fed_values)
        edges, has_failed = edge_verdicts(step, flow), self.executed[call].error is not None
        return Pair(step.tool, call_similarity(verdicts), verdicts, edges, has_failed)


def _orders(tool: Tool | None, arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arguments as they are, and with those two changed over that may change places."""
    if tool is None or tool.symmetric is None or not arguments.keys() >= set(tool.symmetric):
        return [arguments]
    one, other = tool.symmetric
    return [arguments, {**arguments, one: arguments[other], other: arguments[one]}]


def _hope(pair: Pair) -> tuple[int, int]:
    """A pair's rightness and similarity if all that edges feed were right: the mean rounded the same."""
    hoped = [replace(v, similarity=1.0, is_exact=True) if v.is_fed else v for v in pair.arguments]
    similarity = call_similarity(hoped) if hoped else pair.similarity
    is_exact = not pair.has_failed and all(verdict.is_exact for verdict in hoped)
    return int(is_exact), round(similarity * QUANTUM)


def _candidates(step: Step, by_name: Mapping[str, list[int]]) -> list[int]:
    if not step.alternatives:
        return by_name.get(step.tool, [])
    names = {step.tool, *(alternative.tool for alternative in step.alternatives)}
    return sorted(number for name in names for number in by_name.get(name, ()))


def _fed(edges: Iterable[Edge]) -> frozenset[str]:
    """The names of the arguments that edges feed."""
    return frozenset(edge.argument.partition(".")[0] for edge in edges)
