"""Ground truth: a template's steps executed with the drawn values, and refused where degenerate."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from typing import Any

from dataset_builder.tasks.call_template import (
    Argument,
    CallTemplate,
    Mentions,
    ReferenceArgument,
    SlotArgument,
)
from dataset_builder.tasks.output_cache import output_of
from dataset_builder.tasks.slot import Value
from dataset_builder.tasks.task import Alternative, Edge, Step
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.tool_overlaps import Overlap, overlaps
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import Unresolved, dig, project, render
from dataset_builder.values.rounding import is_same
from dataset_builder.values.surface_forms import known

# One for all steps: most have no rule, and a large suite has many steps.
_NONE: Mapping[str, Mapping[str, Any]] = {}


class Degenerate(ValueError):
    """The drawn values make a task that could be answered without the work, or not at all."""


def make_steps(
    template: Template, values: Mapping[str, Value], prompt: str, tools: Mapping[str, Tool]
) -> tuple[tuple[Step, ...], list[dict[str, Any]]]:
    """The expected steps with concrete arguments and outputs, and the optional calls.

    Outputs and edges are shared with other tasks. Raises Degenerate where a step errs, or where a
    value that flows could be known without the call.
    """
    world = World()
    outputs: list[Mapping[str, Any]] = []
    steps: list[Step] = []
    parts = (template.steps, template.dag["nodes"], template.depends_on, template.used_paths)
    for call, step_id, depends_on, used in zip(*parts, strict=True):
        filler = _ArgumentFiller(values, outputs)
        arguments = filler.arguments(call)
        tool = tools[call.tool]
        for edge, value in zip(call.edges, filler.flowing, strict=True):
            _refuse_known_value(edge, value, outputs, prompt, tool)
        output = output_of(tool, arguments, world)
        if "error" in output:
            raise Degenerate(f"{template.name}: {call.tool} gives {output['error']}")
        outputs.append(output)
        rules = filler.match or _NONE
        step = Step(step_id, call.tool, arguments, depends_on, output, call.edges, rules)
        steps.append(with_alternatives(step, used, prompt, tools))
    filler = _ArgumentFiller(values, outputs)
    optional = [{"tool": c.tool, "arguments": filler.arguments(c)} for c in template.optional]
    return tuple(steps), optional


class _ArgumentFiller:
    """Fills the arguments of one step; notes the match rules and the values that flow on the way."""

    __slots__ = ("flowing", "match", "outputs", "values")

    def __init__(self, values: Mapping[str, Value], outputs: Sequence[Mapping[str, Any]]) -> None:
        self.values = values
        self.outputs = outputs
        self.match: dict[str, dict[str, Any]] = {}
        self.flowing: list[Any] = []
        """One for each of the call's edges, in their order."""

    def arguments(self, call: CallTemplate) -> dict[str, Any]:
        """The concrete arguments of a call."""
        return {name: self.fill(value, name) for name, value in call.arguments.items()}

    def fill(self, argument: Argument, where: str) -> Any:
        """The concrete value of an argument that stands at a dotted path."""
        if isinstance(argument, SlotArgument):
            return self.values[argument.name].value
        if isinstance(argument, ReferenceArgument):
            value = dig(self.outputs[argument.step - 1], argument.path)
            if isinstance(value, Unresolved):
                raise Degenerate(f"step {argument.step} gives no {argument.path}")
            self.flowing.append(value)
            return value
        if isinstance(argument, Mentions):
            carried = [self.fill(part, where) for part in argument.parts]
            rule = {"rule": "mentions", "values": carried}
            self.match[where] = rule | {"unrounded": True} if argument.is_unrounded else rule
            return "\n".join(render(value) for value in carried)
        return [self.fill(item, f"{where}.{i}") for i, item in enumerate(argument)]


