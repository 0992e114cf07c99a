"""Reads the calls out of a model's answer, native or written as text in one of the usual shapes.

A call that does not parse is kept: its arguments are then the text as the model wrote it. Work is
linear in the length of the answer.
"""

import ast
import json
import math
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.exchange import Message
from evaluator.trace import MAX_CALLS, parse_arguments

Call = tuple[str, Any]
"""A tool's name and its arguments: an object, or the text that should have been one."""

MAX_CHARACTERS = 200_000
_MAX_PYTHON = 20_000
_MAX_NESTING = 60
_MAX_STARTS = 50

_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_NAME_KEYS = ("name", "tool_name", "tool", "function")
_THINKING = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:[\w+-]*[ \t]*\n|(?:json|python|tool_\w+)\b)")
_TAG = re.compile(r"<(tool_calls?|function_calls?|tool_code)>")
_SPACE = re.compile(r"\s*")
_FUNCTION = re.compile(r"<function=([^<>\s]{1,80})>")
_PARAMETER = re.compile(r"<parameter=([^<>\s]{1,80})>")
_MISTRAL_NAME = re.compile(
    r"\s*([\w.-]{1,80})\s*(?:\[CALL_ID\][^\[{]{0,80})?(?:\[ARGS\])?\s*(?=\{)"
)
_NAMED = re.compile(r'"(?:name|tool_name|tool|function)"\s*:\s*"([^"\\]{1,80})"')
_START = re.compile(r'[\[{]\s*(?=[{"])')


@dataclass(frozen=True)
class Answer:
    """The calls of one message, in order, and the shape that they came in ("none": no call)."""

    calls: tuple[Call, ...] = ()
    shape: str = "none"


def read_message(message: Message | None, offered: Container[str]) -> Answer:
    """The calls of an assistant message in OpenAI form; a missing message has none."""
    if message is None:
        return Answer()
    native = message.get("tool_calls")
    if isinstance(native, Sequence) and not isinstance(native, str) and native:
        return Answer(tuple(_native(item) for item in native[:MAX_CALLS]), "native")
    if isinstance(message.get("function_call"), Mapping):
        return Answer((_native({"function": message["function_call"]}),), "function_call")
    return read_text(_text(message.get("content")), offered)


def read_text(text: str, offered: Container[str]) -> Answer:
    """The calls written in a text, whatever stands around them; ``offered`` names settle doubt."""
    text = without_thinking(text[:MAX_CHARACTERS]).strip()
    if not text:
        return Answer()
    for shape, reader in _READERS.items():
        calls = reader(text, offered)
        if calls:
            return Answer(tuple(calls[:MAX_CALLS]), shape)
    if text[0] in "[{" and _looks_like_a_call(text, offered):
        return Answer((_malformed(text),), "malformed")
    return Answer()


def without_thinking(text: str) -> str:
    """The text without its thinking parts; one that is not closed reaches to the end.

    A closing tag alone ends a part whose opening the chat template wrote.
    """
    kept: list[str] = []
    start, inside = 0, False
    for tag in _THINKING.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            start, inside = tag.end(), False
        elif not inside:
            kept.append(text[start : tag.start()])
            inside = True
    if not inside:
        kept.append(text[start:])
    return "".join(kept)


def read_arguments(value: Any) -> Any:
    """A call's arguments as an object; what is none comes back as the model gave it."""
    if value is None or value == "null":
        return {}
    text = value if isinstance(value, str) else _compact(value)
    arguments = parse_arguments(text)
    if isinstance(arguments, str) and isinstance(twice := _json(arguments), str):
        # Some servers encode the arguments twice.
        inner = parse_arguments(twice)
        return inner if isinstance(inner, dict) else arguments
    return arguments


def _native(item: Any) -> Call:
    function = item.get("function") if isinstance(item, Mapping) else None
    if not isinstance(function, Mapping):
        return "", _compact(item)
    name = function.get("name")
    return name if isinstance(name, str) else "", read_arguments(function.get("arguments"))


