"""Texts in free words that must carry certain values: an e-mail, a note, a report (specification: Mentions).

A number counts in any usual rendering (`numbers_in_text`), text as whole tokens whatever the case and
the closing punctuation, a date or a time of day in any of its surface forms. What stands beside the
values in words is not judged.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from dataset_builder.values.canonical import CLOSING, date, straight
from dataset_builder.values.references import render
from dataset_builder.values.surface_forms import leaves, small_number_words, stands
from evaluator.scoring.numbers_in_text import (
    Known,
    Written,
    is_rendering,
    numbers_of,
    numbers_written,
)

FREE_NUMBERS = 3
"""So many different numbers that stand nowhere else a text may hold without loss: any in the tolerant
reading, whole ones up to `FREE_UP_TO` in the exact one."""
FREE_UP_TO = 10
FREE_CHARACTERS = 1_000

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:Z|[+-]\d{2}:\d{2})?")
_WORDED_TIME = re.compile(
    r"(?:(?<![\w.:])|(?<=\dT))([01]?[0-9]|2[0-4])(?::([0-5][0-9]))?(?::([0-5][0-9]))?"
    r"(?:\s?([ap])\.?m\b|[hz]\b|(?![\w:]|\.\d))",
    re.IGNORECASE,
)
_NAMED_TIMES = {"noon": (12, 0, 0), "midnight": (0, 0, 0)}
_NAMED_TIME = re.compile(r"\b(noon|midnight)\b", re.IGNORECASE)
# An address, an id, a file name: no white space, and something that no word has.
_CODE = re.compile(r"(?=\S*[\d/@_:.])(?=\S*[^\W\d_])\S*[^\s.!?…:;,]")
# Each form is looked for by itself: what looks like one of them ("12 due 2026") hides no other.
_DATE_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?[\s-]+[a-z]{3,9}\.?,?[\s-]+\d{4}(?!\d)",
        r"[a-z]{3,9}\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}(?!\d)",
        r"(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)",
        r"(?<!\d)\d{8}(?!\d)",
    )
)
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text carries of the values that it must carry, and what it makes up.

    ``carried``: in the tolerant reading; ``surplus`` how many numbers it makes up beyond those that are
    free. ``is_exact``: every value carried, nothing made up, not too long.
    """

    carried: tuple[bool, ...]
    surplus: int
    is_too_long: bool
    is_exact: bool

    @property
    def score(self) -> float:
        """carried / (listed + surplus), 0 for a text that is too long."""
        whole = len(self.carried) + self.surplus
        if self.is_too_long or whole == 0:
            return 0.0
        return sum(self.carried) / whole


class MadeUp(NamedTuple):
    """The different numbers of a text that are known from nowhere.

    ``exactly``: no rendering of a known number; ``nearly``: of these the ones that are not within 1 %
    of one either.
    """

    exactly: Sequence[Written]
    nearly: Sequence[Written]


def read_mentions(
    text: str | None,
    values: Sequence[Any],
    fed: Mapping[int, Any],
    made_up: Callable[[str], MadeUp],
    *,
    unrounded: bool = False,
) -> Mentions:
    """Which of the ``values`` a text carries, and how many numbers it makes up.

    ``fed``: by position in ``values``, what the model's own earlier call gave in its place: that is
    what an exact text carries, and in a tolerant reading as good. ``made_up``: the numbers of a
    text that stand neither in the prompt nor in the outputs so far.
    """
    nothing = (False,) * len(values)
    if text is None:
        return Mentions(nothing, 0, False, False)
    if is_too_long(text, values, fed):
        return Mentions(nothing, 0, True, False)
    exact = [carries(text, fed.get(i, v), unrounded=unrounded) for i, v in enumerate(values)]
    carried = tuple(
        is_exact or (i in fed and carries(text, value, unrounded=unrounded))
        for i, (is_exact, value) in enumerate(zip(exact, values, strict=True))
    )
    strange = made_up(text)
    listed = Known()
    if strange.exactly:
        listed.add(number for value in (*values, *fed.values()) for number in numbers_of(value))
    far = [written for written in strange.nearly if not listed.nearly(written)]
    false = [written for written in strange.exactly if not listed.exactly(written)]
    is_exact = all(exact) and _are_small_counts(false, [*values, *fed.values()])
    # What is exact is right in the tolerant reading too.
    surplus = 0 if is_exact else max(0, len(far) - FREE_NUMBERS)
    return Mentions(carried, surplus, False, is_exact)


