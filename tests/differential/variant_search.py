"""A search for right answers that do not count: `python -m tests.differential.variant_search 42 5003 ...`.

Each step of each task is answered in many other ways, everything else right. A variant whose outcome is the
expected one and whose score is not is a finding; docs/right-answers.md names those that stay, with reasons.
The other way round it tells what passes though the outcome is another.

    python -m tests.differential.variant_search --counts 300,300,300,300 3005
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from typing import Any

from dataset_builder.tasks.engine import COUNTS, CompositionEngine
from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.tool_overlaps import overlaps
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from dataset_builder.tools.tool import Tool
from dataset_builder.values.canonical import canonical_json
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import dig
from dataset_builder.values.rounding import is_same
from evaluator.audit.assignments import Values
from evaluator.audit.single_answer import MOST_ASSIGNMENTS, telling
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace
from tests.differential.spellings import item_spellings

SAME, OTHER = "the same outcome, not right", "another outcome, right"


@dataclass(frozen=True)
class Variant:
    """One step answered otherwise: how (``way``: what kind of change, ``where``: of what)."""

    way: str
    where: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """A variant whose outcome and score do not agree; ``verdict`` is `SAME` or `OTHER`."""

    verdict: str
    variant: Variant
    task_id: str
    step: Step

    @property
    def mechanism(self) -> tuple[str, str, str]:
        """What findings are grouped by."""
        return self.verdict, self.variant.way, self.variant.where


def search(tasks: Iterator[Task]) -> Iterator[Finding]:
    """The findings of some tasks."""
    tools = catalogue()
    for task in tasks:
        for position, step in enumerate(task.steps):
            for variant in distinct(variants(step, tools)):
                verdict = judged(task, position, variant, tools)
                if verdict:
                    yield Finding(verdict, variant, task.task_id, step)


def judged(task: Task, position: int, variant: Variant, tools: Mapping[str, Tool]) -> str:
    """Whether the outcome of a variant and its score contradict each other; "" where they do not."""
    calls = [Call(step.tool, dict(step.arguments)) for step in task.steps]
    calls[position] = Call(variant.tool, dict(variant.arguments))
    executed = replay([(c.name, c.arguments) for c in calls[: position + 1]], tools)[-1]
    has_outcome = executed.error is None and has_same_outcome(
        task, position, variant, executed.output
    )
    if variant.way == "another tool" and not has_outcome:
        return ""
    trace = Trace(task.task_id, tuple(calls), protocol="multi-turn", catalogue="full")
    is_right = score_task(task, trace, tools).strict
    if has_outcome == is_right:
        return ""
    return SAME if has_outcome else OTHER


def has_same_outcome(task: Task, position: int, variant: Variant, output: Any) -> bool:
    """Whether what is used of a step's output, or all of it where nothing is, came out the same.

    Another tool need only give those values somewhere; where nothing is used, the first field.
    """
    step = task.steps[position]
    used = {e.path for other in task.steps for e in other.edges if e.source == step.step_id}
    if variant.tool == step.tool:
        return all(same_outcome(dig(output, p), dig(step.output, p)) for p in used or step.output)
    wanted = [dig(step.output, path) for path in sorted(used) or list(step.output)[:1]]
    given = list(output.values())
    return all(telling(w) and any(same_outcome(g, w) for g in given) for w in wanted)


def same_outcome(one: Any, other: Any) -> bool:
    """Equal JSON values, numbers within 1e-9."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_outcome(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same_outcome(a, b) for a, b in pairs)
    return is_same(one, other)


# The variants of one step ---------------------------------------------------------------------


def distinct(found: Iterator[Variant]) -> Iterator[Variant]:
    """Each different call once."""
    seen = set()
    for variant in found:
        key = canonical_json([variant.tool, variant.arguments])
        if key not in seen:
            seen.add(key)
            yield variant


def variants(step: Step, tools: Mapping[str, Tool]) -> Iterator[Variant]:
    """The step's call in other ways, those that people and models would write."""
    tool = tools[step.tool]
    yield Variant("as expected", "", step.tool, step.arguments)
    for name, value in step.arguments.items():
        yield from _rewritten(step, name, tool.parameters[name].kind, value)
        yield from _ordered(step, name, value)
    yield from _swapped(step, tool)
    yield from _optional(step, tool)
    yield Variant("an argument more", "unknown name", tool.name, {**step.arguments, "note": "x"})
    for row in overlaps().get(step.tool, ()):
        arguments = row.twin_arguments(step.arguments) if row.outputs else None
        if arguments is not None:
            yield Variant("a twin", f"{row.tool} as {row.twin}", row.twin, arguments)
    yield from _other_tools(step, tool, tools)


