"""Every tool: any JSON for arguments gives the documented fields or an error in a sentence."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.json_values import ArgumentError
from tests.fuzz.checks import json_of, settled
from tests.tools.tool_cases import fault, ordinary


def seeds() -> Iterator[bytes]:
    """Two ordinary calls to each tool, and one with every optional argument at its default."""
    for name, cases in ordinary().items():
        defaults = {p.name: p.default for p in catalogue()[name].parameters.values()}
        for arguments in chain(cases[:2], [{**defaults, **cases[0]}]):
            yield json.dumps([name, arguments]).encode()


def check(data: bytes) -> None:
    """A call, made twice in fresh worlds; what its arguments compare by is the same compared again."""
    match json_of(data):
        case [str(name), dict(arguments)] if name in catalogue():
            tool = catalogue()[name]
            output = settled(lambda: tool(arguments, World()))
            problem = fault(tool, output)
            assert problem is None, problem
            _check_canonical(tool, arguments)


def _check_canonical(tool: Tool, arguments: Mapping[str, Any]) -> None:
    for name, parameter in tool.parameters.items():
        if name not in arguments:
            continue
        try:
            once = parameter.kind.canonical(arguments[name])
        except ArgumentError:
            continue
        assert parameter.kind.canonical(arguments[name]) == once
