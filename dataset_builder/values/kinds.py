"""Parameter kinds: what a value of each kind looks like, and its canonical form.

A kind says three things about an argument: which JSON type the schema gives, how a tool reads it
(`Kind.read`, which refuses what is no such value) and how two values compare (`Kind.canonical`).
The scorer, the draws of simulated tools and the audit all build on the canonical form.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dataset_builder.values import addresses, canonical
from dataset_builder.values.expression import ExpressionError, evaluate
from dataset_builder.values.json_values import (
    MAX_CHARACTERS,
    MAX_ITEMS,
    ArgumentError,
    check_text,
    check_tree,
    json_or_text,
    json_type_in_words,
    read_boolean,
    read_integer,
    read_number,
    read_object,
)

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
_SHORT = 100
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
        if self.name in _TEXT:
            return _read_text(self.name, value)
        if self.name in _PLAIN_READERS:
            return _PLAIN_READERS[self.name](value)
        return _read_enum(self, value) if self.name == "enum" else _read_list(self, value)

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


def _read_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        value = _written_out(name, value)
    return _read_short(name, value) if len(value) <= _SHORT else _read_any(name, value)


def _written_out(name: str, value: Any) -> str:
    """Another value as text: a reference that stands alone keeps the type of what it points at."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{read_number(value):.12g}"
    if isinstance(value, dict | list) and name == "prose":
        check_tree(value)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    raise ArgumentError(f"expected text, got {json_type_in_words(value)}")


def _read_any(name: str, text: str) -> str:
    check_text(text)
    if name not in _WITH_THEIR_QUOTES:
        text = canonical.unquoted(text)
    return _call(_TEXT[name][0], text)


# The same short texts are read again and again: by every tool that might take them, in every row of a task.
_read_short = lru_cache(maxsize=8_192)(_read_any)


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
        raise ArgumentError(f"expected a list, got {json_type_in_words(value)}")
    if len(value) > MAX_ITEMS:
        raise ArgumentError(f"at most {MAX_ITEMS:,} items are accepted")
    assert kind.item is not None
    if kind.item.json_type in ("array", "object"):
        check_tree(value)
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


def _canonical_leaf(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical_leaf(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_canonical_leaf(v) for v in value]
    if isinstance(value, str):
        return canonical.fold(value)
    return value if isinstance(value, bool) or value is None else float(value)


# Kinds that are a type of JSON and nothing more.
_PLAIN_READERS: Mapping[str, Callable[[Any], Any]] = {
    "number": read_number,
    "integer": read_integer,
    "boolean": read_boolean,
    "object": read_object,
}

NUMBER = Kind("number")
