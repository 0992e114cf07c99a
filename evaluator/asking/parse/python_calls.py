"""Calls that a text gives as Python: ``[f(a=1), g(b="x")]``. Parsed, never run."""

import ast
import math
from collections.abc import Container
from typing import Any

from evaluator.asking.parse.json_calls import Call, cleaned, read_arguments

_MAX_PYTHON = 20_000
_MAX_NESTING = 60


def python_calls(text: str, offered: Container[str]) -> list[Call]:
    """``[f(a=1), g(b="x")]``, or such calls on lines of their own."""
    if len(text) > _MAX_PYTHON or "(" not in text or _nesting(text) > _MAX_NESTING:
        return []
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    nodes = [node.value if isinstance(node, ast.Expr) else None for node in body]
    if len(nodes) == 1 and isinstance(nodes[0], ast.List | ast.Tuple):
        nodes = list(nodes[0].elts)
        bracketed = True
    else:
        bracketed = False
    calls = []
    for node in nodes:
        name = _python_name(node.func) if isinstance(node, ast.Call) else None
        if name is None or not isinstance(node, ast.Call):
            return []
        calls.append((cleaned(name, offered), _python_arguments(node)))
    # Code in which no offered tool is called is an illustration, not a call.
    return calls if bracketed or any(name in offered for name, _ in calls) else []


def _nesting(text: str) -> int:
    depth = deepest = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _python_name(node: ast.expr) -> str | None:
    """``f``, ``functions.f`` or, as Llama writes it, ``f.call``."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id if node.attr == "call" else f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None


def _python_arguments(node: ast.Call) -> Any:
    arguments = {}
    try:
        if node.args:
            raise ValueError("arguments without names")
        for keyword in node.keywords:
            if keyword.arg is None:
                raise ValueError("arguments without names")
            arguments[keyword.arg] = _literal(keyword.value)
    except ValueError:
        return ast.unparse(node)
    return read_arguments(arguments)


_JSON_WORDS = {"true": True, "false": False, "null": None}


def _literal(node: ast.expr) -> Any:
    """The JSON value of a literal; ValueError for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | None):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            raise ValueError("out of range")
        return node.value
    if isinstance(node, ast.Name) and node.id in _JSON_WORDS:
        return _JSON_WORDS[node.id]
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {_key(key): _literal(value) for key, value in pairs}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _literal(node.operand)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value
    raise ValueError("no literal")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("keys are texts")
