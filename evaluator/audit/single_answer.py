"""The rule that one answer is right: no other tool gives the value from the values that a step has."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice, permutations
from typing import Any

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.tool_overlaps import overlaps
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import dig, project
from dataset_builder.values.rounding import is_same
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
    for step in task.steps:
        yield from other_answers(context, task, step, task.prompt)


def other_answers(context: Context, task: Task, step: Step, text: str) -> Iterator[str]:
    """Other tools that give what is used of a step; ``text``: what asks for it."""
    used = {e.path for other in task.steps for e in other.edges if e.source == step.step_id}
    paths = sorted(used) or list(step.output)[:1]
    values = _contents(context, step)
    wanted = [
        value
        for path in paths
        if telling(value := dig(step.output, path))
        and not any(same_value(value, given) for given in values)
    ]
    allowed = {alternative.tool for alternative in step.alternatives}
    excluded = {entry.twin for entry in overlaps().get(step.tool, ()) if entry.decided(text)}
    yield from _unlisted_twins(context, step, used, allowed | excluded)
    yield from _undecided(step, excluded)
    if not wanted:
        return
    for name, tool in context.tools.items():
        if name in allowed or name in excluded or name == step.tool:
            continue
        if _gives(tool, values, wanted) and not _is_chance(context, step, paths, tool, values):
            yield f"{step.step_id}: {name} gives the answer of {step.tool} too"


def _is_chance(
    context: Context, step: Step, paths: list[str], tool: Tool, values: list[Any]
) -> bool:
    """Whether another tool agrees with a drawn value alone: drawn anew, it differs."""
    expected = context.tools.get(step.tool)
    if expected is None or Draw not in expected.injected.values():
        return False
    for number in range(REDRAWS):
        output = replace(expected, name=f"{expected.name} {number}")(step.arguments, World())
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


def _gives(tool: Tool, values: list[Any], wanted: list[Any]) -> bool:
    if _types_given(tool).isdisjoint(map(type, wanted)):
        return False
    if not any(parameter.required for parameter in tool.parameters.values()):
        # It would be asked without any of the values: that it gives the same is chance.
        return False
    for arguments in islice(assignments(tool, values), MOST_ASSIGNMENTS):
        fields = _agreeing(tool, arguments, wanted)
        if not fields:
            continue
        for number in range(REDRAWS if Draw in tool.injected.values() else 0):
            # Under another name the tool draws other values: what it computes stays the same.
            fields &= _agreeing(replace(tool, name=f"{tool.name} {number}"), arguments, wanted)
        # What it gives whatever it is given, such as a date 30 days from today, is chance too.
        if fields - _agreeing(tool, _altered(arguments), wanted):
            return True
    return False


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
    """The types of the fields that it returns."""
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
        if any(same_value(given, value) and type(given) is type(value) for value in wanted)
    }


def argument_values(steps: Any) -> list[Any]:
    """The different argument values of some steps, items of lists included."""
    values: list[Any] = []
    for step in steps:
        for value in step.arguments.values():
            if value not in values:
                values.append(value)
    return values


def _contents(context: Context, step: Step) -> list[Any]:
    """The different argument values of a step, without choices such as "up", which are no content."""
    tool = context.tools.get(step.tool)
    kinds = {} if tool is None else {p.name: p.kind.name for p in tool.parameters.values()}
    contents = {n: v for n, v in step.arguments.items() if kinds.get(n) not in ("enum", "boolean")}
    return argument_values([replace(step, arguments=contents)])


def assignments(tool: Tool, values: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Every way to give some of the values to the tool's required parameters (and to no other)."""
    required = [p for p in tool.parameters.values() if p.required]
    if len(required) > len(values):
        return
    for chosen in permutations(values, len(required)):
        if all(_fits(p.kind, value) for p, value in zip(required, chosen, strict=True)):
            yield {p.name: value for p, value in zip(required, chosen, strict=True)}


def _fits(kind: Kind, value: Any) -> bool:
    json_types = {"string": str, "array": list, "object": dict, "boolean": bool}
    wanted = json_types.get(kind.json_type, (int, float))
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind.name != "boolean"):
        return False
    try:
        kind.read(value)
    except ArgumentError:
        return False
    return True
