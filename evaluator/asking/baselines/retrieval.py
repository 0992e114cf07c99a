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
from evaluator.asking.baselines.bm25_formula import Index, words_of
from evaluator.asking.prompts import outputs_shown
from evaluator.asking.request_reply import Request
from evaluator.traces.protocols import SINGLE_TURN

# What a clause must reach to be taken for a call of its own.
ENOUGH = 3.0
MOST_CALLS = 6

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|(?<!\w)\'([^\']+)\'(?!\w)|`([^`]+)`')
_CLAUSE = re.compile(r"(?<=[.!?;:])\s+|,? (?:and )?then |, and |;|\s-\s|, (?=[a-z])| and (?=[a-z])")
_RETURNS = re.compile(r"(\w+) \(([a-z ]+)(?:, [^)]+)?\)")
_MONTHS = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)"
)
_CLOCK = r"(?: at \d{1,2}(?::\d\d)?(?: ?[ap]m)?)?"
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
# Kind of value → how it looks. The first that matches a stretch of text has it.
_KINDS: Mapping[str, re.Pattern[str]] = {
    "json": re.compile(r"\[\{[^\[\]]*\}\]|\{[^{}]*\}"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "url": re.compile(
        r"https?://[^\s,)\"']+[^\s,)\"'.?!]|\b(?:[\w-]+\.)+(?:com|org|net|io|example)\b"
    ),
    "ip": re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
    "date": re.compile(
        rf"\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?"
        rf"|{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}{_CLOCK}"
        rf"|\d{{1,2}} {_MONTHS} \d{{4}}{_CLOCK}"
    ),
    "timezone": re.compile(r"\b(?:Europe|America|Asia|Africa|Australia|Pacific)/\w+|\bUTC\b"),
    "path": re.compile(r"(?<![\w.])/?[\w-]+(?:/[\w.-]+)*\.(?:txt|csv|json|md|log|wav|mp3|png)\b"),
    "expression": re.compile(r"[\d(][\d.,()]*(?: ?[-+*/^] ?(?:sqrt)?[\d(][\d.,()]*)+"),
    "number": re.compile(
        r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.])-?\d+(?:\.\d+)?(?!\w)"
        rf"|\b(?:{'|'.join(_NUMBER_WORDS)})\b"
    ),
    "code": re.compile(r"\b[A-Z]{2,5}\b"),
    "name": re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*"),
}
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
class _Value:
    """One value that the prompt states, and whether a call has taken it."""

    kind: str
    text: str
    at: int
    taken: bool = False


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
    index = Index(functions)
    values = values_in(prompt)
    planned = _Plan()
    for name, start, end in _chosen(prompt, index)[:MOST_CALLS]:
        _add_call(planned, functions[name], values, prompt, (start, end))
    return planned.calls


def _chosen(prompt: str, index: Index) -> list[tuple[str, int, int]]:
    """The tool of each clause that has one, with the clause's place; neighbours alike are one."""
    masked = _QUOTED.sub(lambda match: " " * len(match[0]), prompt)
    chosen: list[tuple[str, int, int]] = []
    start = 0
    for end in [*(match.end() for match in _CLAUSE.finditer(masked)), len(masked)]:
        name, score = index.best(words_of(masked[start:end]))
        if score >= ENOUGH and not (chosen and chosen[-1][0] == name):
            chosen.append((name, start, end))
        start = end
    return chosen or [(index.best(words_of(masked))[0], 0, len(prompt))]


def values_in(prompt: str) -> list[_Value]:
    """The values that a prompt states, in order: quoted texts, then what looks like some kind."""
    values: list[_Value] = []
    rest = prompt
    for match in _QUOTED.finditer(prompt):
        text = next(group for group in match.groups() if group)
        values.append(_Value("quoted", text, match.start()))
        rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(rest):
            values.append(_Value(kind, match[0], match.start()))
            rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    return sorted(values, key=lambda value: value.at)


def _add_call(
    planned: _Plan,
    function: Mapping[str, Any],
    values: Sequence[_Value],
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
            value = _reference(name, schema, planned)
        if value is not None:
            arguments[name] = value
    planned.calls.append((function["name"], arguments))
    returned = function["description"].rpartition("Returns: ")[2]
    planned.outputs.append(dict(_RETURNS.findall(returned)))


def _stated(
    name: str,
    schema: Mapping[str, Any],
    values: Sequence[_Value],
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
    clause_words = set(words_of(clause))
    for choice in choices:
        words = words_of(choice.replace("_", " "))
        if words and clause_words.issuperset(words):
            return choice
    return None


def _take(candidates: Sequence[_Value], kinds: Sequence[str]) -> str | None:
    for kind in kinds:
        for value in candidates:
            if value.kind == kind and not value.taken:
                value.taken = True
                return value.text
    return None


def _number(text: str) -> float | int:
    if text in _NUMBER_WORDS:
        return _NUMBER_WORDS.index(text) + 1
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _list(schema: Mapping[str, Any], candidates: Sequence[_Value]) -> list[Any] | None:
    item = schema["items"]["anyOf"][0] if "anyOf" in schema["items"] else schema["items"]
    kinds = ("number",) if item.get("type") in ("number", "integer") else ("quoted", "name")
    items: list[Any] = []
    while (text := _take(candidates, kinds)) is not None:
        items.append(_number(text) if kinds == ("number",) else text)
    return items or None


def _reference(name: str, schema: Mapping[str, Any], planned: _Plan) -> Any:
    """The output of an earlier call that fits: of the same name, else of the same type."""
    wanted = {"number": ("number", "integer"), "integer": ("integer", "number")}
    types = wanted.get(schema["type"], (schema["type"],))
    if schema["type"] == "array":
        return _references(planned)
    for same_name in (True, False):
        for number in range(len(planned.outputs), 0, -1):
            for output, type_ in planned.outputs[number - 1].items():
                if type_ in types and (not same_name or output == name):
                    return f"{{{{{number}.{output}}}}}"
    return None


def _references(planned: _Plan) -> list[str] | None:
    references = [
        f"{{{{{number}.{output}}}}}"
        for number, outputs in enumerate(planned.outputs, 1)
        for output, type_ in list(outputs.items())[:1]
        if type_ in ("number", "integer")
    ]
    return references or None
