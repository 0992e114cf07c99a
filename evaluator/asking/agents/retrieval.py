"""The floor that a language model must beat: lexical tool retrieval and slot filling by rules.

It reads the prompt and the offered schemas and nothing else. Each clause of the prompt picks the
tool whose name and description it shares the rarest words with (BM25); arguments are filled with
the quoted texts, numbers, addresses, dates and names of the clause; what the prompt does not give
is taken from an earlier call.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dataset_builder.values.references import resolve, unresolved
from evaluator.asking.agents.bm25 import ToolIndex, tool_words, words_of
from evaluator.asking.agents.prompt_values import NUMBER_WORDS, QUOTED, StatedValue, values_in
from evaluator.asking.exchange import Request
from evaluator.asking.prompts import outputs_shown
from evaluator.traces.protocols import SINGLE_TURN

# What a clause must reach to be taken for a call of its own.
ENOUGH = 3.0
MOST_CALLS = 6

_CLAUSE = re.compile(r"(?<=[.!?;:])\s+|,? (?:and )?then |, and |;|\s-\s|, (?=[a-z])| and (?=[a-z])")
_RETURNS = re.compile(r"(\w+) \(([a-z ]+)(?:, [^)]+)?\)")
# What the name of a parameter says about the kind of its values.
_WANTED: Sequence[tuple[str, tuple[str, ...]]] = (
    ("expression", ("expression",)),
    ("^ip", ("ip",)),
    ("email|recipient", ("email",)),
    ("^to$", ("email", "code", "name")),
    ("url|link|domain|host", ("url",)),
    ("date|start|end|time|when|moment", ("date",)),
    ("zone|tz", ("timezone", "name")),
    ("path|file", ("path", "quoted")),
    ("symbol|currency|from|code", ("code", "name")),
    ("city|place|location|country|entity|name|origin|destination", ("name", "quoted")),
)


@dataclass
class _Plan:
    """The calls so far, and what they give."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    outputs: list[dict[str, str]] = field(default_factory=list)


def retrieval(request: Request) -> list[tuple[str, dict[str, Any]]]:
    """The planned calls, with references in single-turn; else the next one, with real values."""
    prompt = str(request.messages[1]["content"])
    calls = plan(prompt, request.tools)
    if request.protocol == SINGLE_TURN:
        return calls
    outputs = outputs_shown(request.messages)
    if len(outputs) >= len(calls):
        return []
    name, arguments = calls[len(outputs)]
    usable = [None if isinstance(o, dict) and "error" in o else o for o in outputs]
    real = {key: resolve(value, usable) for key, value in arguments.items()}
    return [(name, {k: v for k, v in real.items() if unresolved(v) is None})]


