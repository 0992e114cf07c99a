"""A second scorer, written from the specification alone, to check the first one against.

Slow, obvious, plain: it tries every one-to-one assignment of calls to steps and every order of the
steps. It shares with the first scorer only what the dataset itself is made of: kinds, canonical and
surface forms, references, replay. Nothing here was taken from the scorer that it checks. What the
specification leaves open and both read in the same way is marked "both scorers".
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataset_builder.tasks.task import Level, Step, Task
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Trace
from tests.differential.second_readings import Readings, Verdict
from tests.differential.second_values import similarity

WEIGHTS = {  # sequence, arguments, completeness, data flow
    Level.CHAIN: (0.40, 0.35, 0.25, 0.0),
    Level.PARALLEL: (0.35, 0.35, 0.15, 0.15),
    Level.DAG: (0.30, 0.30, 0.15, 0.25),
}


class Scorer:
    """One trace on one task."""

    def __init__(self, task: Task, trace: Trace, tools: Mapping[str, Tool]) -> None:
        self.task, self.trace, self.tools = task, trace, tools
        self.readings = Readings(task, trace, tools)
        self.offered = self.readings.offered

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
            found = [self.readings.verdict(i, assigned) for i in pairs]
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
        for j, done in enumerate(self.readings.executed):
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
            return similarity(
                self.readings.kind(done.name, name), expected[name], got, exact, False
            )

        # Both scorers: in the tolerant reading, as the binary score of level 0.
        return (
            self.readings.compare(done.name, expected, done.arguments, judge, set())[1]
            >= 0.85 - 1e-9
        )

    def score(self) -> dict[str, Any]:
        """All fields."""
        steps, n = self.task.steps, len(self.task.steps)
        assigned = self.best()
        verdicts = {
            i: self.readings.verdict(i, assigned) for i, c in enumerate(assigned) if c is not None
        }
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
