"""Other spellings of an argument value, by kind: the ways in which people and models write it."""

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from dataset_builder.values import addresses, canonical
from dataset_builder.values.facts import load
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from tests.differential.spellings_of_time import Spelling, dates, datetimes, zones


def spellings(kind: Kind, value: Any) -> Iterator[Spelling]:
    """The value written otherwise; each is labelled by what was done to it."""
    makers = {
        "date": dates,
        "datetime": datetimes,
        "timezone": zones,
        "unit": _units,
        "currency": _currencies,
        "name": _names,
        "query": _queries,
        "prose": _texts,
        "verbatim": _texts,
        "url": _urls,
        "email": _emails,
        "expression": _expressions,
    }
    if kind.name in ("number", "integer") and isinstance(value, int | float):
        yield from _numbers(value)
    elif kind.name == "enum":
        yield from _choices(kind, value)
    elif kind.json_type in ("array", "object"):
        yield "as JSON text", json.dumps(value, ensure_ascii=False)
        if isinstance(value, dict):
            yield from _objects(value)
    elif kind.name in makers and isinstance(value, str):
        if kind.is_place:
            yield from _places(value)
        yield from makers[kind.name](value)


def item_spellings(kind: Kind, value: Any) -> Iterator[Spelling]:
    """A list with every item written otherwise in the same way; the value's own spellings too."""
    yield from spellings(kind, value)
    if kind.item is None or not isinstance(value, list) or not value:
        return
    labels: dict[str, list[Any]] = {}
    for position, item in enumerate(value):
        for label, spelt in spellings(kind.item, item):
            labels.setdefault(label, list(value))[position] = spelt
    for label, items in labels.items():
        yield f"items {label}", items


def _numbers(value: float) -> Iterator[Spelling]:
    yield "as text", str(value)
    yield "as text with thousands separators", f"{value:,}"
    yield "as text with a unit sign", f"${value}"
    yield "as text with a percent sign", f"{value}%"
    yield "as text with a plus sign", f"+{value}"
    yield "as text with decimals", f"{float(value):.3f}"
    yield "in scientific notation", f"{value:e}"
    yield "as float", float(value)
    if value == int(value):
        yield "as integer", int(value)


def _choices(kind: Kind, value: str) -> Iterator[Spelling]:
    yield "upper case", value.upper()
    yield "title case", value.title()
    for sign in (" ", "-", "_"):
        yield f"words joined by '{sign}'", re.sub("[ _-]", sign, value)
    yield "in quotes", f'"{value}"'
    for phrase in kind.said.get(value, ()):
        yield "as prompts say it", phrase


def _units(text: str) -> Iterator[Spelling]:
    unit = canonical.unit(text)
    spoken = unit.replace("_", " ")
    for spelling in load("units")[unit]["spellings"]:
        yield "listed spelling", spelling
    yield "upper case", spoken.upper()
    yield "title case", spoken.title()
    yield "words joined by '-'", unit.replace("_", "-")
    yield "plural", f"{spoken}s"
    yield "with 'degrees'", f"degrees {spoken}"
    yield "with 'degrees'", f"degree {spoken}"
    if "meter" in spoken or "liter" in spoken:
        british = spoken.replace("meter", "metre").replace("liter", "litre")
        yield "British", british
        yield "British plural", f"{british}s"
        yield "American plural", f"{spoken.replace('metre', 'meter').replace('litre', 'liter')}s"


def _currencies(text: str) -> Iterator[Spelling]:
    code = canonical.currency(text)
    facts = load("currencies")[code]
    yield "lower case", code.lower()
    yield "name", facts["name"]
    yield "name, lower case", facts["name"].lower()
    yield "name, plural", f"{facts['name']}s"
    yield "code and name", f"{code} ({facts['name']})"
    for spelling in facts["spellings"]:
        yield ("symbol" if len(spelling) == 1 else "listed spelling"), spelling


def _texts(text: str) -> Iterator[Spelling]:
    yield "upper case", text.upper()
    yield "lower case", text.lower()
    yield "spaces around", f"  {text} "
    yield "spaces doubled", text.replace(" ", "  ")
    yield "line break behind", f"{text}\n"
    yield "in quotes", f'"{text}"'
    yield "in curly quotes", f"“{text}”"
    yield "in single quotes", f"'{text}'"
    yield "closing dot", f"{text}."
    yield "without closing signs", text.rstrip(".!?")
    yield "question mark", f"{text}?"
    yield "curly apostrophes", text.replace("'", "’")
    yield "decomposed accents", unicodedata.normalize("NFD", text)
    yield "without accents", canonical.without_accents(text)
    yield "long dashes", text.replace(" - ", " – ").replace("-", "‑")
    yield "'and' as &", text.replace(" and ", " & ")


