"""A second scorer, written from the specification alone, to check the first one against.

Slow, obvious, plain: it tries every one-to-one assignment of calls to steps and every order of the
steps. It shares with the first scorer only what the dataset itself is made of: kinds, canonical and
surface forms, references, replay. Nothing here was taken from the scorer that it checks. What the
specification leaves open and both read in the same way is marked "both scorers".
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import Alternative, Edge, Level, Step, Task
from dataset_builder.tools.replay import Executed, replay
from dataset_builder.tools.tool import Parameter, Tool
from dataset_builder.values.expression import ExpressionError, evaluate, numbers_used
from dataset_builder.values.kinds import Kind, kind_of
from dataset_builder.values.references import Unresolved, dig, project, references, render
from dataset_builder.values.surface_forms import leaves
from evaluator.traces.protocols import MULTI_TURN, offered_tools
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

WEIGHTS = {  # sequence, arguments, completeness, data flow
    Level.CHAIN: (0.40, 0.35, 0.25, 0.0),
    Level.PARALLEL: (0.35, 0.35, 0.15, 0.15),
    Level.DAG: (0.30, 0.30, 0.15, 0.25),
}


@dataclass(frozen=True)
class Verdict:
    """What one reading of a call as a step gives."""

    exact: bool
    similarity: float
    strict_edges: int
    edges: int


class Scorer:
    """One trace on one task."""

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
        found = dig(output, path) if name == step.tool else Unresolved(path)
        if not isinstance(found, Unresolved) and found not in (None, "", [], {}):
            return found
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
        return found

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

    # The whole

    def alignments(self) -> Iterator[tuple[int | None, ...]]:
        """Every one-to-one assignment of calls to steps of the same tool or an alternative."""
        choices = []
        for step in self.task.steps:
            names = {step.tool, *(other.tool for other in step.alternatives)}
            names &= set(self.offered)
            fit = [j for j, call in enumerate(self.trace.calls) if call.name in names]
            choices.append([*fit, None])
        for assigned in itertools.product(*choices):
            used = [call for call in assigned if call is not None]
            if len(used) == len(set(used)):
                yield assigned

    def best(self) -> tuple[int | None, ...]:
        """The jointly optimal assignment."""

        every = list(self.alignments())
        most = max(sum(call is not None for call in a) for a in every)

        def worth(assigned: tuple[int | None, ...]) -> tuple[float, ...]:
            pairs = [i for i, call in enumerate(assigned) if call is not None]
            found = [self.verdict(i, assigned) for i in pairs]
            steps = [self.task.steps[i] for i in pairs]
            right = sum(
                v.exact and v.strict_edges == len(s.edges)
                for v, s in zip(found, steps, strict=True)
            )
            displaced = sum(abs((assigned[i] or 0) - i) for i in pairs)
            edges = sum(v.edges for v in found)
            return right, round(sum(v.similarity for v in found), 9), edges, -displaced

        return max((a for a in every if sum(c is not None for c in a) == most), key=worth)

    def counted(self, assigned: Sequence[int | None]) -> list[int]:
        """The calls that count: all but optional ones and, in multi-turn, two mended failures."""
        counted, mended = [], 0
        optional = list(self.task.optional_calls)
        for j, done in enumerate(self.executed):
            if j in assigned:
                counted.append(j)
                continue
            fit = next((o for o in optional if self.is_optional(o, done)), None)
            if fit is not None:
                optional.remove(fit)
                continue
            later = any(c.name == done.name for c in self.trace.calls[j + 1 :])
            if (
                self.trace.protocol == MULTI_TURN
                and done.error is not None
                and later
                and mended < 2
            ):
                mended += 1
                continue
            counted.append(j)
        return counted

    def is_optional(self, wanted: Mapping[str, Any], done: Executed) -> bool:
        """Whether a call is an optional one of the task's."""
        if done.name != wanted["tool"] or done.arguments is None or done.error is not None:
            return False
        expected = wanted["arguments"]

        def judge(name: str, got: Any, exact: bool) -> float:
            return similarity(self.kind(done.name, name), expected[name], got, exact, False)

        # Both scorers: in the tolerant reading, as the binary score of level 0.
        return self.compare(done.name, expected, done.arguments, judge, set())[1] >= 0.85 - 1e-9

    def score(self) -> dict[str, Any]:
        """All fields."""
        steps, n = self.task.steps, len(self.task.steps)
        assigned = self.best()
        verdicts = {i: self.verdict(i, assigned) for i, c in enumerate(assigned) if c is not None}
        counted = self.counted(assigned)
        m = len(counted)
        sequence = self.sequence(assigned, counted)
        arguments = sum(v.similarity for v in verdicts.values()) / n
        completeness = len(verdicts) / n
        edges = sum(len(step.edges) for step in steps)
        flow = sum(v.edges for v in verdicts.values()) / edges if edges else None
        economy = min(1.0, n / m) if m else 1.0
        if self.task.level == Level.NODE:
            score = float(m == 1 and 0 in verdicts and arguments >= 0.85)
        else:
            parts = (sequence, arguments, completeness, flow)
            pairs = [
                (w, p)
                for w, p in zip(WEIGHTS[self.task.level], parts, strict=True)
                if p is not None
            ]
            score = economy * sum(w * p for w, p in pairs) / sum(w for w, _ in pairs)
        right = sum(v.exact and v.strict_edges == len(steps[i].edges) for i, v in verdicts.items())
        step_score = right / max(n, m)
        strict = step_score == 1 and sequence == 1
        known = all(step.tool in self.tools for step in steps)
        passed = strict if known else score == 1
        return {
            "score": score,
            "step": step_score if known else None,
            "strict": float(strict) if known else None,
            "sequence": sequence,
            "arguments": arguments,
            "completeness": completeness,
            "data_flow": flow,
            "economy": economy,
            "error": None if passed else self.error(assigned, verdicts, counted, sequence),
        }

    def sequence(self, assigned: Sequence[int | None], calls: Sequence[int]) -> float:
        """The longest part of some order of the steps that these calls keep, of all steps."""
        steps = self.task.steps
        roles = {call: steps[i].tool for i, call in enumerate(assigned) if call is not None}
        names = [roles.get(j, self.trace.calls[j].name) for j in calls]
        return max(longest_common(names, order) for order in orders(steps)) / len(steps)

    def error(
        self,
        assigned: Sequence[int | None],
        verdicts: Mapping[int, Verdict],
        counted: Sequence[int],
        sequence: float,
    ) -> str:
        """The first error class that fits."""
        steps, calls = self.task.steps, self.trace.calls
        failure = (self.trace.error or {}).get("kind")
        if failure == "malformed_call" or any(call.is_malformed for call in calls):
            return "E10_format_error"
        if not calls:
            return "E2_no_call"
        if any(call.name not in self.offered for call in calls):
            return "E6_hallucinated_tool"
        if None in assigned:
            other = any(j not in assigned for j in counted)
            return "E1_wrong_tool" if other else "E8_partial_completion"
        if sequence < 1:
            return "E3_wrong_order"
        if any(v.strict_edges < len(steps[i].edges) for i, v in verdicts.items()):
            return "E9_data_flow_error"
        if not all(v.exact for v in verdicts.values()):
            return "E4_wrong_arguments"
        return "E7_unnecessary_tool"


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


def orders(steps: Sequence[Step]) -> Iterator[list[str]]:
    """The tools in every topological order of the steps."""
    for order in itertools.permutations(steps):
        place = {step.step_id: i for i, step in enumerate(order)}
        if all(place[d] < place[step.step_id] for step in order for d in step.depends_on):
            yield [step.tool for step in order]


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


def second_score(task: Task, trace: Trace, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """The scores of a trace: score, step, strict, sequence, arguments, completeness, data_flow,
    economy and error. Step and strict are None where a step's tool is not in the catalogue."""
    return Scorer(task, trace, tools).score()
