"""What one call is worth as one expected step, given which calls its upstream steps are aligned with."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from dataset_builder.references import Unresolved, dig
from dataset_builder.replay import Executed
from dataset_builder.surfaces import numbers_in
from dataset_builder.task import Alternative, Edge, Step, Task
from dataset_builder.tool import Tool
from evaluator.align import QUANTUM, Worth
from evaluator.arguments import ArgumentVerdict, Expected, call_similarity, compare, is_right
from evaluator.match import at_path, contained, equal
from evaluator.mentions import Token, carries, is_too_long, numbers_of, tokens, unknown

Upstream = tuple[int | None, ...]
# So many numbers of one output count as known to the texts after it.
MAX_NUMBERS = 1_000


@dataclass(frozen=True, slots=True)
class EdgeVerdict:
    """Whether one value flowed; ``reason`` says why not, in words."""

    step_id: str
    argument: str
    source: str
    path: str
    satisfied: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """One call taken as one step: its similarity, each argument's, and the step's incoming edges."""

    tool: str
    similarity: float
    arguments: tuple[ArgumentVerdict, ...]
    edges: tuple[EdgeVerdict, ...]
    has_failed: bool

    @property
    def is_right(self) -> bool:
        """What the step score counts: arguments right and every incoming edge satisfied."""
        return is_right(self.similarity) and all(edge.satisfied for edge in self.edges)

    @property
    def worth(self) -> Worth:
        """What the alignment maximises."""
        satisfied = sum(edge.satisfied for edge in self.edges)
        # Of two calls that are alike in all that counts, the answer is the one that worked.
        works = self.is_right and not self.has_failed
        return round(self.similarity * QUANTUM), satisfied, int(works)


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
        self._pairs: dict[tuple[int, int, Upstream], Pair] = {}
        self._strange: dict[tuple[int, str], list[Token]] = {}
        self._known: tuple[int, list[float]] = (-1, [])
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
        alone = self.pair(step, call, nothing)
        if not nothing:
            return alone.worth
        tools = [alternative.tool for alternative in self.task.steps[step].alternatives]
        readings = self._readings(step, call, nothing) if alone.tool in tools else [alone]
        hoped = max(_hoped(pair) for pair in readings)
        return round(hoped * QUANTUM), len(self.task.steps[step].edges), 1

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
        values = [
            self._own(edge, calls.get(self._position.get(edge.source, -1))) for edge in step.edges
        ]
        if executed.arguments is None:
            reasons = ["the arguments are no JSON object"] * len(step.edges)
            return [Pair(executed.name, 0.0, (), _edge_verdicts(step, reasons), True)]
        pairs = [self._as_expected(step, call, values)] if executed.name == step.tool else []
        return pairs + [
            self._as_alternative(step, alternative, call, values)
            for alternative in step.alternatives
            if alternative.tool == executed.name
        ]

    def _own(self, edge: Edge, call: int | None) -> Any:
        """What the model's own upstream call gave for an edge; `Unresolved` says why nothing did."""
        if call is None:
            return Unresolved(f"{edge.source} has no call")
        executed = self.executed[call]
        step = self.task.steps[self._position[edge.source]]
        if executed.output is None or executed.error is not None:
            return Unresolved(f"the call for {edge.source} gave an error")
        value = dig(executed.output, _own_path(step, executed.name, edge.path))
        if isinstance(value, Unresolved):
            return Unresolved(f"the call for {edge.source} gave no {edge.path}")
        return value

    def _as_expected(self, step: Step, call: int, values: Sequence[Any]) -> Pair:
        tool = self._tools.get(step.tool)
        expected = Expected(tool, step.arguments, step.match, _fed(step.edges))
        arguments = self._compare(expected, call, step.edges, values)
        reasons = _faults(expected, self.executed[call].arguments or {}, step.edges, values)
        return Pair(
            step.tool,
            call_similarity(arguments),
            arguments,
            _edge_verdicts(step, reasons),
            self.executed[call].error is not None,
        )

    def _as_alternative(
        self, step: Step, alternative: Alternative, call: int, values: Sequence[Any]
    ) -> Pair:
        """A call to another tool, or with other arguments, that is right as well.

        An edge feeds the alternative's argument that takes the same value. Where none or several do,
        it is satisfied when all arguments are right and the model's own upstream value is the
        expected one.
        """
        tool = self._tools.get(alternative.tool)
        rules = {n: rule for n, rule in step.match.items() if n in alternative.arguments}
        places = [_place(edge, step, alternative) for edge in step.edges]
        edges = [
            replace(edge, argument=place or "")
            for edge, place in zip(step.edges, places, strict=True)
        ]
        expected = Expected(
            tool, alternative.arguments, rules, _fed(e for e in edges if e.argument)
        )
        arguments = self._compare(expected, call, edges, values)
        reasons = _faults(expected, self.executed[call].arguments or {}, edges, values)
        literal = Expected(tool, alternative.arguments, rules)
        is_right_as_written = call_similarity(self._compare(literal, call, (), ())) == 1
        for i, (edge, value) in enumerate(zip(edges, values, strict=True)):
            if not edge.argument:
                reasons[i] = self._unplaced(edge, value, is_right_as_written)
        return Pair(
            alternative.tool,
            call_similarity(arguments),
            arguments,
            _edge_verdicts(step, reasons),
            self.executed[call].error is not None,
        )

    def _unplaced(self, edge: Edge, value: Any, is_right_as_written: bool) -> str:
        """Why an edge is not satisfied whose value could go anywhere; nothing where it is."""
        if isinstance(value, Unresolved):
            return value.reference
        if not equal(None, self._expected_value(edge), value):
            return f"the call for {edge.source} gave another {edge.path}"
        return "" if is_right_as_written else "the call is not right as the alternative that it is"

    def _expected_value(self, edge: Edge) -> Any:
        return dig(self.task.steps[self._position[edge.source]].output, edge.path)

    def _compare(
        self, expected: Expected, call: int, edges: Sequence[Edge], values: Sequence[Any]
    ) -> tuple[ArgumentVerdict, ...]:
        own = self._own_by_argument(expected, edges, values)
        arguments = self.executed[call].arguments or {}
        return compare(expected, arguments, own, partial(self._made_up, call))

    def _own_by_argument(
        self, expected: Expected, edges: Sequence[Edge], values: Sequence[Any]
    ) -> dict[str, dict[tuple[str, ...], Any]]:
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
        return own

    def _listed(
        self, edge: Edge, listed: Sequence[Any], taken: Mapping[tuple[str, ...], Any]
    ) -> list[str]:
        """The position in a mentions rule of the value that an edge brings."""
        wanted = self._expected_value(edge)
        for position, value in enumerate(listed):
            if value == wanted and (str(position),) not in taken:
                return [str(position)]
        return [str(len(listed))]

    def _made_up(self, call: int, text: str) -> list[Token]:
        """The numbers of a text that stand neither in the prompt nor in the outputs before a call."""
        if (call, text) not in self._strange:
            self._strange[call, text] = unknown(tokens(text), self._known_before(call))
        return self._strange[call, text]

    def _known_before(self, call: int) -> Sequence[float]:
        """The numbers of the prompt and of the outputs before a call, ascending.

        Calls mostly come in order, so that each adds what the ones since the last time gave.
        """
        upto, known = self._known
        if not 0 <= upto <= call:
            prompt = self.task.prompt
            upto, known = 0, sorted([*numbers_of(prompt), *numbers_in(prompt)])
        outputs = [done.output for done in self.executed[upto:call]]
        new = [n for output in outputs for n in islice(numbers_of(output), MAX_NUMBERS)]
        if new:
            known = sorted([*known, *new])
        self._known = (call, known)
        return known


