"""Agents that do not read the prompt: silence, spam, and calls at random."""

from collections.abc import Mapping
from typing import Any

from dataset_builder.values.draw import Draw
from evaluator.asking.request_reply import Request

_WORDS = ("Paris", "hello world", "2026-03-05", "EUR", "m", "https://example.org", "total")


def silent(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """No call."""
    return []


def spam(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """Every offered tool once, without arguments."""
    if _has_called(request):
        return []
    return [(schema["function"]["name"], {}) for schema in request.tools]


def random_calls(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """One to five offered tools with plausible arguments; the same for the same task and sample."""
    if _has_called(request) or not request.tools:
        return []
    draw = Draw(f"random|{request.task.task_id}|{request.sample}")
    calls = []
    for number in range(draw.integer("calls", 1, 5)):
        function = draw.choice(f"tool {number}", request.tools)["function"]
        calls.append((function["name"], _arguments(function["parameters"], draw, f"{number}")))
    return calls


def _has_called(request: Request) -> bool:
    return any(message["role"] == "assistant" for message in request.messages)


def _arguments(parameters: Mapping[str, Any], draw: Draw, label: str) -> dict[str, Any]:
    required = parameters.get("required", ())
    return {
        name: _value(schema, draw, f"{label}.{name}")
        for name, schema in parameters["properties"].items()
        if name in required or draw.fraction(f"{label}.{name} given") < 0.3
    }


def _value(schema: Mapping[str, Any], draw: Draw, label: str) -> Any:
    schema = schema["anyOf"][0] if "anyOf" in schema else schema
    if "enum" in schema:
        return draw.choice(label, schema["enum"])
    match schema["type"]:
        case "integer":
            return draw.integer(label, 0, 100)
        case "number":
            return draw.number(label, 0, 100)
        case "boolean":
            return draw.fraction(label) < 0.5
        case "array":
            count = draw.integer(f"{label} count", 1, 4)
            return [_value(schema["items"], draw, f"{label}.{i}") for i in range(count)]
        case "object":
            return {draw.choice(f"{label} key", _WORDS): draw.integer(label, 0, 100)}
    return draw.choice(label, _WORDS)
