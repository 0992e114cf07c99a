"""How the second scorer reads one call as one step: its arguments, and the values that flow into them."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import Alternative, Edge, Step, Task
from dataset_builder.tools.replay import Executed, replay
from dataset_builder.tools.tool import Parameter, Tool
from dataset_builder.values.expression import ExpressionError, evaluate, numbers_used
from dataset_builder.values.kinds import Kind, kind_of
from dataset_builder.values.references import Unresolved, dig, project, references, render
from dataset_builder.values.surface_forms import leaves
from evaluator.traces.protocols import offered_tools
from evaluator.traces.trace import Trace
from tests.differential.second_texts import carries, is_too_long, mention_score
from tests.differential.second_values import (
    Want,
    list_similarity,
    one_to_one,
    parsed,
    same_number,
    similarity,
    want_similarity,
)


@dataclass(frozen=True)
class Verdict:
    """What one reading of a call as a step gives."""

    exact: bool
    similarity: float
    strict_edges: int
    edges: int


class Readings:
    """The calls of one trace as steps of one task."""

    def __init__(self, task: Task, trace: Trace, tools: Mapping[str, Tool]) -> None:
        self.task, self.trace, self.tools = task, trace, tools
        self.offered = offered_tools(task, trace.catalogue or "full", tools)
        calls = [(call.name, call.arguments) for call in trace.calls]
        self.executed = replay(calls, tools, self.offered)
        self.number = {step.step_id: i for i, step in enumerate(task.steps)}
        self.seen_verdicts: dict[Any, Verdict] = {}

    # What the model's own calls gave

    def own(self, step: Step, call: int | None, path: str) -> Any:
        """What the model's own call of a step gave at an expected output path."""
        if call is None or self.executed[call].error is not None:
            return Unresolved(path)
        name, output = self.executed[call].name, self.executed[call].output
        upstream_value = dig(output, path) if name == step.tool else Unresolved(path)
        if not isinstance(upstream_value, Unresolved) and upstream_value not in (None, "", [], {}):
            return upstream_value
        for other in step.alternatives:
            for expected, twin in other.outputs.items():
                if other.tool == name and (path == expected or path.startswith(f"{expected}.")):
                    value = project(output, twin)
                    rest = path[len(expected) + 1 :]
                    value = (
                        dig(value, rest) if rest and not isinstance(value, Unresolved) else value
                    )
                    if not isinstance(value, Unresolved):
                        return value
        return upstream_value

    def feed(self, edge: Edge, assigned: Sequence[int | None]) -> Any:
        """The value that flows along an edge."""
        source = self.number[edge.source]
        return self.own(self.task.steps[source], assigned[source], edge.path)

    # Readings

    def verdict(self, i: int, assigned: Sequence[int | None]) -> Verdict:
        """The best reading of the call that is assigned to a step."""
        step, call = self.task.steps[i], assigned[i]
        assert call is not None
        sources = sorted({self.number[e.source] for e in step.edges})
        key = (i, call, *(assigned[s] for s in sources))
        if key not in self.seen_verdicts:
            readings = list(self.readings(step, self.executed[call], call, assigned))
            self.seen_verdicts[key] = max(
                readings,
                key=lambda v: (
                    v.exact and v.strict_edges == len(step.edges),
                    v.similarity,
                    v.edges,
                ),
            )
        return self.seen_verdicts[key]

    def readings(
        self, step: Step, done: Executed, call: int, assigned: Sequence[int | None]
    ) -> Iterator[Verdict]:
        """The call as the step, with its symmetric arguments changed, and as each alternative."""
        if done.arguments is None:
            yield Verdict(False, 0.0, 0, 0)
            return
        arguments = dict(done.arguments)
        seen = [self.task.prompt, *(e.output for e in self.executed[:call] if e.error is None)]
        if done.name == step.tool:
            yield self.as_step(step, done, arguments, assigned, seen)
            tool = self.tools.get(step.tool)
            if tool and tool.symmetric:
                one, other = tool.symmetric
                swap = {one: other, other: one}
                swapped = {swap.get(name, name): value for name, value in arguments.items()}
                yield self.as_step(step, done, swapped, assigned, seen)
        for other_way in step.alternatives:
            if other_way.tool == done.name:
                yield self.as_alternative(step, other_way, done, arguments, assigned)

    def as_step(
        self,
        step: Step,
        done: Executed,
        arguments: Mapping[str, Any],
        assigned: Sequence[int | None],
        seen: Sequence[Any],
    ) -> Verdict:
        """The call read as the expected tool's."""
        gives_expected = done.output == step.output
        values = {edge: self.feed(edge, assigned) for edge in step.edges}
        by_name: dict[str, list[Edge]] = {}
        for edge in step.edges:
            by_name.setdefault(edge.argument.split(".")[0], []).append(edge)

        def judge(name: str, got: Any, exact: bool) -> float:
            edges = by_name.get(name, [])
            kind = self.kind(step.tool, name)
            if name in step.match:
                wants = self.listed(step, step.match[name], edges, values)
                score = mention_score(got, wants, step.match[name], seen, exact)
                return float(score == 1.0) if exact else score
            expected = step.arguments[name]
            if any(edge.argument == name for edge in edges):
                want = Want(expected, _known(values[edges[0]]), True)
                return want_similarity(kind, want, got, exact, gives_expected)
            if edges and kind.name in ("list", "set"):
                wants = [Want(item) for item in expected]
                for edge in edges:
                    place = int(edge.argument.split(".")[1])
                    wants[place] = Want(expected[place], _known(values[edge]), True)
                return list_similarity(kind, wants, got, exact)
            if gives_expected and exact and kind.name == "list" and not edges:
                # In an order that makes no difference to the output the list is the same.
                kind = kind_of("set", item=kind.item)
            return similarity(kind, expected, got, exact, False, gives_expected)

        exact, mean = self.compare(
            step.tool, step.arguments, arguments, judge, set(by_name) | set(step.match)
        )

        def satisfied(exactly: bool) -> int:
            return sum(
                self.carried(step, name, edges, values, arguments.get(name), exactly)
                for name, edges in by_name.items()
            )

        return Verdict(exact and done.error is None, mean, satisfied(True), satisfied(False))

    def carried(
        self,
        step: Step,
        name: str,
        edges: Sequence[Edge],
        values: Mapping[Edge, Any],
        got: Any,
        exact: bool,
    ) -> int:
        """How many edges into an argument are satisfied by what was given for it."""
        flowing = [values[e] for e in edges]
        if got is None:
            return 0
        if name in step.match:
            unrounded = bool(step.match[name].get("unrounded"))
            text = (
                got if isinstance(got, str) else "" if isinstance(got, Unresolved) else render(got)
            )
            if is_too_long(text, self.listed(step, step.match[name], edges, values)):
                return 0
            return sum(
                not isinstance(v, Unresolved) and carries(text, v, unrounded) for v in flowing
            )
        kind = self.kind(step.tool, name)
        if edges[0].argument == name:
            return int(similarity(kind, flowing[0], got, exact, True) == 1.0)
        items = parsed(got, list)
        if not isinstance(items, list):
            return 0
        assert kind.item is not None
        table = [[similarity(kind.item, v, x, exact, True) for x in items] for v in flowing]
        if kind.name == "set":
            return len(one_to_one(table))
        places = [int(e.argument.split(".")[1]) for e in edges]
        return sum(p < len(items) and row[p] == 1.0 for p, row in zip(places, table, strict=True))

    def listed(
        self,
        step: Step,
        rule: Mapping[str, Any],
        edges: Sequence[Edge],
        values: Mapping[Edge, Any],
    ) -> list[Want]:
        """The values of a mentions rule; an edge belongs to the first one that it gave."""
        wants = [Want(value) for value in rule["values"]]
        for edge in edges:
            expected = dig(self.task.steps[self.number[edge.source]].output, edge.path)
            for i, want in enumerate(wants):
                if not want.is_fed and want.stated == expected:
                    wants[i] = Want(want.stated, _known(values[edge]), True)
                    break
        return wants

    def as_alternative(
        self,
        step: Step,
        other: Alternative,
        done: Executed,
        arguments: Mapping[str, Any],
        assigned: Sequence[int | None],
    ) -> Verdict:
        """The call read as another right call; both scorers: one that does not refer to an edge's
        value satisfies it if it is exact and the model's own upstream value is the expected one."""
        names = other.arguments
        referred = {
            (f"step_{number}", ".".join(path))
            for text in leaves(dict(names))
            if isinstance(text, str)
            for _, number, path in references(text)
        }
        right = [step.output for step in self.task.steps]

        def own(number: int, path: Sequence[str]) -> Any:
            source = self.task.steps[number - 1]
            return self.own(source, assigned[number - 1], ".".join(path))

        def expected(number: int, path: Sequence[str]) -> Any:
            return dig(right[number - 1], path)

        def judge(name: str, got: Any, exact: bool) -> float:
            value, fed = written(names[name], own)
            stated, _ = written(names[name], expected)
            if name in other.match:
                rule = other.match[name]["inputs"]
                inputs = [written(v, own)[0] for v in rule]
                if isinstance(value, Unresolved):
                    value, inputs = stated, [written(v, expected)[0] for v in rule]
                return float(computes(got, value, inputs, exact))
            want = Want(stated, _known(value), True) if fed else Want(stated)
            return want_similarity(self.kind(other.tool, name), want, got, exact)

        values = {name: written(value, expected)[0] for name, value in names.items()}
        fed = {name for name, value in names.items() if written(value, own)[1]}
        exact, mean = self.compare(other.tool, values, arguments, judge, fed | set(other.match))
        exact = exact and done.error is None

        def satisfied(edge: Edge) -> bool:
            own_value = self.feed(edge, assigned)
            if isinstance(own_value, Unresolved):
                return False
            if any(s == edge.source and _within(p, edge.path) for s, p in referred):
                return exact
            wanted = dig(self.task.steps[self.number[edge.source]].output, edge.path)
            kind = self.kind(step.tool, edge.argument.split(".")[0])
            kind = (kind.item or kind) if "." in edge.argument else kind
            return exact and similarity(kind, wanted, own_value, True, True) == 1.0

        count = sum(map(satisfied, step.edges))
        return Verdict(exact, mean, count, count)

    def compare(
        self,
        tool_name: str,
        expected: Mapping[str, Any],
        given: Mapping[str, Any],
        judge: Callable[[str, Any, bool], float],
        kept: set[str],
    ) -> tuple[bool, float]:
        """(Whether every argument is exact, the mean similarity over the union of the names)."""
        parameters = self.tools[tool_name].parameters if tool_name in self.tools else {}

        def remaining(arguments: Mapping[str, Any]) -> set[str]:
            names = set()
            for name, value in arguments.items():
                p = parameters.get(name)
                if value is None:
                    continue
                if p and name not in expected and p.kind.is_free:
                    continue
                optional = p is not None and p.default is not None and not p.required
                if optional and name not in kept and is_default(p, value):
                    continue
                names.add(name)
            return names

        wanted, got = remaining(expected), remaining(given)
        names = wanted | got
        both = wanted & got
        if not names:
            return True, 1.0
        same = {n: judge(n, given[n], True) == 1.0 for n in both}
        total = sum(1.0 if same[n] else judge(n, given[n], False) for n in sorted(both))
        return names == both and all(same.values()), total / len(names)

    def kind(self, tool: str, name: str) -> Kind:
        """The kind of an argument; free text for one that nobody knows."""
        known = self.tools.get(tool)
        return (
            known.parameters[name].kind if known and name in known.parameters else kind_of("prose")
        )


