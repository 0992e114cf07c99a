"""What a call gives, computed once: tools are pure, and few of them act on a world."""

from collections.abc import Mapping
from typing import Any

from dataset_builder.tool import Output, Tool
from dataset_builder.world import World

# Enough for the calls that tasks have in common: searches, quotes, the weather of the known cities.
KEPT = 16_384
# A longer call hardly comes twice.
LONGEST = 2_000
_kept: dict[tuple[Tool, str], Output] = {}


def output_of(tool: Tool, arguments: Mapping[str, Any], world: World) -> Output:
    """The output of a call, as ``tool(arguments, world)`` gives it; callers must not change it.

    For calls of our own making, as JSON values: what a stranger sends would stay in memory here.
    """
    if tool.is_stateful:
        return tool(arguments, world)
    key = (tool, repr(arguments))
    output = _kept.get(key)
    if output is None:
        output = tool(arguments, world)
        if len(_kept) >= KEPT:
            _kept.clear()
        if len(key[1]) <= LONGEST:
            _kept[key] = output
    return output
