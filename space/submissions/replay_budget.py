"""A budget for executing a stranger's calls, counted in calls and characters and never by a clock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tools.tool import Output, Tool
from dataset_builder.tools.world import World
from evaluator.traces.trace import Trace
from space.base.limits import MAX_CALLS, MAX_CHARACTERS, MAX_MODELS

# What reading a number or an empty text takes, in characters.
_NODE = 8
_INSTEAD = "score it with `comptoolbench score`, or give it in parts"


def check_models(traces: Iterable[Trace]) -> None:
    """InputError where a file holds the runs of too many models."""
    if len({trace.model for trace in traces}) > MAX_MODELS:
        raise InputError(f"may hold the runs of at most {MAX_MODELS} models: give it in parts")


def check_calls(traces: Iterable[Trace]) -> None:
    """InputError where a file has more calls than a page executes."""
    if sum(len(trace.calls) for trace in traces) > MAX_CALLS:
        raise InputError(f"has more than {MAX_CALLS:,} calls: {_INSTEAD}")


class Meter:
    """How many characters a file's calls may still take and give."""

    def __init__(self, characters: int = MAX_CHARACTERS) -> None:
        self.characters = characters

    def charge(self, value: Any) -> None:
        """Take the characters of a JSON value; InputError where too few are left."""
        pending = [value]
        while pending and self.characters >= 0:
            node = pending.pop()
            self.characters -= _NODE
            if isinstance(node, str):
                self.characters -= len(node)
            elif isinstance(node, Mapping):
                pending.extend(node)
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)
        if self.characters < 0:
            raise InputError(
                f"its calls take and give more than {MAX_CHARACTERS:,} characters: {_INSTEAD}"
            )


@dataclass(frozen=True, kw_only=True)
class _MeteredTool(Tool):
    """A tool whose calls a meter counts."""

    meter: Meter

    @property
    def is_stateful(self) -> bool:
        """Each call counts, so that none may take its outcome from an equal one."""
        return True

    def __call__(self, arguments: Mapping[str, Any], world: World) -> Output:
        self.meter.charge(arguments)
        output = super().__call__(arguments, world)
        self.meter.charge(output)
        return output


def metered(tools: Mapping[str, Tool], meter: Meter) -> dict[str, Tool]:
    """The same tools, every call of which is charged."""
    return {name: _MeteredTool(**_fields(tool), meter=meter) for name, tool in tools.items()}


def _fields(tool: Tool) -> dict[str, Any]:
    return {field.name: getattr(tool, field.name) for field in fields(Tool)}
