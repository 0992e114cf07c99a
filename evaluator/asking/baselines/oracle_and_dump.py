"""Agents that know the expected calls: the oracle, and one that fills every text with all outputs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Edge, Step, Task
from dataset_builder.tools.faults import is_changed_by_fault
from dataset_builder.values.references import dig, render, resolve, unresolved
from evaluator.asking.prompts import outputs_shown
from evaluator.asking.request_reply import Request
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.variations import possible_steps

PlannedCall = tuple[str, dict[str, Any]]
"""A tool and its arguments, in which references may stand."""


def oracle(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """The expected calls: all with references in single-turn; else the next one, with real values.

    Where a needed tool is withheld, those that can still be made.
    """
    task = request.task
    if request.withheld:
        task = replace(task, steps=possible_steps(task, request.withheld))
    return planned(
        request, task.steps, lambda step: (step.tool, arguments_with_references(step, task))
    )


def planned(
    request: Request, steps: Sequence[Step], call_of: Callable[[Step], PlannedCall]
) -> list[PlannedCall]:
    """The calls of a plan whose arguments may be references: all in single-turn, else the next one.

    A call that met a fault is made again.
    """
    told = request.made_up or {}
    if request.protocol == SINGLE_TURN:
        planned_calls = map(call_of, steps)
        return [(told.get(tool, tool), arguments) for tool, arguments in planned_calls]
    shown = outputs_shown(request.messages)
    outputs = [output for output in shown if not is_changed_by_fault(output)]
    if len(outputs) >= len(steps):
        return []
    tool, arguments = call_of(steps[len(outputs)])
    real = {name: _real(value, outputs) for name, value in arguments.items()}
    return [(told.get(tool, tool), real)]


def _real(value: Any, outputs: Sequence[Any]) -> Any:
    """The value with real ones for its references; as it is where a call gave no such output."""
    resolved = resolve(value, outputs)
    return value if unresolved(resolved) is not None else resolved


def arguments_with_references(step: Step, task: Task) -> dict[str, Any]:
    """A step's arguments in which every value that flows is a reference to the call that gives it.

    InputError where the task contradicts itself: a value flows from nowhere, or to nowhere.
    """
    try:
        return _with_references(step, task)
    except (LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"task {task.task_id} contradicts itself: what flows into {step.step_id} does not fit "
            f"({error!r}); `comptoolbench audit` says more"
        ) from None


def _with_references(step: Step, task: Task) -> dict[str, Any]:
    by_id = {other.step_id: (number, other) for number, other in enumerate(task.steps, 1)}
    arguments = dict(step.arguments)
    texts: dict[str, list[Edge]] = {}
    for edge in step.edges:
        if step.match.get(edge.argument, {}).get("rule") == "mentions":
            texts.setdefault(edge.argument, []).append(edge)
        else:
            reference = f"{{{{{by_id[edge.source][0]}.{edge.path}}}}}"
            arguments = _with(arguments, edge.argument.split("."), reference)
    for argument, edges in texts.items():
        carried = list(step.match[argument]["values"])
        for edge in edges:
            number, source = by_id[edge.source]
            carried[carried.index(dig(source.output, edge.path))] = f"{{{{{number}.{edge.path}}}}}"
        text = "\n".join(render(value) for value in carried)
        arguments = _with(arguments, argument.split("."), text)
    return arguments


def _with(node: Any, path: Sequence[str], value: Any) -> Any:
    """The JSON value with another one at a path; nothing is changed in place."""
    if not path:
        return value
    if isinstance(node, list):
        position = int(path[0])
        return [*node[:position], _with(node[position], path[1:], value), *node[position + 1 :]]
    return {**node, path[0]: _with(node[path[0]], path[1:], value)}


def dump(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """The oracle's tools, every text argument filled with all outputs so far (from the second call).

    It probes whether texts that carry everything are worth something.
    """
    types = {schema["function"]["name"]: _text_parameters(schema) for schema in request.tools}
    calls = oracle(request)
    if request.protocol == SINGLE_TURN:
        earlier = [
            [f"{{{{{n}}}}}" for n in range(1, number)] for number in range(1, len(calls) + 1)
        ]
    else:
        earlier = [[render(output) for output in outputs_shown(request.messages)]]
    return [
        (name, _filled(arguments, types.get(name, frozenset()), "\n".join(outputs)))
        for (name, arguments), outputs in zip(calls, earlier, strict=False)
    ]


def _filled(arguments: dict[str, Any], texts: frozenset[str], content: str) -> dict[str, Any]:
    if not content:
        return arguments
    return {name: content if name in texts else value for name, value in arguments.items()}


def _text_parameters(schema: Any) -> frozenset[str]:
    """The parameters that take a free text."""
    properties = schema["function"]["parameters"]["properties"]
    return frozenset(
        name
        for name, value in properties.items()
        if value.get("type") == "string" and "enum" not in value
    )
