"""Parameter kinds: what a value of each kind looks like, its canonical form, its surface forms.

A kind says three things about an argument: which JSON type the schema gives, how a tool reads it
(`Kind.read`, which refuses what is no such value) and how two values compare (`Kind.canonical`).
The scorer, the draws of simulated tools and the audit all build on the canonical form.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from dataset_builder.values import addresses, canonical
from dataset_builder.values.expression import ExpressionError, evaluate

MAX_CHARACTERS = 100_000
MAX_ITEMS = 10_000
MAX_DEPTH = 16
# What each value of a JSON tree costs beside its characters, so that 25,000 values are accepted.
_NODE_COST = 4
_LARGEST = 10**300

Reader = Callable[[str], str]
# Kinds that are text: how a tool reads them, and what is compared.
_TEXT: Mapping[str, tuple[Reader, Reader]] = {
    "name": (canonical.label, canonical.fold),
    "query": (canonical.search_term, canonical.fold),
    "verbatim": (str, str),
    "prose": (str, canonical.tidy),
    "expression": (str.strip, lambda text: _expression_value(text)),
    "date": (canonical.date, str),
    "datetime": (canonical.datetime, str),
    "timezone": (canonical.timezone, canonical.same_zone),
    "currency": (canonical.currency, str),
    "unit": (canonical.unit, str),
    "url": (addresses.url, str),
    "email": (addresses.mailbox, canonical.fold),
}
# Quotation marks around a text are part of it in these kinds alone.
_WITH_THEIR_QUOTES = frozenset({"verbatim", "prose"})
_JSON_TYPES = {
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
    "enum": "string",
    "list": "array",
    "set": "array",
    "object": "object",
} | dict.fromkeys(_TEXT, "string")


class ArgumentError(ValueError):
    """A value is not of the kind that it should be; the message says what was expected."""


@dataclass(frozen=True)
class Said:
    """How a prompt may say the values of an enum or boolean parameter, beside the value itself."""

    phrases: Mapping[str, tuple[str, ...]] = field(hash=False)

    def __init__(self, **phrases: tuple[str, ...]) -> None:
        object.__setattr__(self, "phrases", {k.rstrip("_"): v for k, v in phrases.items()})


@dataclass(frozen=True)
class Kind:
    """How one parameter's values are read and compared (specification: Kinds)."""

    name: str
    item: "Kind | None" = None
    choices: tuple[str, ...] = ()
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    is_place: bool = False
    is_free: bool = False

    @property
    def json_type(self) -> str:
        """The JSON Schema type of a value."""
        return _JSON_TYPES[self.name]

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a value, in the subset that every provider accepts."""
        schema: dict[str, Any] = {"type": self.json_type}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.item is not None:
            schema["items"] = self.item.schema()
        return schema

    def describe(self) -> dict[str, Any]:
        """The published form of the kind: JSON data, read back by `Kind.parse`."""
        data: dict[str, Any] = {"kind": "free" if self.is_free else self.name}
        if self.is_free:
            data["of"] = self.name
        if self.item is not None:
            data["item"] = self.item.describe()
        if self.choices:
            data["choices"] = list(self.choices)
        if self.said:
            data["said"] = {value: list(phrases) for value, phrases in self.said.items()}
        if self.is_place:
            data["place"] = True
        return data

    def read(self, value: Any) -> Any:
        """The value as a tool takes it, or ArgumentError saying what was expected."""
        reader = _READERS.get(self.name)
        return _read_text(self, value) if reader is None else reader(self, value)

    def canonical(self, value: Any) -> Any:
        """The form in which values compare, as JSON data; ArgumentError for no such value."""
        return self.canonical_of_read(self.read(value))

    def canonical_of_read(self, value: Any) -> Any:
        """As `canonical`, of what `read` gave."""
        if self.is_place:
            return canonical.place(value)
        if self.name in _TEXT:
            return _call(_TEXT[self.name][1], value)
        if self.name == "number":
            return float(value)
        if self.name == "object":
            return _canonical_leaf(value)
        if self.item is not None:
            items = [self.item.canonical_of_read(item) for item in value]
            return sorted(items, key=canonical.canonical_json) if self.name == "set" else items
        return value


def kind_of(name: str, **properties: Any) -> Kind:
    """A kind by its published name."""
    if name not in _JSON_TYPES:
        raise KeyError(f"unknown kind {name!r}")
    return Kind(name, **properties)


def _expression_value(text: str) -> str:
    try:
        return f"{evaluate(text):.12g}"
    except ExpressionError:
        return canonical.tidy(text)


def _call(reader: Reader, text: str) -> str:
    try:
        return reader(text)
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def _read_text(kind: Kind, value: Any) -> str:
    if not isinstance(value, str):
        # A reference that stands alone keeps its type, so a number may arrive where a text is wanted.
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = f"{_read_number(kind, value):.12g}"
        elif isinstance(value, dict | list) and kind.name == "prose":
            _check_tree(value)
            value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        else:
            raise ArgumentError(f"expected text, got {_json_name(value)}")
    check_text(value)
    if kind.name not in _WITH_THEIR_QUOTES:
        value = canonical.unquoted(value)
    return _call(_TEXT[kind.name][0], value)


def check_text(value: str) -> None:
    """Refuse text that is too long to work on or that no encoding can carry."""
    if len(value) > MAX_CHARACTERS:
        raise ArgumentError(f"at most {MAX_CHARACTERS:,} characters are accepted")
    if value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ArgumentError("the text holds half of a surrogate pair") from None


def _read_number(kind: Kind, value: Any) -> int | float:
    if isinstance(value, str):
        value = json_or_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ArgumentError(f"expected a number, got {_json_name(value)}")
    if (isinstance(value, int) and abs(value) > _LARGEST) or not math.isfinite(value):
        raise ArgumentError("the number is out of range")
    return value


def _read_integer(kind: Kind, value: Any) -> int:
    value = _read_number(kind, value)
    if value != int(value) or abs(value) > 2**63:
        raise ArgumentError("expected a whole number")
    return int(value)


def _read_boolean(kind: Kind, value: Any) -> bool:
    if isinstance(value, str):
        value = {"true": True, "false": False}.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise ArgumentError(f"expected true or false, got {_json_name(value)}")
    return value


def _read_enum(kind: Kind, value: Any) -> str:
    if value in kind.choices:
        return str(value)
    if isinstance(value, str) and len(value) <= 100:
        spelt = _spelt_out(value)
        for choice in kind.choices:
            if _spelt_out(choice) == spelt:
                return choice
    raise ArgumentError(f"expected one of {', '.join(kind.choices)}")


def _spelt_out(choice: str) -> str:
    """A choice however its words are joined: ``business_days``, ``Business days``, ``SHA-256``."""
    folded = canonical.without_accents(canonical.fold(canonical.unquoted(choice)))
    return folded.replace("_", "").replace("-", "").replace(" ", "")


def _read_list(kind: Kind, value: Any) -> list[Any]:
    if isinstance(value, str):
        value = json_or_text(value)
    if not isinstance(value, list):
        raise ArgumentError(f"expected a list, got {_json_name(value)}")
    if len(value) > MAX_ITEMS:
        raise ArgumentError(f"at most {MAX_ITEMS:,} items are accepted")
    assert kind.item is not None
    if kind.item.json_type in ("array", "object"):
        _check_tree(value)
    items, characters = [], 0
    for position, item in enumerate(value):
        try:
            read = kind.item.read(item)
        except ArgumentError as error:
            raise ArgumentError(f"item {position}: {error}") from None
        characters += len(read) if isinstance(read, str) else 0
        if characters > MAX_CHARACTERS:
            raise ArgumentError(f"at most {MAX_CHARACTERS:,} characters are accepted")
        items.append(read)
    return items


def _read_object(kind: Kind, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = json_or_text(value)
    if not isinstance(value, dict):
        raise ArgumentError(f"expected an object, got {_json_name(value)}")
    _check_tree(value)
    return value


def _check_tree(value: Any) -> None:
    """Bound a JSON value's depth, size and numbers, without recursion."""
    level, depth, budget = [value], 0, MAX_CHARACTERS
    while level:
        below: list[Any] = []
        for node in level:
            budget -= _NODE_COST
            # JSON has no subclasses, and to ask for the type itself is several times faster.
            sort = type(node)
            if sort is str:
                if len(node) > MAX_CHARACTERS or not node.isascii():
                    check_text(node)
                budget -= len(node)
            elif sort is dict or sort is list:
                if depth >= MAX_DEPTH:
                    raise ArgumentError(f"at most {MAX_DEPTH} levels of nesting are accepted")
                if len(node) > budget:
                    raise ArgumentError("the value is too large")
                below.extend(node)
                if sort is dict:
                    below.extend(node.values())
            elif sort is int or sort is float:
                _read_number(NUMBER, node)
            elif node is not None and sort is not bool:
                raise ArgumentError("expected a JSON value")
            if budget < 0:
                raise ArgumentError("the value is too large")
        level, depth = below, depth + 1


