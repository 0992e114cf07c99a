"""Canonical forms of values that people write in many ways: names, dates, zones, units."""

import datetime as dt
import json
import re
import unicodedata
from functools import lru_cache
from importlib import resources
from typing import Any

from dataset_builder.values.facts import load

MONTHS = (
    "January February March April May June July August September October November December"
).split()
_MONTH_NUMBER = {m[:n].lower(): i for i, m in enumerate(MONTHS, 1) for n in (3, len(m))} | {
    "sept": 9
}
_DAY_FIRST = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.?,? (\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]+)\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_SHORT = re.compile(r"(\d{1,2})-([a-z]+)-(\d{4})")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{4})(\d{2})(\d{2})")
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WEEKDAY_NUMBER = {w[:n].lower(): i for i, w in enumerate(WEEKDAYS) for n in (3, len(w))} | {
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
_WEEKDAY_FIRST = re.compile(r"([a-z]+)\.?,? (?=\d|[a-z])(.+)")
_WEEKDAY_BEHIND = re.compile(r"(.+) \(([a-z]+)\.?\)")
_DAY_AND_TIME = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{8}|.*?[ -]\d{4})(?:t| )(.+)")
_TIME_AND_DAY = re.compile(
    r"(\d{1,2}(?::\d{2}){1,2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?) (?:on )?(.+)"
)
_MIDNIGHT = re.compile(r"[t ]00:?00(?::?00)?(?:\.0+)?(?:z|[+-]00:?00)?$")
_CLOCK = re.compile(
    r"(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:\.\d+)?)?)? ?([ap]\.?m\.?)? ?(z|utc|gmt|[+-]\d{2}:?\d{2})?"
)
_IN_BRACKETS = re.compile(r"([^()]+) \(([^()]+)\)")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}\.")
# Curly marks, and the hyphens that typesetters and language models put for the plain one.
_CURLY = str.maketrans("‘’“”\u2010\u2011", "''\"\"--")
# Inside a word, so no end of a quotation.
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
CLOSING = ".!?…:;, "
"""Signs at the end of a text that change nothing of what it says."""
_QUOTES = {"'": "'", '"': '"', "“": "”", "‘": "’", "«": "»", "„": "“"}


_CANONICAL = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
)


def canonical_json(value: Any) -> str:
    """Sorted-key compact JSON: one text per value, used for digests and draws."""
    return _CANONICAL.encode(value)


def quoted(text: str, most: int = 40) -> str:
    """A text for an error message, the same on every version of Python."""
    return json.dumps(text[:most])


def tidy(text: str) -> str:
    """NFC, trimmed, runs of white space folded to one space; case kept."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def fold(text: str) -> str:
    """The form in which names are compared: tidy and without case."""
    return tidy(text).casefold()


def unquoted(text: str) -> str:
    """The text without quotation marks around the whole of it."""
    text = text.strip()
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inside = text[1:-1]
        if text[-1] in _APOSTROPHE.sub("", inside):
            break
        text = inside.strip()
    return text


def label(text: str) -> str:
    """A name as it is meant: tidy, with plain marks, no quotation marks around it, no host's final dot."""
    text = unquoted(straight(tidy(text)))
    return text[:-1] if _HOST.fullmatch(text) else text


def search_term(text: str) -> str:
    """A search term as it is meant: as a name, without closing signs."""
    term = label(text)
    while (shorter := label(term.rstrip(CLOSING))) not in ("", term):
        term = shorter
    return term


def straight(text: str) -> str:
    """The text with straight quotation marks, apostrophes and hyphens in place of typeset ones."""
    return text if text.isascii() else text.translate(_CURLY)


def prose(text: str) -> str:
    """What counts of a text in free words: no case, white space, quotes around it or closing signs."""
    folded = fold(text)
    while (shorter := unquoted(folded.rstrip(CLOSING))) != folded:
        folded = shorter
    # Straightened last, since curly quotes may stand around straight ones.
    return straight(folded)


