"""Texts in free words that must carry certain values: an e-mail, a note, a report (contracts, section 6).

A number counts however people write it in digits: ``1,234.50``, ``$5``, ``36°C``, ``12%``,
``3.7 million``, ``1.2e3``; text counts as whole tokens, whatever the case.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

from dataset_builder.references import render
from dataset_builder.surfaces import stands
from evaluator.match import same_number

FREE_NUMBERS = 3
"""So many numbers that stand nowhere else a text may hold without loss."""
FREE_CHARACTERS = 1_000
MAX_READ = 5_000

Token = tuple[float, ...]
"""A number in a text: everything that it may mean."""

_NUMBER = re.compile(
    r"(?<![\w.])(?:(?<![\w)\]])(?P<sign>[-−+]))?(?:[$€£¥₹](?P<minus>[-−])?)?"
    r"(?P<digits>[0-9]{1,3}(?:[,'’\u00a0\u2009\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?P<exponent>[eE][-+]?[0-9]{1,3}(?!\w))?"
    r"(?![0-9]|\.[0-9])[^\W\d_]{0,4}(?!\w)(?P<percent>\s?%|\s?percent\b)?"
    r"(?:\s(?P<scale>thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_LIST = re.compile(r"\[[^\[\]]*\]")
_SEPARATOR = re.compile("[,'’\u00a0\u2009\u202f]")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text carries of the values that it must carry, and what it makes up."""

    carried: tuple[bool, ...]
    false: int
    is_too_long: bool

    @property
    def score(self) -> float:
        """carried / (listed + false), 0 for a text that is too long."""
        whole = len(self.carried) + self.false
        if self.is_too_long or whole == 0:
            return 0.0
        return sum(self.carried) / whole


def read_mentions(
    text: str | None,
    values: Sequence[Any],
    own: Mapping[int, Any],
    made_up: Callable[[str], Iterable[Token]],
) -> Mentions:
    """Which of the ``values`` a text carries, and how many numbers it makes up.

    ``own``: by position in ``values``, what the model's own earlier call gave in its place, which
    is as good. ``made_up``: the different numbers of a text that stand neither in the prompt nor in
    the outputs so far; asked for only where it matters.
    """
    if text is None:
        return Mentions((False,) * len(values), 0, False)
    if is_too_long(text, [*values, *own.values()]):
        return Mentions((False,) * len(values), 0, True)
    carried = tuple(
        carries(text, value) or (i in own and carries(text, own[i]))
        for i, value in enumerate(values)
    )
    strange: Iterable[Token] = tokens(text)
    if len(set(strange)) > FREE_NUMBERS:
        listed = sorted(
            number for value in (*values, *own.values()) for number in numbers_of(value)
        )
        strange = unknown(made_up(text), listed)
    return Mentions(carried, max(0, len(set(strange)) - FREE_NUMBERS), False)


def unknown(found: Iterable[Token], ascending: Sequence[float]) -> list[Token]:
    """Those of some tokens that mean none of the known numbers, each once."""
    return [token for token in dict.fromkeys(found) if not _is_known(token, ascending)]


def is_too_long(text: str, values: Iterable[Any]) -> bool:
    """Whether a text holds far more than the values that it must carry."""
    return len(text) > FREE_CHARACTERS + 3 * sum(len(render(value)) for value in values)


def carries(text: str, value: Any) -> bool:
    """Whether a text holds a value as whole tokens; a list or object when it holds all of its parts."""
    if isinstance(value, bool):
        return stands(str(value), text)
    if isinstance(value, int | float):
        return any(same_number(value, reading) for token in tokens(text) for reading in token)
    if isinstance(value, str):
        return stands(value, text)
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and bool(value) and all(carries(text, part) for part in value)


def numbers_of(value: Any) -> Iterator[float]:
    """Every number in a JSON value, those in its texts included, in all their readings.

    Of a text longer than `MAX_READ` characters only the beginning is read.
    """
    if isinstance(value, str):
        for token in tokens(value[:MAX_READ]):
            yield from token
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_of(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def _is_known(token: Token, ascending: Sequence[float]) -> bool:
    # What lies within 1 % of a number lies around it, so its two neighbours tell.
    return any(
        same_number(ascending[near], reading)
        for reading in token
        for at in (bisect_left(ascending, reading),)
        for near in (at - 1, at)
        if 0 <= near < len(ascending)
    )


def tokens(text: str) -> tuple[Token, ...]:
    """The numbers of a text, each with all that it may mean: ``12%`` is 12 or 0.12."""
    return _short_tokens(text) if len(text) <= MAX_READ else _find_tokens(text)


@lru_cache(maxsize=512)
def _short_tokens(text: str) -> tuple[Token, ...]:
    return _find_tokens(text)


def _find_tokens(text: str) -> tuple[Token, ...]:
    # In a JSON list a comma parts two numbers; elsewhere it may part the thousands of one.
    text = _LIST.sub(lambda match: match[0].replace(",", ", "), text)
    found = (_readings(match) for match in _NUMBER.finditer(text))
    return tuple(readings for readings in found if readings)


def _readings(match: re.Match[str]) -> Token:
    sign = -1.0 if (match["sign"] or match["minus"] or "+") in "-−" else 1.0
    value = sign * float(_SEPARATOR.sub("", match["digits"]) + (match["exponent"] or ""))
    readings = [value]
    if match["percent"]:
        readings.append(value / 100)
    if match["scale"]:
        readings.insert(0, value * _SCALES[match["scale"].lower()])
    return tuple(reading for reading in readings if isfinite(reading))