def _canonical_leaf(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical_leaf(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_canonical_leaf(v) for v in value]
    if isinstance(value, str):
        return canonical.fold(value)
    return value if isinstance(value, bool) or value is None else float(value)


def json_or_text(text: str) -> Any:
    """The JSON value of a text, or the text itself where it is no JSON."""
    if len(text) > MAX_CHARACTERS:
        raise ArgumentError(f"at most {MAX_CHARACTERS:,} characters are accepted")
    depth = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if depth > 4 * MAX_DEPTH:
            # Found here and not by the parser, whose own limit differs between machines.
            raise ArgumentError(f"at most {MAX_DEPTH} levels of nesting are accepted")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _json_name(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list"}
    return names.get(type(value), "an object")


_READERS: Mapping[str, Callable[[Kind, Any], Any]] = {
    "number": _read_number,
    "integer": _read_integer,
    "boolean": _read_boolean,
    "enum": _read_enum,
    "list": _read_list,
    "set": _read_list,
    "object": _read_object,
}

NUMBER = Kind("number")
FREE = "free"
UNORDERED = "unordered"


def as_free(kind: Kind) -> Kind:
    """The same kind for a parameter that only shapes the presentation."""
    return replace(kind, is_free=True)


# The types that tool functions are written with.
Number = Annotated[float, NUMBER]
Integer = Annotated[int, Kind("integer")]
Boolean = Annotated[bool, Kind("boolean")]
Name = Annotated[str, Kind("name")]
Place = Annotated[str, Kind("name", is_place=True)]
Query = Annotated[str, Kind("query")]
Verbatim = Annotated[str, Kind("verbatim")]
Prose = Annotated[str, Kind("prose")]
Expression = Annotated[str, Kind("expression")]
Date = Annotated[str, Kind("date")]
DateTime = Annotated[str, Kind("datetime")]
Timezone = Annotated[str, Kind("timezone")]
Currency = Annotated[str, Kind("currency")]
Unit = Annotated[str, Kind("unit")]
Url = Annotated[str, Kind("url")]
Email = Annotated[str, Kind("email")]
Object = Annotated[dict[str, Any], Kind("object")]
