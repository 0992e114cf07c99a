"""Other spellings of dates, times of day and time zones."""

import datetime as dt
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

from dataset_builder.values import canonical
from dataset_builder.values.canonical import MONTHS, WEEKDAYS
from dataset_builder.values.facts import load
from dataset_builder.values.surface_forms import ordinal

Spelling = tuple[str, Any]
"""What was done to the value, and the value so written."""


def dates(text: str) -> Iterator[Spelling]:
    """A date otherwise."""
    iso = canonical.date(text)
    day = dt.date.fromisoformat(iso)
    month, short, weekday = (
        MONTHS[day.month - 1],
        MONTHS[day.month - 1][:3],
        WEEKDAYS[day.weekday()],
    )
    number = ordinal(day.day)
    yield "ISO", iso
    yield "basic", iso.replace("-", "")
    yield "with slashes, year first", iso.replace("-", "/")
    yield "with dots, year first", iso.replace("-", ".")
    yield "without leading zeros", f"{day.year}-{day.month}-{day.day}"
    yield "worded", f"{day.day} {month} {day.year}"
    yield "worded", f"{month} {day.day}, {day.year}"
    yield "worded", f"{month} {number}, {day.year}"
    yield "worded", f"{month} {day.day} {day.year}"
    yield "worded", f"{number} of {month}, {day.year}"
    yield "worded with 'the'", f"the {number} of {month} {day.year}"
    yield "worded with 'the'", f"{month} the {number}, {day.year}"
    yield "worded, short month", f"{day.day} {short} {day.year}"
    yield "worded, short month", f"{short}. {day.day}, {day.year}"
    yield "worded, short month", f"{day.day:02}-{short}-{day.year}"
    yield "worded, upper case", f"{day.day} {month} {day.year}".upper()
    yield "worded, year first", f"{day.year} {month} {day.day}"
    yield "with weekday", f"{weekday}, {day.day} {month} {day.year}"
    yield "with weekday", f"{weekday} {month} {day.day}, {day.year}"
    yield "with weekday", f"{weekday[:3]}, {day.day} {short} {day.year}"
    yield "with weekday", f"{weekday}, the {number} of {month} {day.year}"
    yield "with weekday behind", f"{iso} ({weekday})"
    yield "with midnight", f"{iso}T00:00:00"
    yield "with midnight", f"{iso} 00:00"
    yield "with midnight", f"{iso} 00:00:00+00:00"
    yield "with midnight", f"{iso}T00:00:00.000Z"
    yield "in quotes", f'"{iso}"'
    yield "closing dot", f"{day.day} {month} {day.year}."
    yield "day first, digits", f"{day:%d/%m/%Y}"
    yield "day first, digits", f"{day:%d.%m.%Y}"
    yield "month first, digits", f"{day:%m/%d/%Y}"
    yield "ISO week", f"{day:%G-W%V-%u}"
    yield "ISO day of the year", f"{day:%Y-%j}"


def datetimes(text: str) -> Iterator[Spelling]:
    """A date with a time of day otherwise."""
    stamp = canonical.datetime(text)
    day, clock, zone = stamp[:10], stamp[11:19], stamp[19:]
    hour, minute = int(clock[:2]), clock[3:5]
    half = f"{hour % 12 or 12}:{minute} {'pm' if hour >= 12 else 'am'}"
    for label, spelt in dates(day):
        if label in ("basic", "worded", "with weekday", "with slashes, year first"):
            yield f"date {label}", f"{spelt} {clock[:5]}{zone}"
            yield f"date {label}, 12-hour", f"{spelt} at {half}{zone}"
            yield f"date {label}, 12-hour", f"{spelt}, {half}{zone}"
            yield f"time first, date {label}", f"{clock[:5]} on {spelt}"
            yield f"time first, date {label}", f"{half} on {spelt}"
            yield f"time first, date {label}", f"{half}, {spelt}"
    if clock.endswith(":00"):
        yield "without seconds", f"{day}T{clock[:5]}{zone}"
        yield "12-hour", f"{day} {half}{zone}"
        yield "12-hour", f"{day} {half.replace(' ', '').upper()}{zone}"
        yield "basic", f"{day}T{clock}".replace("-", "").replace(":", "") + zone.replace(":", "")
    yield "with a space", f"{day} {clock}{zone}"
    yield "lower-case t", f"{day}t{clock}{zone}"
    yield "with fractions", f"{day}T{clock}.000{zone}"
    yield "in quotes", f'"{stamp}"'
    yield "closing dot", f"{day} {clock[:5]}."
    if zone == "+00:00":
        yield "UTC written otherwise", f"{day}T{clock}Z"
        yield "UTC written otherwise", f"{day} {clock} UTC"
    elif not zone:
        yield "with UTC", f"{day}T{clock}Z"
        yield "with UTC", f"{day}T{clock}+00:00"
        yield "with UTC", f"{day} {clock} UTC"
        yield "with another offset", f"{day}T{clock}+05:45"


def zones(text: str) -> Iterator[Spelling]:
    """A time zone otherwise."""
    name = canonical.timezone(text)
    city = name.rpartition("/")[2].replace("_", " ")
    yield "lower case", name.lower()
    yield "with spaces", name.replace("_", " ")
    yield "city", city
    yield "city", city.lower()
    yield "city with the word time", f"{city} time"
    target = canonical.same_zone(name)
    yield from (("link", alias) for alias in _zone_names() if canonical.same_zone(alias) == target)
    if target == "Etc/UTC":
        yield from (("UTC by other names", n) for n in ("UTC", "utc", "Etc/UTC", "Z", "GMT"))
        yield from (("UTC by other names", n) for n in ("Etc/GMT", "UTC+0", "UTC+00:00", "GMT+0"))
        yield "UTC in words", "Coordinated Universal Time"
    cities = {c["timezone"]: n for n, c in load("cities").items() if "timezone" in c}
    if name in cities:
        yield "another city of it", cities[name]


@cache
def _zone_names() -> list[str]:
    return resources.files("tzdata").joinpath("zones").read_text("utf-8").split()
