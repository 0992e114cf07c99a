"""Slots: what a template leaves open, and how a value for it is drawn and said."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any, NamedTuple

from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load
from dataset_builder.values.surface_forms import date_forms, time_forms

_POOLS = resources.files("dataset_builder.tasks").joinpath("templates", "pools")


class Value(NamedTuple):
    """A drawn value: how the prompt says it, and what the argument is."""

    said: str
    value: Any


def say(value: Any) -> str:
    """The plain way to write a value into a prompt."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        items = [say(item) for item in value]
        return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Pick:
    """One of the options: a plain value, or a pair of how it is said and what it is."""

    options: tuple[Any, ...]

    @cached_property
    def _values(self) -> list[Value]:
        return [Value(*o) if isinstance(o, tuple) else Value(say(o), o) for o in self.options]

    def draw(self, draw: Draw, label: str) -> Value:
        """One option."""
        return draw.choice(label, self._values)

    def said(self) -> list[dict[str, str]]:
        """All ways to fill the slot, in words, as those of a pool without fields."""
        return [{"": value.said} for value in self._values]


@dataclass(frozen=True)
class Pool:
    """A row of ``templates/pools/<subject>.json``; slots of one pool get different rows.

    A row is a value, or an object whose fields a template names as ``{slot.field}``. A field
    ``{"said": ..., "value": ...}`` is worded otherwise than its value. The subject
    ``facts/<subject>`` takes its rows from the world's facts, whose key is the field ``name``.
    """

    subject: str

    def rows(self) -> list[Any]:
        """All rows of the pool; LookupError where there is none, ValueError where it is no JSON."""
        return _pool(self.subject)

    @property
    def fields(self) -> frozenset[str]:
        """The fields that every row has; none where the rows are values."""
        return _fields(self.subject)

    def said(self) -> list[dict[str, str]]:
        """All ways to fill the slot, in words by field; the field of a plain value is empty."""
        return _said(self.subject)


@cache
def _pool(subject: str) -> list[Any]:
    try:
        if subject.startswith("facts/"):
            facts = load(subject.removeprefix("facts/"))
            return [{"name": key} | row for key, row in facts.items()]
        rows = json.loads(_POOLS.joinpath(f"{subject}.json").read_text("utf-8"))
    except (OSError, AttributeError, TypeError):  # no such file, or facts that are no rows
        raise LookupError(subject) from None
    if not isinstance(rows, list) or not rows:
        raise LookupError(subject)
    return rows


@cache
def _fields(subject: str) -> frozenset[str]:
    rows = [row.keys() if isinstance(row, dict) else () for row in _pool(subject)]
    return frozenset.intersection(*map(frozenset, rows))


@cache
def _said(subject: str) -> list[dict[str, str]]:
    values = (_row_values(subject, row, "") for row in range(len(_pool(subject))))
    return [{name.removeprefix("."): v.said for name, v in row.items()} for row in values]


@cache
def word_lists() -> dict[str, Any]:
    """The lists of ``templates/pools/words.json`` by name: options, or an object of said: value."""
    lists: dict[str, Any] = json.loads(_POOLS.joinpath("words.json").read_text("utf-8"))
    return lists


@dataclass(frozen=True)
class Whole:
    """A whole number from low to high in steps."""

    low: int
    high: int
    step: int = 1

    def draw(self, draw: Draw, label: str) -> Value:
        """One number."""
        value = self.low + self.step * draw.integer(label, 0, (self.high - self.low) // self.step)
        return Value(say(value), value)


@dataclass(frozen=True)
class Decimal:
    """A number from low to high with some decimals, written out in full (``12.50``).

    ``grouped``: whether thousands are set apart by commas.
    """

    low: float
    high: float
    digits: int = 2
    grouped: bool = True

    def draw(self, draw: Draw, label: str) -> Value:
        """One number."""
        value = draw.number(label, self.low, self.high, self.digits)
        return Value(f"{value:{',' if self.grouped else ''}.{self.digits}f}", value)


@dataclass(frozen=True)
class Numbers:
    """A list of different numbers, in random order."""

    shortest: int
    longest: int
    low: float
    high: float
    digits: int = 0

    def draw(self, draw: Draw, label: str) -> Value:
        """One list."""
        count = draw.integer(f"{label}.count", self.shortest, self.longest)
        drawn: dict[float, None] = {}
        position = 0
        while len(drawn) < count:
            number = draw.number(f"{label}.{position}", self.low, self.high, self.digits)
            drawn[int(number) if self.digits == 0 else number] = None
            position += 1
        numbers = list(drawn)
        return Value(say(numbers), numbers)


@dataclass(frozen=True)
class Day:
    """A date between two others, said in one of the usual ways."""

    first: str
    last: str

    def draw(self, draw: Draw, label: str) -> Value:
        """One date, as ISO 8601."""
        first = dt.date.fromisoformat(self.first)
        days = (dt.date.fromisoformat(self.last) - first).days
        iso = (first + dt.timedelta(days=draw.integer(label, 0, days))).isoformat()
        return Value(draw.choice(f"{label}.form", date_forms(iso)), iso)


@dataclass(frozen=True)
class Moment:
    """A date and a time of day (full and half hours, office hours), said in one of the usual ways."""

    first: str
    last: str

    def draw(self, draw: Draw, label: str) -> Value:
        """One moment, as naive ISO 8601."""
        day = Day(self.first, self.last).draw(draw, f"{label}.day")
        half_hours = draw.integer(f"{label}.time", 16, 36)
        iso = f"{day.value}T{half_hours // 2:02}:{half_hours % 2 * 30:02}:00"
        clock = draw.choice(f"{label}.clock", time_forms(iso)[:3])
        return Value(f"{day.said} at {clock}", iso)


@dataclass(frozen=True)
class Pattern:
    """A text with slots of its own, such as an arithmetic expression."""

    text: str
    slots: Mapping[str, Any]

    def draw(self, draw: Draw, label: str) -> Value:
        """The text filled in."""
        filled = self.text
        for name, slot in self.slots.items():
            filled = filled.replace(f"{{{name}}}", slot.draw(draw, f"{label}.{name}").said)
        return Value(filled, filled)


Slot = Pick | Pool | Whole | Decimal | Numbers | Day | Moment | Pattern


def draw_slots(slots: Mapping[str, Slot], draw: Draw) -> dict[str, Value]:
    """A value for every slot; a row's fields stand under ``slot.field``."""
    drawn: dict[str, Value] = {}
    groups: dict[str, list[str]] = {}
    for name, slot in slots.items():
        if isinstance(slot, Pool):
            groups.setdefault(slot.subject, []).append(name)
        else:
            drawn[name] = slot.draw(draw, name)
    for subject, names in groups.items():
        rows = draw.sample(f"pool {subject}", range(len(_pool(subject))), len(names))
        for name, row in zip(names, rows, strict=True):
            drawn |= _row_values(subject, row, name)
    return drawn


@cache
def _row_values(subject: str, row: int, name: str) -> dict[str, Value]:
    """What a pool's row gives to the slot of that name."""
    content = _pool(subject)[row]
    if not isinstance(content, dict):
        return {name: Value(say(content), content)}
    return {f"{name}.{field}": _field_value(value) for field, value in content.items()}


def _field_value(value: Any) -> Value:
    if isinstance(value, dict) and value.keys() == {"said", "value"}:
        return Value(**value)
    return Value(say(value), value)
