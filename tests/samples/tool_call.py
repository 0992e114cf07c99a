"""A tool called once, in a world of its own."""

from typing import Any

from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World


def call(tool: Tool, /, **arguments: Any) -> dict[str, Any]:
    """The tool's output; a trailing underscore of an argument's name is dropped."""
    given = {name.rstrip("_"): value for name, value in arguments.items()}
    output: dict[str, Any] = tool(given, World())
    return output
