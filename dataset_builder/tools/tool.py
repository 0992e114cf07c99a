"""The tool mechanism: a typed, documented function becomes a `Tool`.

    @tool("External Services")
    def get_weather(city: Place, draw: Draw) -> Output:
        \"\"\"Current weather in a city, always in degrees Celsius.

        Args:
            city: City name, such as Paris.

        Returns:
            temperature_c (number, °C): air temperature
            condition (string): one word or two
        \"\"\"

Schema, parameter kinds and output fields are read from signature and docstring and written nowhere
else. A parameter annotated `Draw` or `World` is handed in and is no argument of the tool.
"""

import inspect
import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dataset_builder.tools.world import World, draw_for
from dataset_builder.values.canonical import canonical_json
from dataset_builder.values.draw import Draw
from dataset_builder.values.kinds import FREE, UNORDERED, ArgumentError, Kind, Said, as_free

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
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
_FIELD = re.compile(r"(\w+) \(([a-z ]+)(?:, ([^)]+))?\)(?:: (.+))?")
_FIELD_TYPES = ("string", "number", "integer", "boolean", "object")
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
            keywords = {p.variable: values[p.name] for p in self.parameters.values()}
            for name, needed in self.injected.items():
                keywords[name] = (
                    world if needed is World else draw_for(self.name, self.canonical(values))
                )
            output = self.function(**keywords)
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


def tool(
    category: str, symmetric: tuple[str, str] | None = None
) -> Callable[[Callable[..., Output]], Tool]:
    """Make a `Tool` of the decorated function; DefinitionError where its definition is incomplete.

    ``symmetric``: the names of two arguments that may change places.
    """

    def make(function: Callable[..., Output]) -> Tool:
        name = function.__name__
        if category not in CATEGORIES:
            raise DefinitionError(f"{name}: there is no category {category!r}")
        if not _NAME.fullmatch(name):
            raise DefinitionError(f"{name}: providers do not accept this name")
        summary, documented, returned = _read_docstring(name, function.__doc__)
        hints = get_type_hints(function, include_extras=True)
        parameters: dict[str, Parameter] = {}
        injected: dict[str, type] = {}
        for parameter in inspect.signature(function).parameters.values():
            hint = hints.get(parameter.name)
            if hint in (World, Draw):
                injected[parameter.name] = hint
                continue
            public = parameter.name.removesuffix("_")
            if public not in documented:
                raise DefinitionError(f"{name}: parameter {public} is not documented")
            required = parameter.default is inspect.Parameter.empty
            parameters[public] = Parameter(
                public,
                parameter.name,
                _kind_of(f"{name}.{public}", hint),
                documented.pop(public),
                required,
                None if required else parameter.default,
            )
        if documented:
            raise DefinitionError(f"{name}: {', '.join(documented)} documented, but no parameter")
        if symmetric and len({p.kind for n, p in parameters.items() if n in symmetric}) != 1:
            raise DefinitionError(f"{name}: {symmetric} are no two arguments of one kind")
        return Tool(name, category, summary, parameters, returned, function, injected, symmetric)

    return make


def _read_docstring(name: str, text: str | None) -> tuple[str, dict[str, str], dict[str, Field]]:
    """Summary, parameter descriptions and output fields of a tool's docstring."""
    sections: dict[str, list[str]] = {"": [], "Args": [], "Returns": []}
    section = ""
    for line in inspect.cleandoc(text or "").splitlines():
        if line.rstrip(":") in ("Args", "Returns") and line.endswith(":"):
            section = line.rstrip(":")
        elif line.strip():
            if section and not line.startswith("     ") and line.startswith("    "):
                sections[section].append(line.strip())
            elif section:
                sections[section][-1] += " " + line.strip()
            else:
                sections[section].append(line.strip())
    summary = " ".join(sections[""])
    if not summary or not sections["Returns"]:
        raise DefinitionError(f"{name}: the docstring needs a summary and a Returns section")
    documented = {}
    for line in sections["Args"]:
        parameter, colon, description = line.partition(": ")
        if not colon or not parameter.isidentifier():
            raise DefinitionError(f"{name}: cannot read the argument line {line!r}")
        documented[parameter] = description
    returned = {}
    for line in sections["Returns"]:
        match = _FIELD.fullmatch(line)
        if match is None or match[2].removeprefix("array of ") not in _FIELD_TYPES:
            raise DefinitionError(f"{name}: cannot read the output line {line!r}")
        returned[match[1]] = Field(match[1], match[2], match[3] or "", match[4] or "")
    return summary, documented, returned


def _kind_of(where: str, hint: Any) -> Kind:
    """The kind that a type annotation stands for."""
    if get_origin(hint) in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        if len(options) == 1:
            return _kind_of(where, options[0])
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        kind = next((mark for mark in marks if isinstance(mark, Kind)), None)
        kind = kind or _kind_of(where, inner)
        for mark in marks:
            kind = _marked(where, kind, mark)
        return kind
    if get_origin(hint) is Literal and all(isinstance(choice, str) for choice in get_args(hint)):
        return Kind("enum", choices=get_args(hint))
    if get_origin(hint) is list:
        return Kind("list", item=_kind_of(where, get_args(hint)[0]))
    raise DefinitionError(f"{where}: no parameter kind is known for the type {hint}")


def _marked(where: str, kind: Kind, mark: Any) -> Kind:
    if isinstance(mark, Said):
        known = kind.choices or ("true", "false")
        if kind.name not in ("enum", "boolean") or not set(mark.phrases) <= set(known):
            raise DefinitionError(f"{where}: phrases are said of values that it does not have")
        return Kind(kind.name, choices=kind.choices, said=mark.phrases)
    if mark == FREE:
        return as_free(kind)
    if mark == UNORDERED and kind.name == "list":
        return Kind("set", item=kind.item)
    if isinstance(mark, Kind):
        return kind
    raise DefinitionError(f"{where}: {mark!r} says nothing about a parameter")


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

    def digest_text(self) -> str:
        """All schemas as one text: what a digest of the catalogue is taken of."""
        return canonical_json([item.schema for item in self._tools.values()])
