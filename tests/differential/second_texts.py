"""How the second scorer reads texts that must mention values, written from the specification alone."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dataset_builder.values import canonical
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import kind_of
from dataset_builder.values.references import Unresolved, render
from dataset_builder.values.surface_forms import leaves, small_number_words, stands
from tests.differential.second_values import NEARLY, Want, near

_THOUSANDS = re.compile(r"(?<![\w.])\d{1,3}(?:[,'’\u00a0\u2009\u202f]\d{3})+(?!\d)")
_TOKEN = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?|\.\d+)(?:[eE]([-+]?\d{1,3})(?!\w))?(?!\d|\.\d)"
    r"([^\W\d_]{0,12})(?!\w)(\s?%|\s?per\s?cent\b)?(?:\s(thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_POWERS = {"k": 3, "m": 6, "bn": 9, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_CLOCK = re.compile(r"(?<![\w.:])(\d{1,2})(?::(\d\d))?(?::(\d\d))?(\s?[ap]\.?m\b)?(?!\d)", re.I)
_DAY = r"\d{4}-\d\d-\d\d"
_HOUR = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_STAMP = re.compile(rf"({_DAY})[T ]({_HOUR})(?:Z|[+-]\d\d:\d\d)?")


# Numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number as a text shows it: its sign, if one is written, and each (value, unit) it may mean.

    ``unit``: what one of the last digit shown is worth. The plainest meaning comes first.
    """

    sign: int
    meanings: tuple[tuple[Decimal, Decimal], ...]
    digits: int

    def shows(self, value: float, unrounded: bool = False) -> bool:
        """Whether it is that value, rounded to the digits shown: two at least, and within 1 %."""
        return any(self._shows(value, *meaning, unrounded) for meaning in self.meanings)

    def _shows(self, value: float, size: Decimal, unit: Decimal, unrounded: bool) -> bool:
        exact = Decimal(repr(float(value)))
        shown = self.sign * size if self.sign else size
        exact = exact if self.sign else abs(exact)
        if near(float(exact), float(shown), 1e-6 if unrounded else 1e-9):
            return True
        off, rounded = abs(shown - exact), unit / 2 + abs(exact) * Decimal("1e-9")
        return not unrounded and self.digits >= 2 and off <= min(rounded, abs(exact) / 100)

    def is_near(self, value: float) -> bool:
        """Whether it is within 1 % of a value, of either sign where none is written."""
        signs = (self.sign,) if self.sign else (1, -1)
        return any(
            near(value, sign * float(size), NEARLY) for size, _ in self.meanings for sign in signs
        )

    @property
    def is_small_count(self) -> bool:
        """Whether it is a whole number up to 10 that is told without a sign."""
        size = self.meanings[0][0]
        return not self.sign and size <= 10 and size == int(size)


def numbers_shown(text: str) -> list[Number]:
    """The numbers in digits; dates and times of day as their parts."""
    # In a JSON list a comma parts two numbers; elsewhere it may part the thousands of one.
    text = re.sub(r"\[[^\[\]]*\]", lambda m: m[0].replace(",", ", "), text)
    text = _THOUSANDS.sub(lambda m: re.sub(r"\D", "", m[0]), text)
    text = re.sub(r"(?<![\w.])(?:minus|negative)[^\S\r\n](?=[$€£¥₹]?\.?\d)", " −", text, flags=re.I)
    text = re.sub(r"(?<![\w)\].])([-−+]?)[$€£¥₹]([-−]?)(?=\.?\d)", r"\1\2", text)
    return [_number(m, _sign_before(text, m.start())) for m in _TOKEN.finditer(text)]


def _sign_before(text: str, start: int) -> int:
    """The sign that is written before a place; between two parts of a range or date it is none."""
    mark, before = text[max(0, start - 1) : start], text[max(0, start - 2) : max(0, start - 1)]
    if not mark or mark not in "+-−" or re.fullmatch(r"[\w)\].]", before):
        return 0
    return 1 if mark == "+" else -1


