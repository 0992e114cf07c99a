"""What a rule is: a function over one task, or over the whole suite, that yields what is wrong."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dataset_builder.tasks.task import Level, Step, Suite, Task
from dataset_builder.tools.tool import Tool
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from evaluator.scoring.score import Scorer

PUBLISHED_COUNTS = (48, 64, 40, 48)
JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}
"""By JSON type the Python types of its values; a boolean is an int too, and no number."""


@dataclass(frozen=True)
class Defect:
    """One thing that is wrong with one task, or with the suite (then ``task_id`` is empty)."""

    rule: str
    task_id: str
    detail: str


@dataclass(frozen=True)
class Context:
    """What rules may look at: the suite's rows and the catalogue, never the generator."""

    suite: Suite
    tools: Mapping[str, Tool]

    @property
    def is_legacy(self) -> bool:
        """Whether the rows are suite 2.0.0's, whose outputs and edges are unknown."""
        return self.suite.version == "2.0.0"

    @cached_property
    def scorer(self) -> Scorer:
        """Scores traces; the same calls come again and again."""
        return Scorer(self.tools)

    @cached_property
    def readings(self) -> dict[int, Any]:
        """What rules have made of a task's prompt and keep for one another, by the task's identity."""
        return {}

    @cached_property
    def is_published(self) -> bool:
        """Whether the suite claims to be the seed-42 suite at its full size."""
        generation = self.suite.tasks[0].metadata.get("generation", {})
        return self.suite.seed == 42 and tuple(generation.get("counts", ())) == PUBLISHED_COUNTS


TaskRule = Callable[[Context, Task], Iterator[str]]
SuiteRule = Callable[[Context], Iterator[tuple[str, str]]]


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Each scalar below an argument with its dotted path; an empty list or object is a leaf too."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}")
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            yield from leaves(item, f"{path}.{position}")
    else:
        yield path, value


def leaf_kind(kind: Kind, value: Any) -> Kind:
    """The kind of a leaf below an argument of this kind."""
    while kind.item is not None:
        kind = kind.item
    if kind.name != "object":
        return kind
    if isinstance(value, bool):
        return Kind("boolean")
    return Kind("number") if isinstance(value, int | float) else Kind("name")


def kind_for(tools: Mapping[str, Tool], step: Step, argument: str) -> Kind:
    """The kind of a step's argument; by its JSON type where the catalogue does not know it."""
    tool = tools.get(step.tool)
    if tool is not None and argument in tool.parameters:
        return tool.parameters[argument].kind
    value = step.arguments[argument]
    if isinstance(value, bool):
        return Kind("boolean")
    if isinstance(value, int | float):
        return Kind("number")
    return Kind("object") if isinstance(value, dict | list) else Kind("name")


def is_default(tools: Mapping[str, Tool], step: Step, argument: str) -> bool:
    """Whether an argument's value is the one that the tool takes when it is left out."""
    tool = tools.get(step.tool)
    if tool is None or argument not in tool.parameters:
        return False
    parameter = tool.parameters[argument]
    if parameter.required or parameter.default is None:
        return False
    try:
        return bool(
            parameter.kind.canonical(step.arguments[argument])
            == parameter.kind.canonical(parameter.default)
        )
    except ArgumentError:
        return False


def positions_of(task: Task) -> dict[str, int]:
    """The 0-based position of every step."""
    return {step.step_id: position for position, step in enumerate(task.steps)}


def level_name(level: Level) -> str:
    """L0 … L3."""
    return f"L{level.value}"