def _hoped(pair: Pair) -> float:
    """The similarity of a pair if all that edges feed were right: the same mean, rounded the same."""
    hoped = [replace(v, similarity=1.0) if v.is_fed else v for v in pair.arguments]
    return call_similarity(hoped) if hoped else pair.similarity


def _candidates(step: Step, by_name: Mapping[str, list[int]]) -> list[int]:
    if not step.alternatives:
        return by_name.get(step.tool, [])
    names = {step.tool, *(alternative.tool for alternative in step.alternatives)}
    return sorted(number for name in names for number in by_name.get(name, ()))


def _fed(edges: Iterable[Edge]) -> frozenset[str]:
    """The names of the arguments that edges feed."""
    return frozenset(edge.argument.partition(".")[0] for edge in edges)


def _edge_verdicts(step: Step, reasons: Sequence[str]) -> tuple[EdgeVerdict, ...]:
    return tuple(
        EdgeVerdict(step.step_id, edge.argument, edge.source, edge.path, not reason, reason)
        for edge, reason in zip(step.edges, reasons, strict=True)
    )


def _place(edge: Edge, step: Step, alternative: Alternative) -> str | None:
    """The argument of an alternative that takes what an edge brings, where there is just one."""
    name = edge.argument.partition(".")[0]
    if name in step.match:
        return edge.argument if name in alternative.arguments else None
    wanted = dig(step.arguments, edge.argument)
    places = [
        path
        for path, value in _places(alternative.arguments, "")
        if value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
    ]
    if edge.argument in places:
        return edge.argument
    return places[0] if len(places) == 1 else None