def _number(found: re.Match[str], sign: int) -> Number:
    plain, exponent, unit, percent, scale = found.groups()
    unit, power = unit or "", int(exponent or 0)
    powers = [power + _POWERS.get((scale or unit).lower(), 0)]
    if unit in ("m", "K") and not scale:
        # Metres and kelvin.
        powers.insert(0, power)
    if percent:
        powers.append(power - 2)
    last = -len(plain.partition(".")[2])
    meanings = tuple((Decimal(plain).scaleb(p), Decimal((0, (1,), last + p))) for p in powers)
    return Number(sign, meanings, len(plain.replace(".", "").lstrip("0")))


@lru_cache(maxsize=4_096)
def known_from(text: str) -> frozenset[float]:
    """The numbers that a text makes known, those inside dates and times of day among them.

    Both scorers: a time of day tells its hour in both ways of telling it, a month its number.
    """
    text = re.sub(r"(?<=\d)T(?=\d)", " ", text)
    known = {(n.sign or 1) * float(size) for n in numbers_shown(text) for size, _ in n.meanings}
    known |= {
        float(i)
        for i, month in enumerate(canonical.MONTHS, 1)
        if re.search(rf"\b{month[:3]}({month[3:]})?\b", text)
    }
    for hour, minute, _, half in _CLOCK.findall(text):
        if (minute or half) and int(hour) <= 24:
            known |= {
                float(hour),
                int(hour) % 12 or 12.0,
                int(hour) % 12 + 0.0,
                int(hour) % 12 + 12.0,
            }
    return frozenset(known)


def known_numbers(values: Sequence[Any]) -> set[float]:
    """The numbers in some JSON values."""
    known: set[float] = set()
    for leaf in itertools.chain.from_iterable(map(leaves, values)):
        known |= known_from(leaf) if isinstance(leaf, str) else {float(leaf)}
    return known


# Dates, times of day, texts -----------------------------------------------------------------------


@lru_cache(maxsize=256)
def dates_told(text: str) -> frozenset[str]:
    """The dates that a text tells: every span between two ends of words that reads as one."""
    text = re.sub(r"(?<=\d)T(?=\d)", " ", text)
    ends = [m.end() for m in re.finditer(r"[^\W_]+", text)]
    found = set()
    for start in (m.start() for m in re.finditer(r"[^\W_]+", text)):
        for end in ends:
            span = text[start:end]
            if 8 <= len(span) <= 32 and re.search(r"\d{4}", span):
                found.add(_date(span))
    return frozenset(found - {""})


@lru_cache(maxsize=100_000)
def _date(span: str) -> str:
    try:
        return canonical.date(span)
    except ValueError:
        return ""


@lru_cache(maxsize=256)
def times_told(text: str) -> frozenset[tuple[int, int, int]]:
    """The times of day that a text tells, as hour, minute and second."""
    text = re.sub(r"(?<=\d)T(?=\d)", " ", text)
    words = re.findall(r"[^\W\d_]+", text.lower())
    told = {(12, 0, 0)} if "noon" in words else set()
    told |= {(0, 0, 0)} if "midnight" in words else set()
    for found in _CLOCK.finditer(text):
        hour, half = int(found[1]), (found[4] or "").strip().lower()
        behind = text[found.end() :]
        if re.match(r"h\w|:|\.\d|(?![hzHZ])\w", behind):
            continue
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half.startswith("p") else 0)
        if found[2] or half:
            told.add((hour, int(found[2] or 0), int(found[3] or 0)))
    return frozenset(told)


def _is_told_at(clock: str, text: str) -> bool:
    hour, minute, second = (int(part) for part in f"{clock}:00".split(":")[:3])
    return (hour, minute, second) in times_told(text)