def _known(value: Any) -> tuple[Any, ...]:
    return () if isinstance(value, Unresolved) else (value,)


def _within(path: str, whole: str) -> bool:
    return path == whole or path.startswith(f"{whole}.")


def is_default(parameter: Parameter | None, value: Any) -> bool:
    """Whether a value is its parameter's default; both scorers: exactly, in both readings."""
    assert parameter is not None
    return similarity(parameter.kind, parameter.default, value, True, False) == 1.0


def written(value: Any, found: Callable[[int, Sequence[str]], Any]) -> tuple[Any, bool]:
    """An alternative's argument with its references filled in, and whether there were any."""
    if isinstance(value, list):
        parts = [written(item, found) for item in value]
        return [part for part, _ in parts], any(is_fed for _, is_fed in parts)
    if not isinstance(value, str):
        return value, False
    text = value
    for match, number, path in references(value):
        filled = found(number, path)
        if isinstance(filled, Unresolved) or match[0] == value.strip():
            return filled, True
        text = text.replace(match[0], render(filled))
    return text, text != value


def computes(got: Any, wanted: Any, inputs: Sequence[Any], exact: bool) -> bool:
    """Both scorers: an expression with the value of another, and all inputs written in it."""
    if not isinstance(got, str) or not isinstance(wanted, str):
        return False
    flat = list(itertools.chain.from_iterable(leaves(value) for value in inputs))
    try:
        used = numbers_used(got)
        return same_number(evaluate(wanted), evaluate(got), exact, True) and all(
            any(same_number(abs(float(value)), number, exact, True) for number in used)
            for value in flat
        )
    except (ExpressionError, TypeError, ValueError):
        return False
