"""What a call gives, computed once: tools are pure, and few of them act on a world."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from dataset_builder.tools.tool import Output, Tool
from dataset_builder.tools.world import World

# Enough for the calls that tasks have in common: searches, quotes, the weather of the known cities.
KEPT = 16_384
# A longer call hardly comes twice.
LONGEST = 2_000
# The least recently used goes first: half of all calls, messages and sums, never come again.
_kept: OrderedDict[tuple[Tool, str], Output] = OrderedDict()


def output_of(tool: Tool, arguments: Mapping[str, Any], world: World) -> Output:
    """The output of a call, as ``tool(arguments, world)`` gives it; callers must not change it.

    For calls of our own making, as JSON values: what a stranger sends would stay in memory here.
    """
    if tool.is_stateful:
        return tool(arguments, world)
    key = (tool, repr(arguments))
    output = _kept.get(key)
    if output is not None:
        _kept.move_to_end(key)
        return output
    output = tool(arguments, world)
    if len(key[1]) <= LONGEST:
        _kept[key] = output
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return output
