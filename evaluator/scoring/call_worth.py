"""What one call is worth as one expected step, given which calls its upstream steps are aligned with."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from dataset_builder.tasks.task import Alternative, Edge, Step, Task
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from dataset_builder.values.references import (
    Unresolved,
    dig,
    project,
    references,
    resolve,
    unresolved,
)
from dataset_builder.values.surface_forms import leaves, numbers_in
from evaluator.scoring.align import QUANTUM, Worth
from evaluator.scoring.arguments import (
    ArgumentVerdict,
    Expected,
    Surroundings,
    call_similarity,
    compare,
)
from evaluator.scoring.data_flow import FLOWED, EdgeVerdict, Flow, edge_verdicts, flows, stopped
from evaluator.scoring.exact_match import same_given
from evaluator.scoring.mentions import MadeUp, made_up_beside
from evaluator.scoring.numbers_in_text import Known, numbers_of
from evaluator.scoring.tolerant_match import Own

Upstream = tuple[int | None, ...]
# So many numbers of one output count as known to the texts after it.
MAX_NUMBERS = 1_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One call taken as one step: its similarity, each argument's, and the step's incoming edges."""

    tool: str
    similarity: float
    arguments: tuple[ArgumentVerdict, ...]
    edges: tuple[EdgeVerdict, ...]
    has_failed: bool

    @property
    def is_exact_call(self) -> bool:
        """Whether it ran without an error and every argument is exact."""
        return not self.has_failed and all(verdict.is_exact for verdict in self.arguments)

    @property
    def is_right(self) -> bool:
        """What the step score counts: an exact call along whose edges the values flowed exactly."""
        return self.is_exact_call and all(edge.is_exact for edge in self.edges)

    @property
    def worth(self) -> Worth:
        """What the alignment maximises."""
        satisfied = sum(edge.satisfied for edge in self.edges)
        return int(self.is_right), round(self.similarity * QUANTUM), satisfied


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
        self._expected_outputs = [step.output for step in task.steps]
        self._position = {step.step_id: i for i, step in enumerate(task.steps)}
        self._pairs: dict[tuple[int, int, Upstream], Pair] = {}
        self._made_up_in: dict[tuple[int, str], MadeUp] = {}
        self._known: tuple[int, Known] = (-1, Known())
        by_name: dict[str, list[int]] = {}
        for number, call in enumerate(executed):
            if call.name in offered:
                by_name.setdefault(call.name, []).append(number)
        self.candidates = [_candidates(step, by_name) for step in task.steps]
        self.sources = [self._sources(step) for step in task.steps]

    def _sources(self, step: Step) -> tuple[int, ...]:
        """The steps that edges into a step come from, each once."""
        found = (self._position.get(edge.source) for edge in step.edges)
        return tuple(dict.fromkeys(source for source in found if source is not None))

    def worth(self, step: int, call: int, upstream: Upstream) -> Worth:
        """What the call is worth as the step; ``upstream``: the call of each of its `sources`."""
        return self.pair(step, call, upstream).worth

    def ceiling(self, step: int, call: int) -> Worth:
        """At least what the call is worth as the step, whatever its upstream steps are aligned with."""
        nothing = (None,) * len(self.sources[step])
        if not nothing:
            return self.pair(step, call, nothing).worth
        hoped = [_hoped(pair) for pair in self._readings(step, call, nothing)]
        right, similarity = (max(parts) for parts in zip(*hoped, strict=True))
        return right, similarity, len(self.task.steps[step].edges)

    def pair(self, step: int, call: int, upstream: Upstream) -> Pair:
        """The verdict on a call taken as a step."""
        key = (step, call, upstream)
        if key not in self._pairs:
            readings = self._readings(step, call, upstream)
            self._pairs[key] = max(readings, key=lambda pair: pair.worth)
        return self._pairs[key]

    def _readings(self, position: int, call: int, upstream: Upstream) -> list[Pair]:
        """The call taken as the step itself and as each of its alternatives, where the tool fits."""
        step, executed = self.task.steps[position], self.executed[call]
        calls = dict(zip(self.sources[position], upstream, strict=True))
        if executed.arguments is None:
            flow = [stopped("the arguments are no JSON object")] * len(step.edges)
            return [Pair(executed.name, 0.0, (), edge_verdicts(step, flow), True)]
        pairs = []
        if executed.name == step.tool:
            own = [
                self._own(edge.source, edge.path, calls.get(self._position.get(edge.source, -1)))
                for edge in step.edges
            ]
            pairs = [
                self._as_expected(step, call, own, arguments)
                for arguments in _orders(self._tools.get(step.tool), executed.arguments)
            ]
        return pairs + [
            self._as_alternative(step, alternative, call, calls)
            for alternative in step.alternatives
            if alternative.tool == executed.name
        ]

    # What the model's own calls gave ---------------------------------------------------------

    def _own(self, source: str, path: str, call: int | None) -> Any:
        """What the model's own call for a step gave at a path; `Unresolved` says why nothing did."""
        if call is None:
            return Unresolved(f"{source} has no call")
        if self.executed[call].error is not None:
            return Unresolved(f"the call for {source} gave an error")
        step = self.task.steps[self._position[source]]
        value = dig(_as_output_of(step, self.executed[call]), path)
        if isinstance(value, Unresolved):
            return Unresolved(f"the call for {source} gave no {path}")
        return value

    def _expected_value(self, edge: Edge) -> Any:
        return dig(self.task.steps[self._position[edge.source]].output, edge.path)

    # The two ways in which a call can be right ------------------------------------------------

    def _as_expected(
        self, step: Step, call: int, own: Sequence[Any], given: Mapping[str, Any]
    ) -> Pair:
        expected = Expected(
            self._tools.get(step.tool), step.arguments, step.match, _fed(step.edges)
        )
        around = Surroundings(
            self._own_by_argument(expected, step.edges, own),
            lambda text: self._made_up(call, text),
            lambda: self.executed[call].output == step.output,
        )
        arguments = compare(expected, given, around)
        edges = edge_verdicts(step, flows(expected, given, step.edges, own, around.own))
        return self._paired(step.tool, call, arguments, edges)

    def _as_alternative(
        self, step: Step, alternative: Alternative, call: int, calls: Mapping[int, int | None]
    ) -> Pair:
        """A call to another tool, or with other arguments, that is right as well.

        Its references are resolved against the model's own upstream outputs. It satisfies the step's
        edges if it is then exact; the value of an edge that no reference of it takes has to be the
        expected one.
        """
        outputs = self._own_outputs(calls)
        fed = frozenset(n for n, value in alternative.arguments.items() if _taken([value]))
        resolved = {name: resolve(alternative.arguments[name], outputs) for name in fed}
        own: dict[str, Own] = {n: {(): v} for n, v in resolved.items() if unresolved(v) is None}
        expected = Expected(
            self._tools.get(alternative.tool),
            {n: resolve(v, self._expected_outputs) for n, v in alternative.arguments.items()},
            {n: self._with_inputs(rule, outputs) for n, rule in alternative.match.items()},
            fed,
        )
        around = Surroundings(own, lambda text: self._made_up(call, text))
        verdicts = compare(expected, self.executed[call].arguments or {}, around)
        pair = self._paired(alternative.tool, call, verdicts, ())
        taken = _taken(alternative.arguments.values())
        flow = [
            self._flow_into_alternative(edge, taken, calls, is_exact=pair.is_exact_call)
            for edge in step.edges
        ]
        return replace(pair, edges=edge_verdicts(step, flow))

    def _paired(
        self,
        tool: str,
        call: int,
        arguments: tuple[ArgumentVerdict, ...],
        edges: tuple[EdgeVerdict, ...],
    ) -> Pair:
        has_failed = self.executed[call].error is not None
        return Pair(tool, call_similarity(arguments), arguments, edges, has_failed)

    def _flow_into_alternative(
        self,
        edge: Edge,
        taken: Iterable[tuple[int, str]],
        calls: Mapping[int, int | None],
        *,
        is_exact: bool,
    ) -> Flow:
        position = self._position.get(edge.source, -1)
        own = self._own(edge.source, edge.path, calls.get(position))
        if isinstance(own, Unresolved):
            return stopped(own.reference)
        if not is_exact:
            return stopped("the call is not right as the alternative that it is")
        is_taken = any(
            number == position + 1 and f"{path}.".startswith(f"{edge.path}.")
            for number, path in taken
        )
        if is_taken or same_given(None, self._expected_value(edge), own):
            return FLOWED
        return stopped(f"the call for {edge.source} gave another {edge.path}")

    def _own_outputs(self, calls: Mapping[int, int | None]) -> list[Any]:
        """By step what the model's own call for it gave; None where nothing can be referred to."""
        outputs: list[Any] = [None] * len(self.task.steps)
        for position, call in calls.items():
            if call is not None and self.executed[call].error is None:
                outputs[position] = _as_output_of(self.task.steps[position], self.executed[call])
        return outputs

    def _with_inputs(self, rule: Mapping[str, Any], outputs: Sequence[Any]) -> Mapping[str, Any]:
        """A rule with its references resolved: to the model's own values where there are any."""
        if "inputs" not in rule:
            return rule
        inputs = resolve(rule["inputs"], outputs)
        if unresolved(inputs) is not None:
            inputs = resolve(rule["inputs"], self._expected_outputs)
        return {**rule, "inputs": inputs}

    def _own_by_argument(
        self, expected: Expected, edges: Sequence[Edge], values: Sequence[Any]
    ) -> dict[str, Own]:
        """The model's own values by argument and place (under mentions: position in the list)."""
        own: dict[str, dict[tuple[str, ...], Any]] = {}
        for edge, value in zip(edges, values, strict=True):
            name, *path = edge.argument.split(".")
            if name not in expected.fed or isinstance(value, Unresolved):
                continue
            places = own.setdefault(name, {})
            if expected.rule(name) == "mentions":
                path = self._listed(edge, expected.rules[name]["values"], places)
            places[tuple(path)] = value
        return dict(own)

    def _listed(
        self, edge: Edge, listed: Sequence[Any], taken: Mapping[tuple[str, ...], Any]
    ) -> list[str]:
        """The position in a mentions rule of the value that an edge brings."""
        wanted = self._expected_value(edge)
        for position, value in enumerate(listed):
            if value == wanted and (str(position),) not in taken:
                return [str(position)]
        return [str(len(listed))]

    # What a text may know ----------------------------------------------------------------------

    def _made_up(self, call: int, text: str) -> MadeUp:
        """The numbers of a text that stand neither in the prompt nor in the outputs before a call."""
        if (call, text) not in self._made_up_in:
            self._made_up_in[call, text] = made_up_beside(text, self._known_before(call))
        return self._made_up_in[call, text]

    def _known_before(self, call: int) -> Known:
        """The numbers of the prompt and of what the calls before a call gave.

        Calls mostly come in order, so that each adds what the ones since the last time gave.
        """
        upto, known = self._known
        if not 0 <= upto <= call:
            upto, known = 0, Known()
            known.add([*numbers_of(self.task.prompt), *numbers_in(self.task.prompt)])
        # An error may repeat whatever it was given.
        outputs = [done.output for done in self.executed[upto:call] if done.error is None]
        known.add(n for output in outputs for n in islice(numbers_of(output), MAX_NUMBERS))
        self._known = (call, known)
        return known


def _as_output_of(step: Step, executed: Executed) -> dict[str, Any]:
    """What a call gave, at the paths where the step that it stands for gives it."""
    output = dict(executed.output or {})
    given: dict[str, Any] = output if executed.name == step.tool else {}
    for alternative in step.alternatives:
        if alternative.tool == executed.name:
            for path, twin in alternative.outputs.items():
                if given.get(path) in (None, [], {}, ""):
                    value = project(output, twin)
                    given |= {} if isinstance(value, Unresolved) else {path: value}
    return given


def _orders(tool: Tool | None, arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arguments as they are, and with those two changed over that may change places."""
    if tool is None or tool.symmetric is None or not arguments.keys() >= set(tool.symmetric):
        return [arguments]
    one, other = tool.symmetric
    return [arguments, {**arguments, one: arguments[other], other: arguments[one]}]


def _hoped(pair: Pair) -> tuple[int, int]:
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


def _taken(values: Iterable[Any]) -> set[tuple[int, str]]:
    """The step numbers and paths that references in JSON values point at."""
    return {
        (number, ".".join(path))
        for text in leaves(list(values))
        if isinstance(text, str)
        for _, number, path in references(text)
    }
