"""A tool as text for people: its arguments, kinds and output fields."""

import json

from dataset_builder.tools.tool import Tool


def tool_text(tool: Tool) -> str:
    """Everything about one tool."""
    lines = [f"{tool.name}  ({tool.category})", "", tool.summary, "", "Arguments:"]
    for p in tool.parameters.values():
        need = "required" if p.required else f"default {json.dumps(p.default)}"
        choices = f" one of {', '.join(p.kind.choices)}" if p.kind.choices else ""
        lines.append(
            f"    {p.name} ({p.kind.describe()['kind']}, {need}){choices}: {p.description}"
        )
    if not tool.parameters:
        lines.append("    none")
    lines += ["", "Returns:"]
    lines += [f"    {field}: {field.description}" for field in tool.returns.values()]
    return "\n".join(lines)
