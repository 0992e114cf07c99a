"""Numbers as people write them in a text: ``1,234.50``, ``$5``, ``36°C``, ``12%``, ``3.7 million``.

    one, = numbers_written("about 443.6 miles")
    is_rendering(one, 443.5712)     # the value, rounded to the digits that are shown

A number is written in digits; an unsigned one stands for either sign, since words ("fell by") may say
the direction.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import Any

from dataset_builder.values.canonical import MONTHS
from evaluator.scoring.tolerant_match import same_number

MAX_READ = 5_000
"""So many characters of one text are looked through for numbers that count as known."""
EQUAL = 1e-9
UNROUNDED = 1e-6
FEWEST_DIGITS = 2
"""A rounded number has to show so many significant digits, and to lie within `NEAR`."""
NEAR = 0.01

# A word that ends its line says nothing about the number that begins the next one.
_NUMBER = re.compile(
    r"(?<![\w.])(?:(?P<word>minus|negative)[^\S\r\n])?(?:(?<![\w)\]])(?P<sign>[-−+]))?"
    r"(?:[$€£¥₹](?P<minus>[-−])?)?"
    r"(?P<digits>[0-9]{1,3}(?:[,'’\u00a0\u2009\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?P<exponent>[eE][-+]?[0-9]{1,3}(?!\w))?"
    r"(?![0-9]|\.[0-9])(?P<unit>[^\W\d_]{0,12})(?!\w)(?P<percent>\s?%|\s?per\s?cent\b)?"
    r"(?:\s(?P<scale>thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "m": 6, "bn": 9}
_LIST = re.compile(r"\[[^\[\]]*\]")
_SEPARATOR = re.compile("[,'’\u00a0\u2009\u202f]")
_CLOCK = re.compile(
    r"(?<![\w.:])([01]?[0-9]|2[0-3])(?::[0-5][0-9])?(?:(?<=:[0-5][0-9])|\s?[ap]\.?m\b)", re.I
)
# Between the date and the time of day of an ISO 8601 moment.
_BEFORE_HOUR = re.compile(r"(?<=\d)T(?=\d)")
_MONTH_NUMBER = {n: float(number) for number, m in enumerate(MONTHS, 1) for n in (m, m[:3])}
_MONTH = re.compile(rf"\b({'|'.join(_MONTH_NUMBER)})\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a written number may mean.

    ``size``: without its sign. ``unit``: what one of its last digit is worth. ``digits``: significant
    ones, as far as they are shown.
    """

    size: float
    unit: float
    digits: int


@dataclass(frozen=True, slots=True)
class Written:
    """A number in a text: its sign (0 where none is written) and all that it may mean.

    ``12%`` is 12 or 0.12, ``5m`` is 5 (metres) or 5,000,000.
    """

    sign: int
    readings: tuple[Reading, ...]


def is_rendering(written: Written, value: float, *, unrounded: bool = False) -> bool:
    """Whether a number is a value in a usual rendering: itself, or rounded to the digits shown.

    A tie may be rounded either way. ``unrounded``: then it may not be rounded by more than one part in
    a million.
    """
    if value and written.sign and (written.sign > 0) != (value > 0):
        return False
    return any(_renders(reading, abs(value), unrounded) for reading in written.readings)


def _renders(reading: Reading, size: float, unrounded: bool) -> bool:
    off = abs(size - reading.size)
    if off <= EQUAL * size or (size == 0 and off <= EQUAL):
        return True
    if unrounded:
        return off <= UNROUNDED * size
    is_rounded = off <= reading.unit / 2 * (1 + EQUAL) + EQUAL * size
    return is_rounded and reading.digits >= FEWEST_DIGITS and off <= NEAR * size


def is_near(written: Written, value: float) -> bool:
    """Whether a number lies within 1 % of a value (the tolerant reading)."""
    signs = (written.sign,) if written.sign else (1, -1)
    return any(same_number(value, s * reading.size) for reading in written.readings for s in signs)


@dataclass(slots=True)
class Known:
    """Numbers that a text may hold without having made them up; `exactly` and `nearly` ask for one."""

    ascending: list[float] = field(default_factory=list)

    def add(self, values: Iterable[float]) -> None:
        """Learn more numbers."""
        new = sorted(values)
        if len(new) < 8:
            for value in new:
                insort(self.ascending, value)
        else:
            self.ascending = sorted([*self.ascending, *new])

    def exactly(self, written: Written) -> bool:
        """Whether a number is one of them in a usual rendering."""
        return any(is_rendering(written, value) for value in self._around(written))

    def nearly(self, written: Written) -> bool:
        """Whether a number lies within 1 % of one of them."""
        return any(is_near(written, value) for value in self._around(written))

    def _around(self, written: Written) -> Iterator[float]:
        """For each reading the neighbours: if any number fits it, one of those does."""
        for reading in written.readings:
            for sign in (written.sign,) if written.sign else (1, -1):
                at = bisect_left(self.ascending, sign * reading.size)
                yield from self.ascending[max(0, at - 1) : at + 1]


def numbers_of(value: Any) -> Iterator[float]:
    """Every number in a JSON value, those in its texts included, in all their readings.

    A time of day counts in both ways of telling the hour, a month's name as its number. Of a text
    longer than `MAX_READ` characters only the beginning is read.
    """
    if isinstance(value, str):
        text = _BEFORE_HOUR.sub(" ", value[:MAX_READ])
        for written in numbers_written(text):
            for reading in written.readings:
                yield (written.sign or 1) * reading.size
        for clock in _CLOCK.finditer(text):
            hour = int(clock[1]) % 12
            yield from (float(hour or 12), float(hour), float(hour + 12))
        yield from (_MONTH_NUMBER[month[1]] for month in _MONTH.finditer(text))
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_of(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def numbers_written(text: str) -> tuple[Written, ...]:
    """The numbers of a text, in order."""
    return _of_short_text(text) if len(text) <= MAX_READ else _of_text(text)


@lru_cache(maxsize=512)
def _of_short_text(text: str) -> tuple[Written, ...]:
    return _of_text(text)


def _of_text(text: str) -> tuple[Written, ...]:
    # In a JSON list a comma parts two numbers; elsewhere it may part the thousands of one.
    text = _LIST.sub(lambda match: match[0].replace(",", ", "), text)
    numbers = (_written(match) for match in _NUMBER.finditer(text))
    return tuple(written for written in numbers if written.readings)


def _written(match: re.Match[str]) -> Written:
    sign = match["sign"] or match["minus"] or ("-" if match["word"] else "")
    digits = _SEPARATOR.sub("", match["digits"])
    power = int(match["exponent"][1:]) if match["exponent"] else 0
    whole, _, decimals = digits.partition(".")
    shown = len((whole + decimals).lstrip("0"))
    scale = _SCALES.get((match["scale"] or match["unit"]).lower())
    powers = [power if scale is None else power + scale]
    if match["unit"] in ("m", "K") and not match["scale"]:
        # Metres and kelvin.
        powers.insert(0, power)
    if match["percent"]:
        powers.append(power - 2)
    readings = [
        Reading(float(f"{digits}e{p}"), float(f"1e{p - len(decimals)}"), shown) for p in powers
    ]
    finite = tuple(reading for reading in readings if isfinite(reading.size))
    return Written({"": 0, "+": 1}.get(sign, -1), finite)
