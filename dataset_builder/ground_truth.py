"""Ground truth: a template's steps executed with the drawn values, and refused where degenerate."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataset_builder.kinds import Kind
from dataset_builder.overlaps import overlaps
from dataset_builder.references import Unresolved, dig, render
from dataset_builder.replay import Episode
from dataset_builder.slot import Value
from dataset_builder.surfaces import appears, grounded
from dataset_builder.task import Alternative, Edge, Step
from dataset_builder.template import (
    Argument,
    CallTemplate,
    Mentions,
    Open,
    ReferenceArgument,
    SlotArgument,
    Template,
)
from dataset_builder.tool import Tool
from dataset_builder.world import World


class Degenerate(ValueError):
    """The drawn values make a task that could be answered without the work, or not at all."""


def make_steps(
    template: Template, values: Mapping[str, Value], prompt: str, tools: Mapping[str, Tool]
) -> tuple[tuple[Step, ...], list[dict[str, Any]]]:
    """The expected steps with concrete arguments and outputs, and the optional calls.

    Raises Degenerate where a step errs, or where a value that flows could be known without the call.
    """
    episode = Episode(tools)
    outputs: list[Mapping[str, Any]] = []
    steps: list[Step] = []
    for number, call in enumerate(template.steps, 1):
        builder = _Builder(values, outputs)
        arguments = {name: builder.fill(value, name) for name, value in call.arguments.items()}
        executed = episode.execute(call.tool, arguments)
        if executed.output is None or executed.error is not None:
            raise Degenerate(f"{template.name}: {call.tool} gives {executed.error}")
        outputs.append(executed.output)
        edges = tuple(builder.edges)
        _refuse_known_values(edges, outputs[:-1], prompt, tools[call.tool])
        depends_on = tuple(f"step_{source}" for source in template.dependencies[number - 1])
        steps.append(
            Step(
                f"step_{number}",
                call.tool,
                arguments,
                depends_on,
                executed.output,
                edges,
                builder.match,
            )
        )
    steps = [_with_alternatives(step, steps, prompt, tools) for step in steps]
    optional = [_optional(call, values, outputs) for call in template.optional]
    return tuple(steps), optional


class _Builder:
    """Fills the arguments of one step and notes the edges and match rules on the way."""

    def __init__(self, values: Mapping[str, Value], outputs: Sequence[Mapping[str, Any]]) -> None:
        self.values = values
        self.outputs = outputs
        self.edges: list[Edge] = []
        self.match: dict[str, dict[str, Any]] = {}

    def fill(self, argument: Argument, where: str) -> Any:
        """The concrete value of an argument that stands at a dotted path."""
        if isinstance(argument, SlotArgument):
            return self.values[argument.name].value
        if isinstance(argument, ReferenceArgument):
            self.edges.append(Edge(where, f"step_{argument.step}", argument.path))
            found = dig(self.outputs[argument.step - 1], argument.path)
            if isinstance(found, Unresolved):
                raise Degenerate(f"step {argument.step} gives no {argument.path}")
            return found
        if isinstance(argument, Open):
            self.match[where] = {"rule": "open"}
            return argument.example
        if isinstance(argument, Mentions):
            carried = [self.fill(part, where) for part in argument.parts]
            self.match[where] = {"rule": "mentions", "values": carried}
            return "\n".join(render(value) for value in carried)
        return [self.fill(item, f"{where}.{i}") for i, item in enumerate(argument)]


def _optional(
    call: CallTemplate, values: Mapping[str, Value], outputs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    builder = _Builder(values, outputs)
    arguments = {name: builder.fill(value, name) for name, value in call.arguments.items()}
    return {"tool": call.tool, "arguments": arguments}


def _refuse_known_values(
    edges: Sequence[Edge], outputs: Sequence[Mapping[str, Any]], prompt: str, taker: Tool
) -> None:
    for edge in edges:
        source = int(edge.source.removeprefix("step_")) - 1
        value = dig(outputs[source], edge.path)
        if isinstance(value, bool) or value in ("", [], {}, None):
            raise Degenerate(f"{edge.path} is {value!r}")
        kind = _kind_at(taker, edge.argument)
        if appears(value, prompt) or grounded(kind, value, prompt):
            raise Degenerate(f"{edge.path} stands in the prompt already")
        for position, name, other in _fields(outputs):
            if (position, name) != (source, edge.path.split(".")[0]) and other == value:
                raise Degenerate(f"{edge.path} equals another output")


def _kind_at(tool: Tool, argument: str) -> Kind:
    """The kind of what stands at a dotted argument."""
    name, *path = argument.split(".")
    kind = tool.parameters[name].kind
    for _ in path:
        kind = kind.item or kind
    return kind


def _fields(outputs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str, Any]]:
    for position, output in enumerate(outputs):
        for name, value in output.items():
            yield position, name, value


def _with_alternatives(
    step: Step, steps: Sequence[Step], prompt: str, tools: Mapping[str, Tool]
) -> Step:
    used = [e.path for other in steps for e in other.edges if e.source == step.step_id]
    found = tuple(_alternatives(step, used, prompt, tools))
    if not found:
        return step
    return Step(
        step.step_id,
        step.tool,
        step.arguments,
        step.depends_on,
        step.output,
        step.edges,
        step.match,
        found,
    )


def _alternatives(
    step: Step, used: Sequence[str], prompt: str, tools: Mapping[str, Tool]
) -> Iterator[Alternative]:
    """The twins that no cue in the prompt excludes, each checked by executing it."""
    for entry in overlaps().get(step.tool, ()):
        if entry.twin not in tools or entry.decided(prompt):
            continue
        arguments = entry.twin_arguments(step.arguments)
        if arguments is None or not set(used) <= set(entry.outputs):
            continue
        output = tools[entry.twin](arguments, World())
        same = {
            path: twin
            for path, twin in entry.outputs.items()
            if "error" not in output and dig(output, twin) == dig(step.output, path)
        }
        if set(used) <= set(same) and same:
            yield Alternative(entry.twin, arguments, {p: t for p, t in same.items() if p in used})