def _names(text: str) -> Iterator[Spelling]:
    yield from _texts(text)
    yield "accent added", re.sub("[aeiou]", lambda m: f"{m[0]}\u0301", text, count=1)
    yield "title", f"Mr. {text}"
    yield "possessive", f"{text}'s"
    yield "article", f"the {text}"
    yield "dollar sign", f"${text}"
    yield "words joined by '_'", text.replace(" ", "_")
    yield "words apart", text.replace("_", " ")
    yield "words apart", text.replace("-", " ")


def _places(text: str) -> Iterator[Spelling]:
    city = next((n for n in load("cities") if canonical.fold(n) == canonical.place(text)), None)
    if city is None:
        return
    facts = load("cities")[city]
    yield "with country", f"{city}, {facts['country']}"
    yield "with country", f"{city} ({facts['country']})"
    yield "with country", f"{city} {facts['country']}"
    yield "with country code", f"{city}, {facts['country_code']}"
    for region in facts.get("regions", ()):
        yield "with region", f"{city}, {region}"
        yield "with region and country", f"{city}, {region}, {facts['country']}"
    for alias in facts.get("aliases", ()):
        yield "other name", alias
    yield "with the word city", f"{city} City"
    yield "with the word city", f"city of {city}"
    yield "with macron", re.sub("o", "ō", city, count=1)
    yield "another country", f"{city}, Chad"


def _queries(text: str) -> Iterator[Spelling]:
    yield from _texts(text)
    words = text.split()
    if len(words) > 1:
        yield "other word order", " ".join(reversed(words))
    yield "plural", f"{text}s"
    yield "article", f"the {text}"


def _urls(text: str) -> Iterator[Spelling]:
    parts = urlsplit(addresses.url(text))
    host = parts.netloc
    rest = text.partition("://")[2] or text
    behind = rest[len(host) :]
    yield "without scheme", rest
    yield "other scheme", f"{'http' if parts.scheme == 'https' else 'https'}://{rest}"
    yield "upper-case scheme and host", f"{parts.scheme.upper()}://{host.upper()}{behind}"
    yield "default port", f"https://{host}:443{behind}" if parts.scheme == "https" else text
    yield "host with a final dot", f"{parts.scheme}://{host}.{behind}"
    yield "trailing slash", text.rstrip("/") + "/"
    yield "without trailing slash", text.rstrip("/")
    yield "with www", f"{parts.scheme}://www.{host}{behind}"
    yield "empty fragment", f"{text}#"
    yield "empty query", f"{text}?"
    yield "in angle brackets", f"<{text}>"
    yield "in quotes", f'"{text}"'
    yield "closing dot", f"{text}."
    yield "user name", f"{parts.scheme}://user@{host}{behind}"
    yield "dot segment", f"{parts.scheme}://{host}/.{behind}" if behind[:1] == "/" else text
    yield "spaces around", f" {text} "


def _emails(text: str) -> Iterator[Spelling]:
    yield "upper case", text.upper()
    yield "spaces around", f" {text} "
    yield "mailto:", f"mailto:{text}"
    yield "display name", f"Somebody <{text}>"
    yield "display name", f'"Some Body" <{text}>'
    yield "in angle brackets", f"<{text}>"
    yield "in quotes", f'"{text}"'
    yield "closing dot", f"{text}."


def _expressions(text: str) -> Iterator[Spelling]:
    yield "spaces dropped", text.replace(" ", "")
    yield "spaces added", re.sub(r"([-+*/()])", r" \1 ", text).replace("*  *", "**")
    yield "Unicode signs", text.replace("*", "×").replace("/", "÷").replace("-", "−")
    yield "in parentheses", f"({text})"
    yield "closing =", f"{text} ="
    yield "x for times", text.replace("*", "x")
    yield "** for ^", text.replace("^", "**")
    yield "factor first", f"1 * ({text})"
    yield "in quotes", f'"{text}"'
    if match := re.fullmatch(r"([\d.]+) ?([+*]) ?([\d.]+)", text):
        yield "commuted", f"{match[3]} {match[2]} {match[1]}"
    try:
        yield "its value", Kind("expression").canonical(text)
    except ArgumentError:
        return


def _objects(value: dict[str, Any]) -> Iterator[Spelling]:
    yield "keys in other order", dict(reversed(value.items()))
    yield "numbers as floats", _with_leaves(value, float)
    yield "numbers as texts", _with_leaves(value, str)
    yield (
        "texts in upper case",
        {k: v.upper() if isinstance(v, str) else v for k, v in value.items()},
    )
    yield "keys in upper case", {key.upper(): v for key, v in value.items()}


def _with_leaves(value: Any, change: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_leaves(v, change) for key, v in value.items()}
    if isinstance(value, list):
        return [_with_leaves(v, change) for v in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return change(value) if is_number else value
