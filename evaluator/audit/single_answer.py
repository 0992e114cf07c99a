"""The rule that one answer is right: no other tool gives the value from the values that a step has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.tool_overlaps import overlaps
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.references import dig, project
from dataset_builder.values.rounding import is_same
from evaluator.audit.assignments import Values
from evaluator.audit.rules import JSON_TYPES, Context
from evaluator.audit.values import same_value

MOST_ASSIGNMENTS = 120
# So often a drawn value is drawn anew, to tell a twin from a coincidence.
REDRAWS = 4


def single_answer(context: Context, task: Task) -> Iterator[str]:
    """No other tool gives the value that is used from the step's values, unless the rows allow for it.

    Of a step that feeds nothing the first output field counts, which is what its tool is for; for the
    others there is the table of overlaps.
    """
    if context.is_legacy:
        return
    used = used_paths(task)
    for step in task.steps:
        yield from other_answers(context, step, used[step.step_id], task.prompt)


def used_paths(task: Task) -> Mapping[str, set[str]]:
    """By step the paths of its output that flow into another."""
    used: dict[str, set[str]] = {step.step_id: set() for step in task.steps}
    for step in task.steps:
        for edge in step.edges:
            used.setdefault(edge.source, set()).add(edge.path)
    return used


def other_answers(context: Context, step: Step, used: set[str], text: str) -> Iterator[str]:
    """Other tools that give what is used of a step (its paths); ``text``: what asks for it."""
    paths = sorted(used) or list(step.output)[:1]
    values = _contents(context, step)
    wanted = [
        value
        for path in paths
        if telling(value := dig(step.output, path))
        and not any(same_value(value, given) for given in values.every)
    ]
    allowed = {alternative.tool for alternative in step.alternatives}
    excluded = {entry.twin for entry in overlaps().get(step.tool, ()) if entry.decided(text)}
    yield from _unlisted_twins(context, step, used, allowed | excluded)
    yield from _undecided(step, excluded)
    if not wanted:
        return
    known = {*allowed, *excluded, step.tool}
    for name, tool in context.tools.items():
        if name in known:
            continue
        if _gives(tool, values, wanted) and not _is_chance(context, step, paths, tool, values):
            yield f"{step.step_id}: {name} gives the answer of {step.tool} too"


def _is_chance(context: Context, step: Step, paths: list[str], tool: Tool, values: Values) -> bool:
    """Whether another tool agrees with a drawn value alone: drawn anew, it differs."""
    expected = context.tools.get(step.tool)
    if expected is None or Draw not in expected.injected.values():
        return False
    for number in range(REDRAWS):
        output = _renamed(expected, number)(step.arguments, World())
        if not _gives(tool, values, [dig(output, path) for path in paths]):
            return True
    return False


def _unlisted_twins(context: Context, step: Step, used: set[str], known: set[str]) -> Iterator[str]:
    for entry in overlaps().get(step.tool, ()):
        if entry.twin in known or entry.twin not in context.tools:
            continue
        if not entry.outputs or not entry.answers(used, len(step.output)):
            continue
        arguments = entry.twin_arguments(step.arguments)
        outputs = entry.twin_outputs(step.arguments)
        if arguments is None or outputs is None:
            continue
        output = context.tools[entry.twin](arguments, World())
        if "error" not in output and all(
            is_same(project(output, outputs[p]), dig(step.output, p)) for p in used or outputs
        ):
            yield f"{step.step_id}: its twin {entry.twin} is neither listed nor excluded by the prompt"


def _undecided(step: Step, excluded: set[str]) -> Iterator[str]:
    """Twins that meet the same need with values of their own: only the prompt can decide."""
    rows = [row for row in overlaps().get(step.tool, ()) if not row.outputs]
    for twin in dict.fromkeys(row.twin for row in rows if row.twin not in excluded):
        yield f"{step.step_id}: no word of the prompt decides between {step.tool} and {twin}"


def telling(value: Any) -> bool:
    """Whether a value is one that two tools would hardly both give by chance."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if isinstance(value, int | float):
        # 200 is what every page that answers gives as its status.
        return abs(value) > 12 and value not in (100, 200, 1000)
    return not isinstance(value, str) or len(value) > 4


def _gives(tool: Tool, values: Values, wanted: list[Any]) -> bool:
    """Whether a tool gives a wanted value for some of the values, and not by chance."""
    if _types_given(tool).isdisjoint(map(type, wanted)):
        return False
    for arguments in islice(values.assignments(tool), MOST_ASSIGNMENTS):
        fields = _agreeing(tool, arguments, wanted)
        if not fields:
            continue
        for number in range(REDRAWS if Draw in tool.injected.values() else 0):
            fields &= _agreeing(_renamed(tool, number), arguments, wanted)
        # What it gives whatever it is given, such as a date 30 days from today, is chance too.
        if fields - _agreeing(tool, _altered(arguments), wanted):
            return True
    return False


@cache
def _renamed(tool: Tool, number: int) -> Tool:
    """The tool under another name, so that it draws other values: what it computes stays the same."""
    return replace(tool, name=f"{tool.name} {number}")


def _altered(value: Any) -> Any:
    """A value of the same type and shape with every number and text another."""
    if isinstance(value, Mapping):
        return {name: _altered(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_altered(item) for item in value]
    if isinstance(value, str):
        return f"{value} x"
    return value + 1 if isinstance(value, int | float) and not isinstance(value, bool) else value


@cache
def _types_given(tool: Tool) -> frozenset[type]:
    """The types of the fields that it returns.

    None where it needs no argument: asked without any of the values, it would agree by chance.
    """
    if not any(parameter.required for parameter in tool.parameters.values()):
        return frozenset()
    return frozenset(
        python_type
        for field in tool.returns.values()
        for python_type in JSON_TYPES[field.type.partition(" of ")[0]]
    )


def _agreeing(tool: Tool, arguments: Mapping[str, Any], wanted: list[Any]) -> set[str]:
    output = tool(arguments, World())
    if "error" in output:
        return set()
    return {
        field
        for field, given in output.items()
        if any(type(given) is type(value) and same_value(given, value) for value in wanted)
    }


def argument_values(calls: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The different values among the arguments of some calls, items of lists included."""
    values: list[Any] = []
    for arguments in calls:
        for value in arguments.values():
            if value not in values:
                values.append(value)
    return values


def _contents(context: Context, step: Step) -> Values:
    """The different argument values of a step, without choices such as "up", which are no content."""
    tool = context.tools.get(step.tool)
    kinds = {} if tool is None else {p.name: p.kind.name for p in tool.parameters.values()}
    contents = {n: v for n, v in step.arguments.items() if kinds.get(n) not in ("enum", "boolean")}
    return Values(argument_values([contents]))