def plan(prompt: str, tools: Sequence[Mapping[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """The calls for a prompt, later ones with references to earlier ones."""
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    if not functions:
        return []
    index = ToolIndex({name: tool_words(function) for name, function in functions.items()})
    values = values_in(prompt)
    so_far = _Plan()
    for name, start, end in _chosen(prompt, index)[:MOST_CALLS]:
        _add_call(so_far, functions[name], values, prompt, (start, end))
    return so_far.calls


def _chosen(prompt: str, index: ToolIndex) -> list[tuple[str, int, int]]:
    """The tool of each clause that has one, with the clause's place; neighbours alike are one."""
    masked = QUOTED.sub(lambda match: " " * len(match[0]), prompt)
    chosen: list[tuple[str, int, int]] = []
    start = 0
    for end in [*(match.end() for match in _CLAUSE.finditer(masked)), len(masked)]:
        name, score = index.best(words_of(masked[start:end]))
        if score >= ENOUGH and not (chosen and chosen[-1][0] == name):
            chosen.append((name, start, end))
        start = end
    return chosen or [(index.best(words_of(masked))[0], 0, len(prompt))]


def _add_call(
    so_far: _Plan,
    function: Mapping[str, Any],
    values: Sequence[StatedValue],
    prompt: str,
    span: tuple[int, int],
) -> None:
    clause = prompt[span[0] : span[1]]
    parameters = function["parameters"]
    arguments: dict[str, Any] = {}
    for name, schema in parameters["properties"].items():
        schema = schema["anyOf"][0] if "anyOf" in schema else schema
        needed = name in parameters.get("required", ())
        value = _stated(name, schema, values, span, clause, needed)
        if value is None and needed:
            value = _reference(name, schema, so_far)
        if value is not None:
            arguments[name] = value
    so_far.calls.append((function["name"], arguments))
    returned = function["description"].rpartition("Returns: ")[2]
    so_far.outputs.append(dict(_RETURNS.findall(returned)))


def _stated(
    name: str,
    schema: Mapping[str, Any],
    values: Sequence[StatedValue],
    span: tuple[int, int],
    clause: str,
    needed: bool,
) -> Any:
    """A value of the prompt that fits the parameter, those of its clause first; None without one."""
    free = [value for value in values if not value.taken]
    near = [value for value in free if span[0] <= value.at < span[1]]
    candidates = near + [v for v in free if v not in near] if needed else near
    if "enum" in schema:
        return _choice(schema["enum"], clause) or (schema["enum"][0] if needed else None)
    if not needed and not set(words_of(name.replace("_", " "))) & set(words_of(clause)):
        return None
    if schema["type"] in ("number", "integer"):
        value = _take(candidates, ("number",))
        return None if value is None else _number(value)
    if schema["type"] == "array":
        return _list(schema, near or candidates)
    if schema["type"] == "object":
        return _take(candidates, ("json",))
    if schema["type"] != "string":
        return None
    for pattern, kinds in _WANTED:
        if re.search(pattern, name):
            return _take(candidates, kinds)
    return _take(candidates, ("quoted", "json")) or _take(candidates, ("name", "code"))


def _choice(choices: Sequence[str], clause: str) -> str | None:
    """The choice that the clause names."""
    named = set(words_of(clause))
    for choice in choices:
        words = words_of(choice.replace("_", " "))
        if words and named.issuperset(words):
            return choice
    return None


def _take(candidates: Sequence[StatedValue], kinds: Sequence[str]) -> str | None:
    for kind in kinds:
        for value in candidates:
            if value.kind == kind and not value.taken:
                value.taken = True
                return value.text
    return None


def _number(text: str) -> float | int:
    if text in NUMBER_WORDS:
        return NUMBER_WORDS.index(text) + 1
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _list(schema: Mapping[str, Any], candidates: Sequence[StatedValue]) -> list[Any] | None:
    item = schema["items"]["anyOf"][0] if "anyOf" in schema["items"] else schema["items"]
    kinds = ("number",) if item.get("type") in ("number", "integer") else ("quoted", "name")
    items: list[Any] = []
    while (text := _take(candidates, kinds)) is not None:
        items.append(_number(text) if kinds == ("number",) else text)
    return items or None


def _reference(name: str, schema: Mapping[str, Any], so_far: _Plan) -> Any:
    """The output of an earlier call that fits: of the same name, else of the same type."""
    wanted = {"number": ("number", "integer"), "integer": ("integer", "number")}
    types = wanted.get(schema["type"], (schema["type"],))
    if schema["type"] == "array":
        return _references(so_far)
    for same_name in (True, False):
        for number in range(len(so_far.outputs), 0, -1):
            for output, type_ in so_far.outputs[number - 1].items():
                if type_ in types and (not same_name or output == name):
                    return f"{{{{{number}.{output}}}}}"
    return None


def _references(so_far: _Plan) -> list[str] | None:
    references = [
        f"{{{{{number}.{output}}}}}"
        for number, outputs in enumerate(so_far.outputs, 1)
        for output, type_ in list(outputs.items())[:1]
        if type_ in ("number", "integer")
    ]
    return references or None