def _places(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Everything below some arguments, with its dotted path."""
    parts = value.items() if isinstance(value, Mapping) else enumerate(value)
    for key, part in parts:
        yield f"{path}{key}", part
        if isinstance(part, dict | list):
            yield from _places(part, f"{path}{key}.")


def _own_path(step: Step, tool: str, path: str) -> str:
    """Where the tool that was called gives what the step gives at ``path``."""
    if tool == step.tool:
        return path
    for alternative in step.alternatives:
        if alternative.tool == tool:
            head = path
            while head:
                if head in alternative.outputs:
                    return alternative.outputs[head] + path[len(head) :]
                head = head.rpartition(".")[0]
    return path


def _faults(
    expected: Expected, arguments: Mapping[str, Any], edges: Sequence[Edge], values: Sequence[Any]
) -> list[str]:
    """For each edge why its value did not flow into a call; nothing where it did."""
    faults = [
        _fault(expected, arguments, edge, value) for edge, value in zip(edges, values, strict=True)
    ]
    for name, places in _edges_into_sets(expected, edges).items():
        # The set must hold each value, one to one.
        usable = [i for i in places if not isinstance(values[i], Unresolved)]
        kind = expected.kind(name)
        item = None if kind is None else kind.item
        held = contained(item, [values[i] for i in usable], expected.given(name, arguments))
        for i, is_held in zip(usable, held, strict=True):
            faults[i] = "" if is_held else f"{name} does not hold that value"
    return faults


def _edges_into_sets(expected: Expected, edges: Sequence[Edge]) -> dict[str, list[int]]:
    """Positions of the edges into items of a set, by its name."""
    groups: dict[str, list[int]] = {}
    for i, edge in enumerate(edges):
        name, dot, item = edge.argument.partition(".")
        kind = expected.kind(name)
        if dot and "." not in item and kind is not None and kind.name == "set":
            groups.setdefault(name, []).append(i)
    return groups


def _fault(expected: Expected, arguments: Mapping[str, Any], edge: Edge, value: Any) -> str:
    if isinstance(value, Unresolved):
        return value.reference
    name, *path = edge.argument.split(".")
    given = expected.given(name, arguments)
    if given is None:
        return f"{name} is missing"
    if expected.rule(name) == "mentions":
        return _mention_fault(expected, name, given, value)
    kind, found = at_path(expected.kind(name), given, path)
    return "" if equal(kind, value, found) else f"{edge.argument} is another value"


def _mention_fault(expected: Expected, name: str, given: Any, value: Any) -> str:
    text = expected.text(name, given)
    if text is None:
        return f"{name} is no text"
    if is_too_long(text, [*expected.rules[name]["values"], value]):
        return f"{name} is too long"
    return "" if carries(text, value) else f"{name} does not carry that value"
