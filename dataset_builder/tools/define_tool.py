"""How a typed, documented function becomes a `Tool`.

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
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dataset_builder.tools.tool import CATEGORIES, DefinitionError, Field, Output, Parameter, Tool
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.kinds import Kind
from dataset_builder.values.parameter_types import FREE, UNORDERED, Said

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
_FIELD = re.compile(r"(\w+) \(([a-z ]+)(?:, ([^)]+))?\)(?:: (.+))?")
_FIELD_TYPES = ("string", "number", "integer", "boolean", "object")


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
        parameters, injected = _read_signature(function, documented)
        if symmetric and len({p.kind for n, p in parameters.items() if n in symmetric}) != 1:
            raise DefinitionError(f"{name}: {symmetric} are no two arguments of one kind")
        return Tool(name, category, summary, parameters, returned, function, injected, symmetric)

    return make


def _read_signature(
    function: Callable[..., Output], documented: Mapping[str, str]
) -> tuple[dict[str, Parameter], dict[str, type]]:
    """The arguments of a tool by their public names, and what is handed in beside them.

    ``documented``: the description of each argument.
    """
    name = function.__name__
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
            documented[public],
            required,
            None if required else parameter.default,
        )
    if unknown := [argument for argument in documented if argument not in parameters]:
        raise DefinitionError(f"{name}: {', '.join(unknown)} documented, but no parameter")
    return parameters, injected


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
        return replace(kind, is_free=True)
    if mark == UNORDERED and kind.name == "list":
        return Kind("set", item=kind.item)
    if isinstance(mark, Kind):
        return kind
    raise DefinitionError(f"{where}: {mark!r} says nothing about a parameter")
