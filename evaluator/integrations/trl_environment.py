"""Environments for TRL's trainers: a class whose methods are the tools of the benchmark.

    stream = TaskStream(7, {"L0": 1, "L1": 1}, tools=TOOLS)
    GRPOTrainer(
        environment_factory=environment_class(stream, TOOLS),
        train_dataset=Dataset.from_list(rows(stream, 10_000)),
        reward_funcs=reward_of_environments, ...)

TRL makes a tool of every public method, by its signature and its docstring, and one class has one set of
tools. So the class is made for a set of tools, and the stream of tasks that these can solve.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from evaluator.asking.prompts import opening
from evaluator.integrations.environment import Environment
from evaluator.integrations.task_stream import TaskStream
from evaluator.traces.protocols import MULTI_TURN, PROTOCOLS

TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "object": dict,
    "array": list,
}


class StreamEnvironment:
    """One task at a time of a stream; its subclasses have the tools as methods."""

    _stream: TaskStream
    _tools: Mapping[str, Tool]

    def __init__(self) -> None:
        # TRL shows calls, and not which reply held them.
        self._environment = Environment(catalogue="full", tools=self._tools, turns_known=False)

    def reset(self, **row: Any) -> None:
        """Open the task of a row, whose prompt says everything; InputError where it is none of ours."""
        task = self._stream.task(str(row.get("task_id")))
        if missing := [name for name in task.expected_tools if name not in self._tools]:
            raise InputError(
                f"{task.task_id} needs {', '.join(missing)}: give stream and class the same tools"
            )
        self._environment.reset(task)

    def get_reward(self) -> float:
        """The step score of the calls made so far, from 0 to 1."""
        return self._environment.score().step or 0.0

    def _called(self, name: str, arguments: Mapping[str, Any]) -> str:
        # TRL fills in what a model left out, and a value that is None counts as not given.
        given = {key: value for key, value in arguments.items() if value is not None}
        shown = self._environment.call(name, given)
        return "" if shown is None else shown.text


def environment_class(
    stream: TaskStream, tools: Collection[str] | None = None
) -> type[StreamEnvironment]:
    """The class to be given as ``environment_factory``; all tools where none are named.

    InputError for a tool that there is not.
    """
    known = catalogue()
    names = list(known) if tools is None else list(dict.fromkeys(tools))
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"there is no tool {unknown[0]!r}")
    chosen = {name: known[name] for name in names}
    methods: dict[str, Any] = {name: _method(tool) for name, tool in chosen.items()}
    return type(
        "StreamTools", (StreamEnvironment,), {"_stream": stream, "_tools": chosen} | methods
    )


def reward_of_environments(environments: Sequence[StreamEnvironment], **_: Any) -> list[float]:
    """The rewards of finished episodes, for a trainer that takes no `get_reward`."""
    return [environment.get_reward() for environment in environments]


def rows(
    stream: TaskStream, how_many: int, start: int = 0, protocol: str = MULTI_TURN
) -> list[dict[str, Any]]:
    """Rows of a dataset: ``prompt`` (system and user message) and ``task_id``.

    InputError for a protocol that there is not.
    """
    if protocol not in PROTOCOLS:
        raise InputError(f"protocol {protocol!r}: expected {' or '.join(PROTOCOLS)}")
    return [
        {"prompt": opening(task, protocol, "native", ()), "task_id": task.task_id}
        for task in islice(stream.tasks(start), how_many)
    ]


def _method(tool: Tool) -> Callable[..., str]:
    """A method with the signature, types and docstring that say what the tool's schema says."""
    function = tool.schema["function"]
    properties = function["parameters"]["properties"]
    required = function["parameters"]["required"]

    def method(self: StreamEnvironment, **arguments: Any) -> str:
        return self._called(tool.name, arguments)

    hints = {name: hint_of(schema) for name, schema in properties.items()}
    # Only a parameter that is given by place may be called `from`.
    kind = inspect.Parameter.POSITIONAL_ONLY
    parameters = [
        inspect.Parameter(
            name,
            kind,
            annotation=hints[name],
            default=inspect.Parameter.empty if name in required else None,
        )
        for name in sorted(properties, key=lambda name: name not in required)
    ]
    this = inspect.Parameter("self", kind)
    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = _docstring(function)
    method.__annotations__ = {**hints, "return": str}
    method.__signature__ = inspect.Signature([this, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    return method


def hint_of(schema: Mapping[str, Any]) -> Any:
    """The Python type that a schema describes."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    kind = TYPES[schema["type"]]
    return list[hint_of(schema["items"])] if "items" in schema else kind  # type: ignore[misc]


def _docstring(function: Mapping[str, Any]) -> str:
    """In Google's form, whose readers end a description at "Returns:"."""
    lines = [function["description"].replace(" Returns: ", " It returns "), "", "Args:"]
    properties = function["parameters"]["properties"]
    lines += [f"    {name}: {schema['description']}" for name, schema in properties.items()]
    return "\n".join(lines if properties else lines[:1])
