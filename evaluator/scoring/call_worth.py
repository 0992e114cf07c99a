"""What one call is worth as one expected step, given which calls its upstream steps are aligned with."""

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Any

from dataset_builder.tasks.task import Step
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from evaluator.scoring.align import Worth
from evaluator.scoring.alternatives import as_alternative
from evaluator.scoring.arguments import Surroundings, call_similarity, compare
from evaluator.scoring.data_flow import edge_verdicts, flows, stopped
from evaluator.scoring.known_numbers import KnownNumbers
from evaluator.scoring.known_task import KnownTask, PairKey
from evaluator.scoring.upstream_values import Upstream
from evaluator.scoring.verdict import Pair, pair_of

UpstreamCalls = tuple[int | None, ...]
"""The call of each of a step's sources."""
# Two answers hardly share what stands behind so many calls.
_MOST_BEFORE = 20


class Scene:
    """One trace's executed calls in front of one task's steps; every pair is judged at most once."""

    def __init__(
        self, known: KnownTask, executed: Sequence[Executed], offered: Container[str]
    ) -> None:
        """A call to a tool that was not offered is no candidate for any step."""
        self.known = known
        self.task = known.task
        self.executed = executed
        self.sources = known.sources
        self._tools = known.tools
        self._tokens = [call.token for call in executed]
        self._numbers = KnownNumbers(known, executed)
        self._pairs: dict[tuple[int, int, UpstreamCalls], Pair] = {}
        by_name: dict[str, list[int]] = {}
        for number, call in enumerate(executed):
            if call.name in offered:
                by_name.setdefault(call.name, []).append(number)
        self.candidates = [_candidates(step, by_name) for step in self.task.steps]

    def worth(self, step: int, call: int, upstream: UpstreamCalls) -> Worth:
        """What the call is worth as the step; ``upstream``: the call of each of its `sources`."""
        return self.pair(step, call, upstream).worth

    def ceiling(self, step: int, call: int) -> Worth:
        """At least what the call is worth as the step, whatever its upstream steps are aligned with."""
        nothing = (None,) * len(self.sources[step])
        if not nothing:
            return self.pair(step, call, nothing).worth
        hopes = [pair.hope for pair in self._shared_readings(step, call, nothing)]
        right, similarity = (max(parts) for parts in zip(*hopes, strict=True))
        return right, similarity, len(self.task.steps[step].edges)

    def pair(self, step: int, call: int, upstream: UpstreamCalls) -> Pair:
        """The verdict on a call taken as a step."""
        key = (step, call, upstream)
        pair = self._pairs.get(key)
        if pair is None:
            readings = self._shared_readings(step, call, upstream)
            pair = max(readings, key=lambda pair: pair.worth) if len(readings) > 1 else readings[0]
            self._pairs[key] = pair
        return pair

    def _shared_readings(self, step: int, call: int, upstream: UpstreamCalls) -> Sequence[Pair]:
        """As `_readings`; an answer that had equal calls may have met them before."""
        key = self._key(step, call, upstream)
        readings = None if key is None else self.known.readings(key)
        if readings is None:
            readings = self._readings(step, call, upstream)
            if key is not None:
                self.known.keep(key, readings)
        return readings

    def _key(self, step: int, call: int, upstream: UpstreamCalls) -> PairKey | None:
        """What the verdict on a pair hangs on; None where that is known of this trace alone."""
        token = self._tokens[call]
        if token is None:
            return None
        around = [None if source is None else self._tokens[source] for source in upstream]
        if any(
            token is None and source is not None
            for token, source in zip(around, upstream, strict=True)
        ):
            return None
        if self.known.has_free_text[step]:
            before = self._tokens[:call]
            if call > _MOST_BEFORE or None in before:
                return None
            around += before
        return step, token, tuple(around)

    def _readings(self, position: int, call: int, upstream_calls: UpstreamCalls) -> list[Pair]:
        """The call taken as the step itself and as each of its alternatives, where the tool fits."""
        step, executed = self.task.steps[position], self.executed[call]
        if executed.arguments is None:
            flow = [stopped("the arguments are no JSON object")] * len(step.edges)
            return [pair_of(executed.name, 0.0, (), edge_verdicts(step, flow), has_failed=True)]
        calls = dict(zip(self.sources[position], upstream_calls, strict=True))
        upstream = Upstream(self.task.steps, self.known.positions, self.executed, calls)
        pairs = []
        if executed.name == step.tool:
            values = [upstream.value(edge) for edge in step.edges]
            pairs = [
                self._as_expected(position, call, upstream, values, arguments)
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
        position: int,
        call: int,
        upstream: Upstream,
        values: Sequence[Any],
        arguments: Mapping[str, Any],
    ) -> Pair:
        """The call taken as the step itself; ``values``: what its own upstream gave, edge by edge."""
        step, expected = self.task.steps[position], self.known.expected[position]
        around = Surroundings(
            upstream.by_argument(expected, step.edges, values),
            partial(self._numbers.made_up, call),
            lambda: self.executed[call].output == step.output,
        )
        verdicts = compare(expected, arguments, around)
        flow = flows(expected, arguments, step.edges, values, around.fed_values)
        edges, has_failed = edge_verdicts(step, flow), self.executed[call].error is not None
        similarity = call_similarity(verdicts)
        return pair_of(step.tool, similarity, verdicts, edges, has_failed=has_failed)


def _orders(tool: Tool | None, arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arguments as they are, and with those two changed over that may change places."""
    if tool is None or tool.symmetric is None or not arguments.keys() >= set(tool.symmetric):
        return [arguments]
    one, other = tool.symmetric
    return [arguments, {**arguments, one: arguments[other], other: arguments[one]}]


def _candidates(step: Step, by_name: Mapping[str, list[int]]) -> list[int]:
    if not step.alternatives:
        return by_name.get(step.tool, [])
    names = {step.tool, *(alternative.tool for alternative in step.alternatives)}
    return sorted(number for name in names for number in by_name.get(name, ()))
