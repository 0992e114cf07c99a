"""Texts in free words that must carry certain values: an e-mail, a note, a report (contracts, section 6).

A number counts in any usual rendering (`evaluator.written`), text as whole tokens whatever the case and
the closing punctuation, a date or a time of day in any of its surface forms. What stands beside the
values in words is not judged.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from dataset_builder.canonical import CLOSING, date, straight
from dataset_builder.references import render
from dataset_builder.surfaces import small_number_words, stands, time_forms
from evaluator.written import Known, Written, is_rendering, numbers_of, numbers_written

FREE_NUMBERS = 3
"""So many different numbers that stand nowhere else a text may hold without loss: any in the tolerant
reading, whole ones up to `FREE_UP_TO` in the exact one."""
FREE_UP_TO = 10
FREE_CHARACTERS = 1_000

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:Z|[+-]\d{2}:\d{2})?")
_WORDED_DATE = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)?(?: of)?[ -][a-z]{3,9}\.?,?[ -]\d{4}(?!\d)"
    r"|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}(?!\d)"
    r"|(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?<!\d)\d{8}(?!\d)",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text carries of the values that it must carry, and what it makes up.

    ``carried``: in the tolerant reading; ``false`` how many numbers it makes up beyond those that are
    free. ``is_exact``: every value carried, nothing made up, not too long.
    """

    carried: tuple[bool, ...]
    false: int
    is_too_long: bool
    is_exact: bool

    @property
    def score(self) -> float:
        """carried / (listed + false), 0 for a text that is too long."""
        whole = len(self.carried) + self.false
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
    own: Mapping[int, Any],
    made_up: Callable[[str], MadeUp],
    *,
    unrounded: bool = False,
) -> Mentions:
    """Which of the ``values`` a text carries, and how many numbers it makes up.

    ``own``: by position in ``values``, what the model's own earlier call gave in its place: that is
    what an exact text carries, and in a tolerant reading as good. ``made_up``: the numbers of a
    text that stand neither in the prompt nor in the outputs so far.
    """
    nothing = (False,) * len(values)
    if text is None:
        return Mentions(nothing, 0, False, False)
    if is_too_long(text, values, own):
        return Mentions(nothing, 0, True, False)
    exact = [carries(text, own.get(i, v), unrounded=unrounded) for i, v in enumerate(values)]
    carried = tuple(
        is_exact or (i in own and carries(text, value, unrounded=unrounded))
        for i, (is_exact, value) in enumerate(zip(exact, values, strict=True))
    )
    listed = Known()
    listed.add(number for value in (*values, *own.values()) for number in numbers_of(value))
    strange = made_up(text)
    far = [written for written in strange.nearly if not listed.nearly(written)]
    false = [written for written in strange.exactly if not listed.exactly(written)]
    is_exact = all(exact) and _are_small_counts(false, [*values, *own.values()])
    return Mentions(carried, max(0, len(far) - FREE_NUMBERS), False, is_exact)


def _are_small_counts(strange: Sequence[Written], needed: Sequence[Any]) -> bool:
    """Whether made-up numbers are but small counts and the numbers of a list, told by no sign.

    Where a small number is itself to be carried they are few, since a text could list all that it may
    be.
    """
    sizes = [written.readings[0].size for written in strange if written.sign == 0]
    if len(sizes) < len(strange) or not all(map(_is_small, sizes)):
        return False
    is_guess = any(map(_is_small, numbers_of(list(needed))))
    return not is_guess or len(strange) <= FREE_NUMBERS


def _is_small(number: float) -> bool:
    return abs(number) <= FREE_UP_TO and number == int(number)


def is_too_long(text: str, values: Sequence[Any], own: Mapping[int, Any]) -> bool:
    """Whether a text holds far more than the values that it must carry."""
    if len(text) <= FREE_CHARACTERS:
        return False
    needed = (
        max(len(render(value)), len(render(own[i])) if i in own else 0)
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
        return _tells_time(text, value)
    if moment := _MOMENT.fullmatch(value):
        return stands(value, text) or (
            moment[1] in _dates_in(text) and _tells_time(text, moment[2])
        )
    text, value = straight(text), straight(value)
    return stands(value, text) or stands(value.rstrip(CLOSING), text)


@lru_cache(maxsize=64)
def _dates_in(text: str) -> frozenset[str]:
    """The dates that a text tells, in ISO 8601."""
    found = set()
    for match in _WORDED_DATE.finditer(text):
        with suppress(ValueError):
            found.add(date(match[0]))
    return frozenset(found)


def _tells_time(text: str, clock: str) -> bool:
    forms = time_forms(f"2000-01-01T{clock}:00"[:19])
    return any(stands(form, text) for form in (clock, *forms))


def made_up_beside(text: str, known: Known) -> MadeUp:
    """The numbers of a text that are not among the known ones."""
    strange = [w for w in dict.fromkeys(numbers_written(text)) if not known.exactly(w)]
    return MadeUp(strange, [written for written in strange if not known.nearly(written)])