def _changed(step: Step, way: str, where: str, **arguments: Any) -> Variant:
    given = {n: v for n, v in {**step.arguments, **arguments}.items() if v is not None}
    return Variant(way, where, step.tool, given)


def _rewritten(step: Step, name: str, kind: Kind, value: Any) -> Iterator[Variant]:
    if name in step.match:
        return
    for label, spelt in item_spellings(kind, value):
        told = (
            "place"
            if kind.is_place
            else kind.name
            if kind.item is None
            else f"{kind.name} of {kind.item.name}"
        )
        yield _changed(step, f"{told}: {label}", f"{step.tool}.{name}", **{name: spelt})


def _ordered(step: Step, name: str, value: Any) -> Iterator[Variant]:
    if not isinstance(value, list) or len(value) < 2:
        return
    orders = [value[::-1], [value[1], value[0], *value[2:]], sorted(value, key=canonical_json)]
    for items in orders:
        yield _changed(step, "items in another order", f"{step.tool}.{name}", **{name: items})
    if all(isinstance(item, dict) for item in value):
        turned = [dict(reversed(item.items())) for item in value]
        yield _changed(step, "keys in another order", f"{step.tool}.{name}", **{name: turned})


def _swapped(step: Step, tool: Tool) -> Iterator[Variant]:
    for one, other in combinations(step.arguments, 2):
        if tool.parameters[one].kind.json_type == tool.parameters[other].kind.json_type:
            values = {one: step.arguments[other], other: step.arguments[one]}
            yield _changed(step, "two arguments swapped", f"{tool.name}.{one}/{other}", **values)


def _optional(step: Step, tool: Tool) -> Iterator[Variant]:
    """Arguments left out, defaults written out, and values that nobody asked for."""
    for name, parameter in tool.parameters.items():
        where, given = f"{tool.name}.{name}", step.arguments.get(name)
        if not parameter.required and given is not None:
            yield _changed(step, "an optional argument left out", where, **{name: None})
        if not parameter.required and given is None and parameter.default is not None:
            yield _changed(step, "a default written out", where, **{name: parameter.default})
        if given is None:
            for value in _unasked(parameter.kind, parameter.default, step):
                yield _changed(step, "an argument more", where, **{name: value})
        else:
            for value in _unasked(parameter.kind, given, step):
                yield _changed(step, "another value", where, **{name: value})


def _unasked(kind: Kind, value: Any, step: Step) -> Iterator[Any]:
    """Values that somebody might give an argument though nothing asks for them."""
    if kind.name in ("number", "integer"):
        known = value if isinstance(value, int | float) else 100
        yield from (known + 1, known * 1000, 0)
    elif kind.choices:
        yield from (choice for choice in kind.choices if choice != value)
    elif kind.item is None and kind.json_type == "string":
        yield from (v for v in step.arguments.values() if isinstance(v, str) and v != value)
        yield ""


def _other_tools(step: Step, tool: Tool, tools: Mapping[str, Tool]) -> Iterator[Variant]:
    """Every other tool with the step's values in its required arguments."""
    values: list[Any] = []
    for name, value in step.arguments.items():
        if tool.parameters[name].kind.name not in ("enum", "boolean") and value not in values:
            values.append(value)
    for name, other in tools.items():
        if name == tool.name or not any(p.required for p in other.parameters.values()):
            continue
        for arguments in islice(Values(values).assignments(other), MOST_ASSIGNMENTS):
            yield Variant("another tool", f"{tool.name} as {name}", name, arguments)


# The command line -----------------------------------------------------------------------------


@cache
def suite_findings(seed: int, counts: tuple[int, ...] = COUNTS) -> tuple[Finding, ...]:
    """The findings of a seed's suite."""
    return tuple(search(iter(CompositionEngine(seed, counts=counts).generate_suite().tasks)))


def main() -> None:
    """Print the findings of some seeds, grouped by mechanism, with one example each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", type=int, nargs="+")
    parser.add_argument("--counts", default=",".join(map(str, COUNTS)))
    given = parser.parse_args()
    counts = tuple(map(int, given.counts.split(",")))
    found = [f for seed in given.seeds for f in suite_findings(seed, counts)]
    examples = {finding.mechanism: finding for finding in reversed(found)}
    for mechanism, number in sorted(Counter(f.mechanism for f in found).items()):
        finding = examples[mechanism]
        made = canonical_json(finding.variant.arguments)[:160]
        print(*mechanism, number, finding.task_id, finding.variant.tool, made, sep=" | ")


if __name__ == "__main__":
    main()