def is_code(value: str) -> bool:
    """Whether a text is an address, an id or a file name; a closing sign ends a word or a sentence."""
    return (
        not re.search(r"\s", value)
        and value.rstrip(canonical.CLOSING) == value
        and any(c in "/@_:." or c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
    )


def stands_alone(code: str, text: str) -> bool:
    """Whether an address, an id or a file name stands in a text by itself, its case kept."""
    if "@" in code and "/" not in code:
        code, text = code.casefold(), text.casefold()
    start = text.find(code)
    while start >= 0:
        before, behind = text[:start][-1:], text[start + len(code) :][:2]
        goes_on = re.match(r"[\w/@?=&#-]|[.:]\w", behind)
        if not goes_on and not re.match(r"[\w/@.?=&#-]", before):
            return True
        start = text.find(code, start + 1)
    return False


def carries(text: str, value: Any, unrounded: bool) -> bool:
    """Whether a text carries a value as whole tokens.

    Both scorers: a number up to twenty told as a word counts; curly quotation marks are straight.
    """
    if isinstance(value, list | dict):
        parts = value if isinstance(value, list) else list(value.values())
        return bool(parts) and all(carries(text, item, unrounded) for item in parts)
    if isinstance(value, int | float) and not isinstance(value, bool):
        spelt = abs(value) in small_number_words(text)
        return spelt or any(number.shows(value, unrounded) for number in numbers_shown(text))
    if isinstance(value, Unresolved) or value is None:
        return False
    return carries_text(text, str(value).lower() if isinstance(value, bool) else value)


def carries_text(text: str, value: str) -> bool:
    """Whether a text carries a text value."""
    if re.fullmatch(_DAY, value):
        return value in dates_told(text)
    if re.fullmatch(_HOUR, value):
        return _is_told_at(value, text)
    hay, value = canonical.straight(text), canonical.straight(value)
    if stamp := _STAMP.fullmatch(value):
        is_told = stamp[1] in dates_told(text) and _is_told_at(stamp[2], text)
        return is_told or stands(value, hay)
    if is_code(value):
        return stands_alone(value, hay)
    return stands(value, hay) or stands(value.rstrip(canonical.CLOSING), hay)


# The whole text -----------------------------------------------------------------------------------


def is_too_long(text: str, wants: Sequence[Want]) -> bool:
    """Whether a text holds far more than what it must carry; such a one carries nothing."""
    needed = sum(max(len(render(value)) for value in (w.stated, *w.fed)) for w in wants)
    return len(text) > 1000 + 3 * needed


def mention_score(
    text: Any, wants: Sequence[Want], rule: Mapping[str, Any], seen: Sequence[Any], exact: bool
) -> float:
    """carried / (listed + false). ``seen``: the prompt and the outputs so far."""
    try:
        text = kind_of("prose").read(text)
    except ArgumentError:
        return 0.0
    if is_too_long(text, wants):
        return 0.0
    unrounded = bool(rule.get("unrounded"))
    carried = sum(
        any(carries(text, value, unrounded) for value, _ in want.options(exact)) for want in wants
    )
    needed = [v for w in wants for v in (*w.fed, w.stated) if not isinstance(v, Unresolved)]
    # Both scorers: numbers in words are known from the prompt alone.
    known = known_numbers([*seen, *needed]) | small_number_words(str(seen[0]))
    invented = {
        n
        for n in numbers_shown(text)
        if not any(n.shows(k) or (not exact and n.is_near(k)) for k in known)
    }
    if not exact:
        false = max(0, len(invented) - 3)
    else:
        small = {n for n in invented if n.is_small_count}
        # A text could list all that a small number may be.
        most = 3 if any(map(_is_small, _numbers(needed))) else len(small)
        false = len(invented - small) + max(0, len(small) - most)
    return carried / (len(wants) + false) if wants else 1.0


def _numbers(values: Sequence[Any]) -> Iterator[float]:
    """The numbers that a text must carry."""
    for leaf in itertools.chain.from_iterable(map(leaves, values)):
        if not isinstance(leaf, str):
            yield float(leaf)


def _is_small(number: float) -> bool:
    return abs(number) <= 10 and number == int(number)
