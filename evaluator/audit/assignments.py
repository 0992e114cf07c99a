"""Every way to give some values to a tool."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from dataset_builder.tools.tool import Tool
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind

_PYTHON_TYPES = {"string": str, "array": list, "object": dict, "boolean": bool}


class Values:
    """Different values that any tool may be given."""

    def __init__(self, every: list[Any]) -> None:
        self.every = every
        # Tools have far more parameters than there are kinds.
        self._places: dict[Kind, list[int]] = {}

    def assignments(self, tool: Tool) -> Iterator[Mapping[str, Any]]:
        """Every way to give some of the values to the tool's required parameters (and to no other)."""
        names, kinds = _required(tool)
        for places in product(*map(self._taken_by, kinds)):
            if len(set(places)) == len(places):
                yield dict(zip(names, map(self.every.__getitem__, places), strict=True))

    def _taken_by(self, kind: Kind) -> list[int]:
        """Where the values stand that a parameter of this kind takes."""
        if kind not in self._places:
            places = [at for at, value in enumerate(self.every) if _fits(kind, value)]
            self._places[kind] = places
        return self._places[kind]


@cache
def _required(tool: Tool) -> tuple[list[str], list[Kind]]:
    """Names and kinds of the parameters that it requires."""
    required = [parameter for parameter in tool.parameters.values() if parameter.required]
    return [p.name for p in required], [p.kind for p in required]


def _fits(kind: Kind, value: Any) -> bool:
    wanted = _PYTHON_TYPES.get(kind.json_type, (int, float))
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind.name != "boolean"):
        return False
    try:
        kind.read(value)
    except ArgumentError:
        return False
    return True