def _are_small_counts(strange: Sequence[Written], needed: Sequence[Any]) -> bool:
    """Whether made-up numbers are but small counts and the numbers of a list, told by no sign.

    Where a small number is itself to be carried they are few, since a text could list all that it may
    be.
    """
    sizes = [written.readings[0].size for written in strange if written.sign == 0]
    if len(sizes) < len(strange) or not all(map(_is_small, sizes)):
        return False
    is_guess = any(not isinstance(n, str) and _is_small(n) for n in leaves(list(needed)))
    return not is_guess or len(strange) <= FREE_NUMBERS


def _is_small(number: float) -> bool:
    return abs(number) <= FREE_UP_TO and number == int(number)


def is_too_long(text: str, values: Sequence[Any], fed: Mapping[int, Any]) -> bool:
    """Whether a text holds far more than the values that it must carry."""
    if len(text) <= FREE_CHARACTERS:
        return False
    needed = (
        max(len(render(value)), len(render(fed[i])) if i in fed else 0)
        for i, value in enumerate(values)
    )
    return len(text) > FREE_CHARACTERS + 3 * sum(needed)


def carries(text: str, value: Any, *, unrounded: bool = False) -> bool:
    """Whether a text holds a value as whole tokens; a list or object when it holds all of its parts."""
    if isinstance(value, bool):
        return stands(str(value), text)
    if isinstance(value, int | float):
        in_digits = numbers_written(text)
        return any(
            is_rendering(written, value, unrounded=unrounded) for written in in_digits
        ) or abs(value) in small_number_words(text)
    if isinstance(value, str):
        return _carries_text(text, value)
    if isinstance(value, dict):
        value = list(value.values())
    return (
        isinstance(value, list)
        and bool(value)
        and all(carries(text, part, unrounded=unrounded) for part in value)
    )


def _carries_text(text: str, value: str) -> bool:
    if _DATE.fullmatch(value):
        return value in _dates_in(text)
    if _TIME.fullmatch(value):
        return _clock(value) in _times_in(text)
    if moment := _MOMENT.fullmatch(value):
        return stands(value, text) or (
            moment[1] in _dates_in(text) and _clock(moment[2]) in _times_in(text)
        )
    text, value = straight(text), straight(value)
    if _CODE.fullmatch(value):
        return _stands_as_code(value, text)
    return stands(value, text) or stands(value.rstrip(CLOSING), text)


def _stands_as_code(value: str, text: str) -> bool:
    """Whether an address, an id or a file name stands in a text by itself, its case kept.

    What goes on behind it ("/x", "-2", ".com") makes another one of it.
    """
    before, behind = r"(?<![\w/@.?=&#-])", r"(?![\w/@?=&#-]|[.:]\w)"
    flags = re.IGNORECASE if "@" in value and "/" not in value else re.NOFLAG
    return re.search(f"{before}{re.escape(value)}{behind}", text, flags) is not None


@lru_cache(maxsize=64)
def _dates_in(text: str) -> frozenset[str]:
    """The dates that a text tells, in ISO 8601."""
    dates = set()
    for match in (match for form in _DATE_FORMS for match in form.finditer(text)):
        with suppress(ValueError):
            dates.add(date(match[0]))
    return frozenset(dates)


@lru_cache(maxsize=64)
def _times_in(text: str) -> frozenset[tuple[int, int, int]]:
    """The times of day that a text tells, as hour, minute and second."""
    times = {_NAMED_TIMES[name.lower()] for name in _NAMED_TIME.findall(text)}
    for match in _WORDED_TIME.finditer(text):
        hour, half = int(match[1]), (match[4] or "").lower()
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        if match[2] or half:
            times.add((hour, int(match[2] or 0), int(match[3] or 0)))
    return frozenset(times)


def _clock(value: str) -> tuple[int, int, int]:
    hour, minute, second = (int(part) for part in f"{value}:0".split(":")[:3])
    return hour, minute, second


def made_up_beside(text: str, known: Known) -> MadeUp:
    """The numbers of a text that are not among the known ones."""
    strange = [w for w in dict.fromkeys(numbers_written(text)) if not known.exactly(w)]
    return MadeUp(strange, [written for written in strange if not known.nearly(written)])