def place(text: str) -> str:
    """A place name folded; a known city under its usual name (``NYC`` is ``new york``).

    Behind a known city its region and country may stand: ``Austin, TX``, ``Berlin (Germany)``. A known
    city is told without its accents too, and with accents that its usual name leaves out.
    """
    folded = fold(text)
    if match := _IN_BRACKETS.fullmatch(folded):
        folded = f"{match[1]}, {match[2]}"
    city, *around = (part.strip() for part in folded.split(","))
    known = _known_cities().get(city) or _known_cities().get(without_accents(city))
    return known[0] if known and known[1].issuperset(map(without_accents, around)) else folded


def without_accents(text: str) -> str:
    """The text without the marks on its letters."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


@lru_cache(maxsize=1)
def _known_cities() -> dict[str, tuple[str, frozenset[str]]]:
    """Folded spelling of a city → its folded usual name, and what may stand behind it."""
    other_names = load("country_names")
    known = {}
    for name, city in load("cities").items():
        country = city["country"]
        around = (country, city["country_code"], *other_names.get(country, ()))
        allowed = frozenset(without_accents(fold(p)) for p in (*around, *city.get("regions", ())))
        for spelling in (name, *city.get("aliases", ())):
            known[fold(spelling)] = (fold(name), allowed)
            known.setdefault(without_accents(fold(spelling)), (fold(name), allowed))
    return known


def date(text: str) -> str:
    """ISO 8601 of a date such as 2026-03-05, 20260305, 5 March 2026 or Thursday, March 5th, 2026.

    ValueError for anything else. All-digit dates with the year last are refused, since nobody can
    tell their day from their month, and so is a day of the week that is not the date's.
    """
    weekday, folded = _apart(_MIDNIGHT.sub("", fold(text).rstrip(" .,")))
    if match := _YEAR_FIRST.fullmatch(folded):
        year, month, day = (int(g) for g in match.groups() if g)
    elif match := _DAY_FIRST.fullmatch(folded) or _DAY_SHORT.fullmatch(folded):
        day, month, year = int(match[1]), _MONTH_NUMBER.get(match[2], 0), int(match[3])
    elif match := _MONTH_FIRST.fullmatch(folded):
        month, day, year = _MONTH_NUMBER.get(match[1], 0), int(match[2]), int(match[3])
    else:
        raise ValueError(f"{quoted(text)} is no date (write YYYY-MM-DD)")
    try:
        parsed = dt.date(year, month, day)
    except ValueError:
        raise ValueError(f"{quoted(text)} is no date of the calendar") from None
    if weekday not in (None, parsed.weekday()):
        raise ValueError(f"{quoted(text)} names another day of the week")
    return parsed.isoformat()


def _apart(folded: str) -> tuple[int | None, str]:
    """The day of the week that a folded date names, before it or in brackets behind it, and the rest."""
    if (match := _WEEKDAY_FIRST.fullmatch(folded)) and match[1] in _WEEKDAY_NUMBER:
        return _WEEKDAY_NUMBER[match[1]], match[2]
    if (match := _WEEKDAY_BEHIND.fullmatch(folded)) and match[2] in _WEEKDAY_NUMBER:
        return _WEEKDAY_NUMBER[match[2]], match[1]
    return None, folded


def datetime(text: str) -> str:
    """ISO 8601 to the second of a date with a time of day; an offset is kept. ValueError otherwise."""
    folded = fold(text).rstrip(" .,").replace(" at ", " ").replace(", ", " ")
    if match := _TIME_AND_DAY.fullmatch(folded):
        folded = f"{match[2]} {match[1]}"
    match = _DAY_AND_TIME.fullmatch(folded)
    clock = _CLOCK.fullmatch(match[2].strip()) if match else None
    if match is None or clock is None or not (clock[2] or clock[4]):
        raise ValueError(f"{quoted(text)} is no date and time (write YYYY-MM-DDTHH:MM:SS)")
    day = date(match[1])
    hour, minute, second = int(clock[1]), int(clock[2] or 0), int(clock[3] or 0)
    if clock[4]:
        if not 1 <= hour <= 12:
            raise ValueError(f"{quoted(text)} has no such hour")
        hour = hour % 12 + (12 if clock[4].startswith("p") else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(f"{quoted(text)} has no such time of day")
    zone = clock[5] or ""
    if zone in ("z", "utc", "gmt"):
        zone = "+00:00"
    elif zone and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    stamp = f"{day}T{hour:02}:{minute:02}:{second:02}{zone}"
    try:
        dt.datetime.fromisoformat(stamp)
    except ValueError:
        raise ValueError(f"{quoted(text)} has no such offset") from None
    return stamp


@lru_cache(maxsize=1)
def _zones() -> tuple[dict[str, str], dict[str, str]]:
    """Folded spelling → zone name, and zone name → the zone it is a link to."""
    data = resources.files("tzdata")
    names = data.joinpath("zones").read_text("utf-8").split()
    links = {}
    for line in data.joinpath("zoneinfo", "tzdata.zi").read_text("utf-8").splitlines():
        if line.startswith("L "):
            _, target, alias = line.split()
            links[alias] = target
    spellings = {name.casefold(): name for name in names}
    cities: dict[str, list[str]] = {}
    for name in names:
        if "/" in name and not name.startswith(("Etc/", "US/", "SystemV/")):
            cities.setdefault(name.rpartition("/")[2].replace("_", " ").casefold(), []).append(name)
    for city, zones in cities.items():
        if len({links.get(zone, zone) for zone in zones}) == 1:
            spellings.setdefault(city, min(zones, key=lambda zone: (zone in links, zone)))
    return spellings | {"z": "UTC"}, links


def timezone(text: str) -> str:
    """The IANA name of a time zone (``Tokyo`` stands for ``Asia/Tokyo``); ValueError otherwise."""
    folded = fold(text).replace(" ", "_")
    spellings, _ = _zones()
    name = spellings.get(folded) or spellings.get(folded.replace("_", " "))
    if name is None:
        raise ValueError(
            f"{quoted(text)} is no time zone (write an IANA name such as Europe/Berlin)"
        )
    return name


def same_zone(name: str) -> str:
    """The zone that an IANA name is a link to, or the name itself; Greenwich mean time is UTC."""
    zone = _zones()[1].get(name, name)
    return "Etc/UTC" if zone == "Etc/GMT" else zone


@lru_cache(maxsize=1)
def _currency_names() -> dict[str, str]:
    """Folded name or spelling → code; a spelling that several currencies share is none."""
    codes: dict[str, set[str]] = {}
    for code, facts in load("currencies").items():
        for spelling in (facts["name"], f"{facts['name']}s", *facts["spellings"]):
            codes.setdefault(without_accents(fold(spelling)), set()).add(code)
    return {spelling: shared.pop() for spelling, shared in codes.items() if len(shared) == 1}


def currency(text: str) -> str:
    """The upper-case code of a known currency, told by code or name; ValueError otherwise."""
    code = text.strip().upper()
    if code not in load("currencies"):
        code = _currency_names().get(without_accents(fold(text)), "")
    if not code:
        raise ValueError(f"{quoted(text, 20)} is no known currency code (write one such as EUR)")
    return code


@lru_cache(maxsize=1)
def _units() -> tuple[dict[str, str], dict[str, str]]:
    exact = {s: unit for unit, u in load("units").items() for s in (unit, *u["spellings"])}
    folded: dict[str, str] = {}
    for spelling, unit in exact.items():
        folded.setdefault(_spaced(spelling), unit)
    return exact, folded


def _spaced(text: str) -> str:
    """A text in several words folded, however the words are joined."""
    return fold(text.replace("_", " ").replace("-", " "))


def unit(text: str) -> str:
    """The one spelling of a unit of measurement (``°C`` is ``celsius``); ValueError otherwise."""
    exact, folded = _units()
    name = exact.get(text.strip()) or folded.get(_spaced(text))
    if name is None:
        raise ValueError(f"{quoted(text, 20)} is no known unit")
    return name
