"""Rules about values: every one is stated, flows, or is a default; calls are valid and re-execute."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tools.replay import Episode
from dataset_builder.values.references import Unresolved, dig, project, resolve
from dataset_builder.values.rounding import is_same
from dataset_builder.values.surface_forms import appears, grounded
from evaluator.audit.rules import (
    JSON_TYPES,
    Context,
    is_default,
    kind_for,
    leaf_kind,
    leaves,
    positions_of,
)

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
_FORBIDDEN = ("default", "$ref", "oneOf")


def grounded_values(context: Context, task: Task) -> Iterator[str]:
    """Every expected leaf stands in the prompt, flows along an edge, or is a default."""
    for step in task.steps:
        yield from ungrounded(context, task, step, task.prompt)


def ungrounded(context: Context, task: Task, step: Step, text: str) -> Iterator[str]:
    """What of a step's arguments stands neither in a text nor flows, or stands there and flows."""
    for argument, value in step.arguments.items():
        rule = step.match.get(argument, {})
        if is_default(context.tools, step, argument):
            continue
        if rule.get("rule") not in (None, "mentions"):
            yield f"{step.step_id}: there is no match rule {rule.get('rule')!r}"
        if rule.get("rule") == "mentions":
            yield from _mentioned(step, argument, rule["values"], task, text)
            continue
        kind = kind_for(context.tools, step, argument)
        if not step.edges and grounded(kind, value, text):
            continue
        for path, leaf in leaves(value, argument):
            flows = any(path == e.argument or path.startswith(f"{e.argument}.") for e in step.edges)
            stated = grounded(leaf_kind(kind, leaf), leaf, text)
            if flows and stated and path in {e.argument for e in step.edges}:
                yield f"{step.step_id}: {path} flows from a call, yet {leaf!r} stands in the prompt"
            elif not flows and not stated:
                yield f"{step.step_id}: {path} = {_short(leaf)} is not stated in the prompt"


def _mentioned(
    step: Step, argument: str, values: list[Any], task: Task, text: str
) -> Iterator[str]:
    by_id = {other.step_id: other for other in task.steps}
    flowing = [
        dig(by_id[e.source].output, e.path)
        for e in step.edges
        if e.argument == argument and e.source in by_id
    ]
    for value in values:
        if value not in flowing and not appears(value, text):
            yield f"{step.step_id}: {argument} must mention {_short(value)}, which nothing states"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def schema_valid(context: Context, task: Task) -> Iterator[str]:
    """Schemas are in the subset that all providers accept; expected calls are offered and fit them."""
    schemas = {}
    for text in task.schemas:
        function = json.loads(text)["function"]
        schemas[function["name"]] = function["parameters"]
        if not _NAME.fullmatch(function["name"]):
            yield f"{function['name']}: providers refuse this name"
        yield from _schema_problems(function["name"], function["parameters"])
    if len(set(task.offered)) != len(task.offered):
        yield "a tool is offered twice"
    for step in task.steps:
        if step.tool not in task.offered:
            yield f"{step.step_id}: {step.tool} is not offered"
        schema = schemas.get(step.tool)
        if schema is None and step.tool in context.tools:
            schema = context.tools[step.tool].schema["function"]["parameters"]
        if schema is None:
            continue
        for problem in _misfits(step.arguments, schema, ""):
            yield f"{step.step_id}: {problem}"


def _schema_problems(where: str, schema: Mapping[str, Any]) -> Iterator[str]:
    for word in _FORBIDDEN:
        if word in schema:
            yield f"{where}: {word!r} is not accepted everywhere"
    if schema.get("type") == "array" and "items" not in schema:
        yield f"{where}: an array needs items"
    if "enum" in schema and not schema["enum"]:
        yield f"{where}: an empty enum"
    for name, child in schema.get("properties", {}).items():
        yield from _schema_problems(f"{where}.{name}", child)
    if isinstance(schema.get("items"), dict):
        yield from _schema_problems(f"{where}[]", schema["items"])


def _misfits(value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    wanted = JSON_TYPES.get(schema.get("type", ""), (object,))
    if not isinstance(value, wanted) or (
        isinstance(value, bool) and schema.get("type") in ("number", "integer")
    ):
        yield f"{where or 'arguments'}: {_short(value)} is no {schema.get('type')}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {_short(value)} is none of {schema['enum']}"
    if isinstance(value, dict) and "properties" in schema:
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{name} is required and missing"
        for name, item in value.items():
            if name not in schema["properties"]:
                yield f"{name} is no argument of the tool"
            else:
                yield from _misfits(item, schema["properties"][name], name)
    if isinstance(value, list) and "items" in schema:
        for position, item in enumerate(value):
            yield from _misfits(item, schema["items"], f"{where}.{position}")


def arguments_present(context: Context, task: Task) -> Iterator[str]:
    """No step without a non-default argument, unless its tool takes none."""
    for step in task.steps:
        tool = context.tools.get(step.tool)
        if tool is not None and not tool.parameters:
            continue
        if all(is_default(context.tools, step, argument) for argument in step.arguments):
            yield f"{step.step_id}: {step.tool} is expected without any argument"


def reexecutes(context: Context, task: Task) -> Iterator[str]:
    """Executing the expected steps gives the expected outputs, and edges carry what they say."""
    if context.is_legacy:
        return
    episode = Episode(context.tools)
    for step in task.steps:
        executed = episode.execute(step.tool, dict(step.arguments))
        if executed.output != step.output:
            yield f"{step.step_id}: gives {_short(executed.output)}, not {_short(step.output)}"
    positions = positions_of(task)
    for step in task.steps:
        for edge in step.edges:
            if edge.source not in positions:
                yield f"{step.step_id}: there is no {edge.source}"
                continue
            given = dig(task.steps[positions[edge.source]].output, edge.path)
            taken = dig(step.arguments, edge.argument)
            rule = step.match.get(edge.argument, {}).get("rule")
            carried = step.match[edge.argument]["values"] if rule == "mentions" else [taken]
            if isinstance(given, Unresolved) or given not in carried:
                yield f"{step.step_id}: {edge.argument} is not {edge.path} of {edge.source}"
    yield from _alternatives(context, task)


def _alternatives(context: Context, task: Task) -> Iterator[str]:
    outputs = [step.output for step in task.steps]
    for step in task.steps:
        for other in step.alternatives:
            # Where edges feed it, an alternative refers to the expected outputs.
            output = Episode(context.tools).execute(other.tool, resolve(other.arguments, outputs))
            if output.output is None or output.error is not None:
                yield f"{step.step_id}: its alternative {other.tool} gives {output.error}"
                continue
            for path, twin in other.outputs.items():
                if not same_value(project(output.output, twin), dig(step.output, path)):
                    yield f"{step.step_id}: {other.tool} gives another {path}"


def same_value(one: Any, other: Any) -> bool:
    """Equal, or numbers within rounding (one part in a million)."""
    return is_same(one, other, 1e-6)
