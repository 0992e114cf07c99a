"""The ways to give values to a tool: all of them, each once, in the order of the values."""

from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any

import pytest

from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from evaluator.audit.assignments import Values

EVERY: list[Any] = [
    *("Berlin", 12, "2026-03-05", 3.5, True, "EUR", [1, 2, 3], ["a", "b"], {"a": 1}),
    *("https://a.example/b", "ada@a.example", "1+2", "Europe/Berlin", 0),
]


def takes(kind: Kind, value: Any) -> bool:
    """Whether a value is of the JSON type that the schema names, and can be read."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    of_type = {
        "string": isinstance(value, str),
        "number": is_number,
        "integer": is_number,
        "boolean": isinstance(value, bool),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    try:
        kind.read(value)
    except ArgumentError:
        return False
    return of_type[kind.json_type]


def one_by_one(tool: Tool, values: list[Any]) -> Iterator[dict[str, Any]]:
    required = [parameter for parameter in tool.parameters.values() if parameter.required]
    for chosen in permutations(values, len(required)):
        if all(takes(p.kind, value) for p, value in zip(required, chosen, strict=True)):
            yield {p.name: value for p, value in zip(required, chosen, strict=True)}


@pytest.mark.parametrize("values", [EVERY, EVERY[::-1], EVERY[:1], []], ids=len)
def test_every_tool_is_given_all_that_it_takes(values: list[Any]) -> None:
    given = Values(values)
    for tool in catalogue().values():
        expected = list(islice(one_by_one(tool, values), 300))
        assert list(islice(given.assignments(tool), 300)) == expected, tool.name