def _text(content: Any) -> str:
    """The text of a message's content, which may be a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = [part for part in content if isinstance(part, Mapping)]
    return "\n".join(p["text"] for p in parts if isinstance(p.get("text"), str))


# --- JSON -------------------------------------------------------------------------------------

_NOT_JSON = object()


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _json(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _NOT_JSON


def _json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at ``start``, and where it ends; `_NOT_JSON` where none does."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _NOT_JSON, start


def _sequence(text: str) -> list[Any] | None:
    """JSON values apart by white space, commas or semicolons; None where anything else stands."""
    values: list[Any] = []
    position = 0
    while True:
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1
        if position == len(text):
            return values
        value, position = _json_at(text, position)
        if value is _NOT_JSON:
            return None
        values.append(value)


def _calls_of(value: Any, offered: Container[str]) -> list[Call] | None:
    """The calls that a JSON value is, alone, in a list or under a key; None where it is none."""
    if isinstance(value, list):
        calls: list[Call] = []
        for item in value:
            found = _call_of(item, offered)
            if found is None:
                return None
            calls.append(found)
        return calls or None
    if isinstance(value, dict):
        for key in ("calls", "tool_calls"):
            if isinstance(value.get(key), list):
                return _calls_of(value[key], offered)
    call = _call_of(value, offered)
    return None if call is None else [call]


def _call_of(value: Any, offered: Container[str]) -> Call | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    if name is not None:
        name = _cleaned(name, offered)
        given = [value[key] for key in _ARGUMENT_KEYS if key in value]
        if given or name in offered:
            return name, read_arguments(given[0]) if given else {}
    if len(value) == 1:
        (name, arguments), *_ = value.items()
        if name in offered and isinstance(arguments, dict):
            return name, read_arguments(arguments)
    return None


def _cleaned(name: str, offered: Container[str]) -> str:
    name = name.strip()
    short = name.rpartition(".")[2]
    return short if name not in offered and short in offered else name


def _looks_like_a_call(text: str, offered: Container[str]) -> bool:
    named = _NAMED.search(text)
    if named is None:
        return False
    return named[1] in offered or any(f'"{key}"' in text for key in _ARGUMENT_KEYS)


def _malformed(payload: str) -> Call:
    """What should have been a call, kept as written, under the name that it seems to bear."""
    named = _NAMED.search(payload)
    return named[1] if named else "", payload


# --- the shapes -------------------------------------------------------------------------------


def _payload(text: str, offered: Container[str]) -> list[Call]:
    """What stands between markers that announce calls: JSON, Python or, failing both, malformed."""
    values = _sequence(text)
    if values is not None:
        calls = [call for value in values for call in _calls_of(value, offered) or ()]
        if calls or not values:
            return calls
    return _python_calls(text, offered) or [_malformed(text)]


def _read_tags(text: str, offered: Container[str]) -> list[Call]:
    """``<tool_call>{...}</tool_call>``, any number of them; the last may lack its end."""
    calls: list[Call] = []
    position = 0
    for _ in range(MAX_CALLS):
        tag = _TAG.search(text, position)
        if tag is None:
            break
        position = _end_of_space(text, tag.end())
        if _TAG.match(text, position):
            continue
        end = text.find(f"</{tag[1]}>", position)
        payload = text[position : end if end >= 0 else len(text)].strip()
        calls += _read_functions(payload, offered) or _payload(payload, offered)
        position = end if end >= 0 else len(text)
    return calls


def _end_of_space(text: str, start: int) -> int:
    space = _SPACE.match(text, start)
    return start if space is None else space.end()


def _read_functions(text: str, offered: Container[str]) -> list[Call]:
    """``<function=f>{...}</function>``, or with ``<parameter=a>1</parameter>`` in place of JSON."""
    heads = list(_FUNCTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)][: len(heads)]
    return [
        (_cleaned(head[1], offered), _function_body(text[head.end() : end].split("</function>")[0]))
        for head, end in zip(heads, ends, strict=True)
    ]


def _function_body(body: str) -> Any:
    heads = list(_PARAMETER.finditer(body))
    if not heads:
        return read_arguments(body.strip())
    ends = [head.start() for head in heads[1:]] + [len(body)]
    arguments = {}
    for head, end in zip(heads, ends, strict=True):
        value = body[head.end() : end].split("</parameter>")[0].strip("\n")
        parsed = _json(value)
        arguments[head[1]] = value if parsed is _NOT_JSON else parsed
    return read_arguments(arguments)


def _read_mistral(text: str, offered: Container[str]) -> list[Call]:
    """``[TOOL_CALLS][{...}]``, or ``[TOOL_CALLS]f[ARGS]{...}`` of the newer models."""
    _, marker, rest = text.partition("[TOOL_CALLS]")
    if not marker:
        return []
    rest = rest.replace("</s>", "").strip()
    if not _MISTRAL_NAME.match(rest):
        return _payload(rest, offered)
    calls: list[Call] = []
    position = 0
    while (head := _MISTRAL_NAME.match(rest, position)) is not None:
        value, position = _json_at(rest, head.end())
        if value is _NOT_JSON:
            return [*calls, (head[1], rest[head.end() :])]
        calls.append((_cleaned(head[1], offered), read_arguments(value)))
        position += len("[TOOL_CALLS]") if rest.startswith("[TOOL_CALLS]", position) else 0
    return calls


def _read_llama(text: str, offered: Container[str]) -> list[Call]:
    """``<|python_tag|>{...}``, several apart by semicolons, or ``f.call(a=1)``."""
    _, marker, rest = text.partition("<|python_tag|>")
    if not marker:
        return []
    return _payload(re.split(r"<\|e(?:om|ot)_id\|>", rest)[0].strip(), offered)


def _read_fences(text: str, offered: Container[str]) -> list[Call]:
    """Fenced blocks; those that hold no call are passed over."""
    calls: list[Call] = []
    doubtful: list[str] = []
    for piece in text.split("```")[1::2][:MAX_CALLS]:
        block = _LANGUAGE.sub("", piece, count=1) if _LANGUAGE.match(piece) else piece
        block = block.strip()
        found = _read_json(block, offered) or _python_calls(block, offered)
        calls += found
        if not found and block[:1] in ("[", "{") and _looks_like_a_call(block, offered):
            doubtful.append(block)
    return calls or [_malformed(block) for block in doubtful]


def _read_json(text: str, offered: Container[str]) -> list[Call]:
    """JSON and nothing else."""
    values = _sequence(text) if text[:1] in ("[", "{") else None
    return [call for value in values or () for call in _calls_of(value, offered) or ()]


def _python_calls(text: str, offered: Container[str]) -> list[Call]:
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
        calls.append((_cleaned(name, offered), _python_arguments(node)))
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


def _read_embedded(text: str, offered: Container[str]) -> list[Call]:
    """JSON calls in running text."""
    return list(_embedded(text, offered))


def _embedded(text: str, offered: Container[str]) -> Iterator[Call]:
    position = 0
    for _ in range(_MAX_STARTS):
        start = _START.search(text, position)
        if start is None:
            return
        value, end = _json_at(text, start.start())
        calls = None if value is _NOT_JSON else _calls_of(value, offered)
        yield from calls or ()
        position = end if value is not _NOT_JSON else start.end()


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


_READERS: Mapping[str, Callable[[str, Container[str]], list[Call]]] = {
    "json": _read_json,
    "tool_call_tag": _read_tags,
    "function_tag": _read_functions,
    "mistral": _read_mistral,
    "llama": _read_llama,
    "fenced": _read_fences,
    "python": _python_calls,
    "embedded_json": _read_embedded,
}
