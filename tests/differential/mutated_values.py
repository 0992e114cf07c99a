"""One value of an argument changed in the ways that its kind knows, or a message written anew.

Each change names itself and says whether it changed what was asked for (``changed``), nothing but the
spelling (``same``) or something that the rules of scoring have to decide (``open``).
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from dataset_builder.values.facts import load
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import render
from dataset_builder.values.surface_forms import date_forms

SAME, CHANGED, OPEN = "same", "changed", "open"
Changed = tuple[str, str, Any]
"""What was done, what it means, and the new value."""


def _number(value: float, rng: random.Random) -> Changed:
    way = rng.randrange(5)
    if way == 4:
        return "number off by one", CHANGED, value + rng.choice([1, -1])
    if way == 0:
        share = rng.choice([1e-9, 1e-7, 1e-5, 0.003, 0.0099, 0.05]) * rng.choice([1, -1])
        return (
            f"number off by {abs(share):g}",
            OPEN if abs(share) < 1e-8 else CHANGED,
            value * (1 + share),
        )
    if way == 1:
        digits = rng.randint(1, 6)
        return f"number to {digits} digits", CHANGED, float(f"{value:.{digits}g}")
    if way == 2:
        return "sign flipped", CHANGED, -value
    return "number as text", SAME, f"{value:.15g}"


def _text(value: str, rng: random.Random, is_verbatim: bool) -> Changed:
    same = CHANGED if is_verbatim else SAME
    if not value:
        return "word added", CHANGED, "zebra"
    words = value.split(" ")
    place = rng.randrange(len(words))
    way = rng.randrange(11)
    if way == 0:
        return "word changed", CHANGED, " ".join([*words[:place], "zebra", *words[place + 1 :]])
    if way == 1:
        return "word dropped", CHANGED, " ".join([*words[:place], *words[place + 1 :]])
    if way == 2:
        return "case changed", same, rng.choice([value.upper(), value.lower(), value.swapcase()])
    if way == 3:
        return "closing sign dropped", same, value.rstrip(".!?")
    if way == 4:
        return "closing sign added", OPEN, value + rng.choice([".", "!", "?"])
    if way == 5:
        return "quotes around", same, rng.choice(['"{}"', "'{}'", "“{}”", "«{}»"]).format(value)
    if way == 6:
        return "spaces around", same, f"  {value} "
    if way == 7:
        return "curly quotes", same, value.replace("'", "’")
    if way == 8:
        return "words swapped", CHANGED, " ".join([*words[1:], words[0]])
    if way == 9:
        return (
            "number in text changed",
            CHANGED,
            re.sub(r"\d", lambda m: str((int(m[0]) + 1) % 10), value, count=1),
        )
    letters = [i for i, c in enumerate(value) if c.isalpha()] or [0]
    place = rng.choice(letters)
    return "letter changed", CHANGED, f"{value[:place]}q{value[place + 1 :]}"


def _date(value: str, rng: random.Random) -> Changed:
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return _text(value, rng, False)
    rest = value[10:]
    if rng.random() < 0.5:
        other = day + timedelta(days=rng.choice([1, -1, 7, 31, 365]))
        return "another date", CHANGED, f"{other}{rest}"
    form = rng.choice(
        [*date_forms(value[:10]), f"{day:%Y%m%d}", f"{day:%Y/%m/%d}", f"{day:%d/%m/%Y}"]
    )
    meaning = OPEN if form == f"{day:%d/%m/%Y}" else SAME
    return "date in another form", meaning, f"{form}{rest.replace('T', ' ')}"


def _datetime(value: str, rng: random.Random) -> Changed:
    naive = not re.search(r"(Z|[+-]\d\d:\d\d)$", value)
    way = rng.randrange(5)
    if way == 0 and naive:
        return "zone Z added", SAME, value + rng.choice(["Z", "+00:00"])
    if way == 1 and naive:
        return "zone offset added", CHANGED, value + rng.choice(["+02:00", "-05:00", "+05:30"])
    if way == 2:
        minute = re.sub(r"T(\d\d):(\d)", lambda m: f"T{m[1]}:{(int(m[2]) + 1) % 6}", value)
        return "another time", CHANGED, minute
    if way == 3:
        return "seconds left out", SAME, re.sub(r"(T\d\d:\d\d):00", r"\1", value)
    return _date(value, rng)


def _unit(value: str, rng: random.Random) -> Changed:
    units = load("units")
    if value not in units:
        return _text(value, rng, False)
    if rng.random() < 0.6:
        spelling = rng.choice([*units[value]["spellings"], value.upper(), value.replace("_", " ")])
        return "unit in another spelling", OPEN if spelling.isupper() else SAME, spelling
    return "another unit", CHANGED, rng.choice([u for u in units if u != value])


def _currency(value: str, rng: random.Random) -> Changed:
    currencies = load("currencies")
    if value not in currencies:
        return _text(value, rng, False)
    if rng.random() < 0.6:
        name = rng.choice([currencies[value]["name"], value.lower(), f" {value} "])
        return "currency in another spelling", SAME, name
    return "another currency", CHANGED, rng.choice([c for c in currencies if c != value])


def _enum(kind: Kind, value: str, rng: random.Random) -> Changed:
    if rng.random() < 0.6:
        spelt = rng.choice([value.upper(), value.replace("_", " "), value.replace("_", "-")])
        return "choice in another spelling", SAME, spelt
    return "another choice", CHANGED, rng.choice([c for c in kind.choices if c != value] or ["x"])


def _list(kind: Kind, value: list[Any], rng: random.Random) -> Changed:
    way = rng.randrange(5)
    if way == 0:
        items = value[:]
        rng.shuffle(items)
        return "items permuted", SAME if kind.name == "set" else CHANGED, items
    if way == 1 and value:
        place = rng.randrange(len(value))
        return "item dropped", CHANGED, value[:place] + value[place + 1 :]
    if way == 2 and value:
        return "item added", CHANGED, [*value, rng.choice(value)]
    if way == 3:
        return "list as JSON text", OPEN if "{{" in str(value) else SAME, json.dumps(value)
    if not value or kind.item is None:
        return "item added", CHANGED, [*value, 1]
    place = rng.randrange(len(value))
    what, meaning, item = mutated(kind.item, value[place], rng)
    return f"item: {what}", meaning, [*value[:place], item, *value[place + 1 :]]


def _object(value: dict[str, Any], rng: random.Random) -> Changed:
    if not value:
        return "key added", CHANGED, {"extra": 1}
    name = rng.choice(sorted(value))
    way = rng.randrange(3)
    if way == 0:
        return "key dropped", CHANGED, {k: v for k, v in value.items() if k != name}
    if way == 1:
        return "number as text in an object", OPEN, {**value, name: render(value[name])}
    if isinstance(value[name], int | float):
        return "object: sign flipped", CHANGED, {**value, name: -value[name]}
    return "object: word added", CHANGED, {**value, name: f"{value[name]} zebra"}


def _expression(value: str, rng: random.Random) -> Changed:
    way = rng.randrange(4)
    if way == 0:
        return "expression respaced", SAME, f"( {value.replace('*', ' * ')} )"
    if way == 1:
        return "expression off by 0.3 %", CHANGED, f"({value}) * 1.003"
    if way == 2:
        return "expression off by 1e-7", CHANGED, f"({value}) * 1.0000001"
    return "expression negated", CHANGED, f"-({value})"


def _address(kind: str, value: str, rng: random.Random) -> Changed:
    way = rng.randrange(4)
    if way == 0:
        host = re.sub(r"^(https?://[^/]*)", lambda m: m[1].upper(), value)
        return (
            "host in capitals" if kind == "url" else "case changed",
            SAME,
            (host if kind == "url" else value.upper()),
        )
    if way == 1:
        return "spaces around", SAME, f" {value} "
    if way == 2 and kind == "url":
        return "path in capitals", CHANGED, re.sub(r"(?<=[a-z])/.+", lambda m: m[0].upper(), value)
    if way == 2:
        return "quotes around", OPEN, f'"{value}"'
    what, _, new = _text(value, rng, False)
    return (
        what,
        SAME
        if what == "spaces around"
        else OPEN
        if new.casefold() == value.casefold()
        or (not any(c.isalnum() for c in new.replace(value, "")))
        else CHANGED,
        new,
    )


def _place(value: str, rng: random.Random) -> Changed:
    city = load("cities").get(value)
    if city and rng.random() < 0.5:
        return "country appended", SAME, f"{value}, {city['country']}"
    return _text(value, rng, False)


def mutated(kind: Kind, value: Any, rng: random.Random) -> Changed:
    """A value changed in a way that its kind knows."""
    if isinstance(value, str) and kind.name in _BY_KIND:
        return _BY_KIND[kind.name](value, rng)
    if kind.name == "boolean":
        return rng.choice(
            [("boolean as text", SAME, str(value).lower()), ("flipped", CHANGED, not value)]
        )
    if kind.name == "enum" and isinstance(value, str):
        return _enum(kind, value, rng)
    if isinstance(value, list):
        return _list(kind, value, rng)
    if isinstance(value, dict):
        return _object(value, rng)
    if isinstance(value, int | float):
        return _number(value, rng)
    if kind.is_place:
        return _place(value, rng)
    if kind.name in ("url", "email", "timezone"):
        return _address(kind.name, str(value), rng)
    return _text(str(value), rng, kind.name == "verbatim")


_BY_KIND: Mapping[str, Callable[[str, random.Random], Changed]] = {
    "date": _date,
    "datetime": _datetime,
    "unit": _unit,
    "currency": _currency,
    "expression": _expression,
}


# Messages -----------------------------------------------------------------------------------------

SENTENCES = (
    "Hello, here is what you asked for: {}. Best wishes.",
    "For your information: {}.",
    "{}",
    "The values are as follows: {}!",
)


def message(values: Sequence[Any], rng: random.Random) -> Changed:
    """A natural sentence that carries the values, or one of them changed."""
    said = [_said(value, rng) for value in values]
    place = rng.randrange(len(values))
    value, way, note = values[place], rng.randrange(8), ""
    what, meaning = "message recomposed", SAME
    is_number = isinstance(value, int | float)
    if way == 0:
        what, meaning = "message: value left out", CHANGED
        said = said[:place] + said[place + 1 :]
    elif way == 1 and is_number:
        share = rng.choice([1e-7, 1e-5, 0.003, 0.0099, 0.05])
        what, meaning = f"message: number off by {share:g}", CHANGED if share > 0.001 else OPEN
        said[place] = f"{value * (1 + share):.12g}"
    elif way == 2 and is_number:
        digits = rng.randint(1, 6)
        what, meaning = f"message: rounded to {digits} digits", OPEN
        said[place] = f"{float(f'{value:.{digits}g}'):.12g}"
    elif way == 3 and is_number:
        what, meaning, said[place] = "message: sign flipped", CHANGED, f"{-value:+.12g}"
    elif way == 4:
        count = rng.randint(1, 5)
        what, meaning = "message: invented numbers", CHANGED
        note = (
            " Also "
            + ", ".join(str(rng.choice([3.75, 88.2, 4711, -17, 365.25]) + i) for i in range(count))
            + "."
        )
    elif way == 5:
        count = rng.randint(1, 5)
        what, meaning = "message: small numbers", OPEN
        note = " In " + " and ".join(str(i + 2) for i in range(count)) + " parts, three rooms."
    elif way == 6 and isinstance(value, str) and value:
        what, meaning, said[place] = _text(value, rng, False)
        what = f"message: {what}"
        if "case" in what or "closing" in what or "quot" in what or "spaces" in what:
            meaning = SAME
    elif way == 7:
        what, meaning = "message: very long", OPEN
        note = " blah" * rng.choice([100, 400])
    return what, meaning, rng.choice(SENTENCES).format(" and ".join(said)) + note


def _said(value: Any, rng: random.Random) -> str:
    if isinstance(value, list):
        return ", ".join(_said(item, rng) for item in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        forms = [f"{value:.12g}", f"{value:.12g}%", f"about {value:.12g}", f"{value:.12g} EUR"]
        return rng.choice([*forms, f"{value:,}", f"{value:.12g}km"])
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return rng.choice(date_forms(value))
    return render(value)
