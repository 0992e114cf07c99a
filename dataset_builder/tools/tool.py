"""A tool: a pure function, its parameters and output fields, and the catalogue of all tools."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dataset_builder.tools.world import World, draw_for
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind

Output = dict[str, Any]

CATEGORIES = (
    "Math & Statistics",
    "Text Processing",
    "External Services",
    "Data Operations",
    "Web & Network",
    "String Utilities",
    "Date & Time",
    "Communication",
    "Encoding & Security",
    "Information Retrieval",
    "File & Data",
    "Formatting",
    "Productivity",
    "AI & NLP",
    "State Management",
)
MAX_OUTPUT_CHARACTERS = 200_000


class ToolError(ValueError):
    """A tool cannot answer; the message says what was wrong with the arguments."""


class DefinitionError(TypeError):
    """A function cannot become a tool; the message names the function and what it lacks."""


@dataclass(frozen=True)
class Parameter:
    """One argument that a tool takes; ``default`` counts only where it is not required.

    ``variable`` is its name in the function: ``from_`` where the argument is called ``from``.
    """

    name: str
    variable: str
    kind: Kind
    description: str
    required: bool
    default: Any = None


@dataclass(frozen=True)
class Field:
    """One field of a tool's output."""

    name: str
    type: str
    unit: str
    description: str

    def __str__(self) -> str:
        """As the tool's description prints it."""
        return (
            f"{self.name} ({self.type}, {self.unit})" if self.unit else f"{self.name} ({self.type})"
        )


@dataclass(frozen=True, eq=False)
class Tool:
    """A pure, deterministic function with an OpenAI function schema; no two tools are equal."""

    name: str
    category: str
    summary: str
    parameters: Mapping[str, Parameter]
    returns: Mapping[str, Field]
    function: Callable[..., Output]
    injected: Mapping[str, type]
    symmetric: tuple[str, str] | None = None
    """Two arguments that may change places: no output tells which was which."""

    @cached_property
    def is_stateful(self) -> bool:
        """Whether it acts on the episode's world, so that an earlier call may change its output."""
        return World in self.injected.values()

    @cached_property
    def _renamed(self) -> tuple[tuple[str, str], ...]:
        """The arguments whose names are none in Python: ``from`` is the function's ``from_``."""
        every = self.parameters.values()
        return tuple((p.name, p.variable) for p in every if p.name != p.variable)

    @cached_property
    def description(self) -> str:
        """What the tool does and which fields it returns, as models read it."""
        return f"{self.summary} Returns: {', '.join(map(str, self.returns.values()))}."

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The tool in OpenAI form."""
        properties = {
            p.name: p.kind.schema() | {"description": p.description}
            for p in self.parameters.values()
        }
        required = [p.name for p in self.parameters.values() if p.required]
        parameters = {"type": "object", "properties": properties, "required": required}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}

    @cached_property
    def schema_json(self) -> str:
        """The schema as compact JSON, keys in schema order."""
        return json.dumps(self.schema, ensure_ascii=False, separators=(",", ":"))

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the function takes them: defaults filled in, unknown names dropped.

        Raises ArgumentError that names the parameter.
        """
        values = {}
        for name, parameter in self.parameters.items():
            value = arguments.get(name)
            if value is None:
                if parameter.required:
                    raise ArgumentError(f"{name}: required argument is missing")
                values[name] = parameter.default
                continue
            try:
                values[name] = parameter.kind.read(value)
            except ArgumentError as error:
                raise ArgumentError(f"{name}: {error}") from None
        return values

    def canonical(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The canonical form of arguments that `read` gave: what simulated values are drawn from."""
        return {
            name: None if values[name] is None else parameter.kind.canonical_of_read(values[name])
            for name, parameter in self.parameters.items()
        }

    def __call__(self, arguments: Mapping[str, Any], world: World) -> Output:
        """The output for the arguments, or ``{"error": ...}`` that says what was wrong with them."""
        try:
            values = self.read(arguments)
            handed = {
                name: world if needed is World else draw_for(self.name, self.canonical(values))
                for name, needed in self.injected.items()
            }
            for name, variable in self._renamed:
                values[variable] = values.pop(name)
            output = self.function(**values, **handed)
        except (ArgumentError, ToolError) as error:
            return {"error": str(error)}
        if _too_large(output):
            return {"error": f"the output would exceed {MAX_OUTPUT_CHARACTERS:,} characters"}
        return output


def _too_large(output: Output) -> bool:
    budget, pending = MAX_OUTPUT_CHARACTERS, list(output.values())
    while pending and budget >= 0:
        node = pending.pop()
        # JSON has no subclasses, and to ask for the type itself is several times faster.
        sort = type(node)
        if sort is str:
            budget -= len(node)
        elif sort is dict:
            pending.extend(node.values())
        elif sort is list:
            budget -= len(node)
            if budget >= 0:
                pending.extend(node)
    return budget < 0


class Catalogue(Mapping[str, Tool]):
    """Tools by name, in a fixed order; the default one holds the benchmark's 106."""

    def __init__(self, tools: list[Tool]) -> None:
        """DefinitionError where two tools share a name."""
        self._tools: dict[str, Tool] = {}
        for item in tools:
            if item.name in self._tools:
                raise DefinitionError(f"two tools are called {item.name}")
            self._tools[item.name] = item

    def __getitem__(self, name: str) -> Tool:
        """The tool of that name; KeyError where there is none."""
        return self._tools[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The tool of that name, or the default: as `Mapping.get`, without an exception on the way."""
        return self._tools.get(name, default)

    def __iter__(self) -> Any:
        """The names, in order."""
        return iter(self._tools)

    def __len__(self) -> int:
        """How many tools there are."""
        return len(self._tools)

    @cached_property
    def by_category(self) -> dict[str, list[str]]:
        """Names of the tools of each category."""
        groups: dict[str, list[str]] = {}
        for item in self._tools.values():
            groups.setdefault(item.category, []).append(item.name)
        return groups