def _refuse_known_value(
    edge: Edge, value: Any, outputs: Sequence[Mapping[str, Any]], prompt: str, taker: Tool
) -> None:
    """Degenerate where a value that flows is nothing, or could be known without the call."""
    if isinstance(value, bool) or value in ("", [], {}, None):
        raise Degenerate(f"{edge.path} is {value!r}")
    if known(_kind_at(taker, edge.argument), value, prompt):
        raise Degenerate(f"{edge.path} stands in the prompt already")
    field = edge.path.partition(".")[0]
    for position, output in enumerate(outputs, 1):
        for name, other in output.items():
            if other == value and (name != field or edge.source != f"step_{position}"):
                raise Degenerate(f"{edge.path} equals another output")


def _kind_at(tool: Tool, argument: str) -> Kind:
    """The kind of what stands at a dotted argument."""
    if argument in tool.parameters:
        return tool.parameters[argument].kind
    name, *path = argument.split(".")
    kind = tool.parameters[name].kind
    for _ in path:
        kind = kind.item or kind
    return kind


@cache
def _checked_overlaps() -> dict[str, list[Overlap]]:
    """By tool the twins whose outputs can be compared with its own; only tools that have such twins."""
    checked = {tool: [e for e in entries if e.outputs] for tool, entries in overlaps().items()}
    return {tool: entries for tool, entries in checked.items() if entries}


def with_alternatives(step: Step, used: Set[str], prompt: str, tools: Mapping[str, Tool]) -> Step:
    """The step with the calls that are as right by ``prompt``; ``used``: its paths that flow on."""
    entries = _checked_overlaps().get(step.tool)
    if not entries:
        return step
    alternatives = tuple(_alternatives(step, entries, used, prompt, tools))
    return replace(step, alternatives=alternatives) if alternatives else step


def _alternatives(
    step: Step,
    entries: Sequence[Overlap],
    used: Set[str],
    prompt: str,
    tools: Mapping[str, Tool],
) -> Iterator[Alternative]:
    """The twins that no cue in the prompt excludes, each checked by executing it."""
    for entry in entries:
        if entry.twin not in tools or not entry.answers(used, len(step.output)):
            continue
        if entry.decided(prompt):
            continue
        arguments = entry.twin_arguments(step.arguments)
        outputs = entry.twin_outputs(step.arguments)
        if arguments is None or outputs is None:
            continue
        output = output_of(tools[entry.twin], arguments, World())
        same = {
            path: twin
            for path, twin in outputs.items()
            if "error" not in output and is_same(project(output, twin), dig(step.output, path))
        }
        if used <= same.keys() and same:
            used_outputs = {path: twin for path, twin in same.items() if path in used}
            fed = _fed_arguments(step, by_item=False)
            written = entry.twin_arguments(fed)
            if written is None:
                fed = _fed_arguments(step, by_item=True)
                written = entry.twin_arguments(fed)
            yield Alternative(entry.twin, written or arguments, used_outputs, entry.rules(fed))


def _fed_arguments(step: Step, *, by_item: bool) -> dict[str, Any]:
    """The step's arguments with a reference in place of each value that an edge feeds.

    ``by_item``: in place of a list one for each of its items, for a twin that writes them out.
    """
    arguments: dict[str, Any] = dict(step.arguments)
    for edge in step.edges:
        name, *path = edge.argument.split(".")
        if name not in step.match:
            value, reference = dig(step.arguments, edge.argument), f"{edge.source}.{edge.path}"
            written: Any = f"{{{{{reference}}}}}"
            if by_item and isinstance(value, list):
                written = [f"{{{{{reference}.{item}}}}}" for item in range(len(value))]
            arguments[name] = _replaced(arguments[name], path, written)
    return arguments


def _replaced(value: Any, path: Sequence[str], part: Any) -> Any:
    """A list with another part at a path; the part itself where the path is empty."""
    if not path:
        return part
    place = int(path[0])
    return [*value[:place], _replaced(value[place], path[1:], part), *value[place + 1 :]]
