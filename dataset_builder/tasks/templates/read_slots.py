"""Read a template's slots: by name a table of one key, the slot's kind, as ``{ whole = [3, 24] }``."""

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from dataset_builder.tasks.slot import (
    Day,
    Decimal,
    Moment,
    Numbers,
    Pattern,
    Pick,
    Pool,
    Slot,
    Whole,
    word_lists,
)
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError

_BRACES = re.compile(r"\{([^{}]*)\}")


def read_slots(tables: Mapping[str, Any], field: str) -> dict[str, Slot]:
    """The slots in the order of the tables; ``field`` is their place in errors."""
    slots = {}
    for name, table in tables.items():
        with ErrorPlace(f"{field}.{name}"):
            slots[name] = _slot(table)
    return slots


def _slot(table: Any) -> Slot:
    if not isinstance(table, dict) or len(table) != 1:
        raise TemplateError('expected one kind of slot, such as { pool = "people" }')
    [(kind, value)] = table.items()
    if kind not in _KINDS:
        raise TemplateError(f"there is no kind of slot {kind} ({', '.join(_KINDS)})")
    return _KINDS[kind](value)


def _pick(value: Any) -> Pick:
    options = _words(value) if isinstance(value, str) else value
    if not isinstance(options, list | dict) or not options:
        raise TemplateError("pick takes a list, a table (said = value), or the name of a list")
    values = options.values() if isinstance(options, dict) else options
    if not all(type(one) is str or _is_number(one) for one in values):
        raise TemplateError("pick takes texts and numbers")
    return Pick(tuple(options.items() if isinstance(options, dict) else options))


def _words(name: str) -> Any:
    try:
        return word_lists()[name]
    except KeyError:
        raise TemplateError(f"there is no list {name} in pools/words.json") from None
    except ValueError as error:
        raise TemplateError(f"pools/words.json cannot be read as JSON ({error})") from None


def _pool(value: Any) -> Pool:
    try:
        pool = Pool(value)
        pool.rows()
    except (LookupError, TypeError):  # not there, or not even a text
        raise TemplateError(f"there is no pool {value}") from None
    except ValueError as error:
        raise TemplateError(f"pools/{value}.json cannot be read as JSON ({error})") from None
    return pool


def _is_whole(value: Any) -> bool:
    return type(value) is int  # not isinstance, since true and false are numbers to Python


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (type(value) is float and math.isfinite(value))


def _is_date(value: Any) -> bool:
    return type(value) is dt.date  # not isinstance, since a time of day would be a date


def _series(
    make: Callable[..., Slot], takes: str, *are: Callable[[Any], bool], bounds: int
) -> Callable[[Any], Slot]:
    """A reader of kinds that a list describes: ``bounds`` values in pairs, the lower one first, then
    perhaps a step or a number of decimals."""

    def read(value: Any) -> Slot:
        fits = isinstance(value, list) and bounds <= len(value) <= len(are)
        if not fits or not all(is_right(v) for v, is_right in zip(value, are, strict=False)):
            raise TemplateError(f"expected {takes}")
        pairs = zip(value[:bounds:2], value[1:bounds:2], strict=True)
        if any(low > high for low, high in pairs) or any(v < 0 for v in value[bounds:]):
            raise TemplateError(f"expected {takes}, the lower bound first and nothing below 0 last")
        return make(*value)

    return read


def _whole(low: int, high: int, step: int = 1) -> Whole:
    if step == 0:
        raise TemplateError("a step of 0 leads nowhere")
    return Whole(low, high, step)


def _ungrouped(low: float, high: float, digits: int = 2) -> Decimal:
    return Decimal(low, high, digits, grouped=False)


def _numbers(shortest: int, longest: int, low: float, high: float, digits: int = 0) -> Numbers:
    if shortest < 1 or (high - low) * 10**digits < 2 * longest:
        raise TemplateError("a list of different numbers needs a length and twice as wide a range")
    return Numbers(shortest, longest, low, high, digits)


def _day(first: dt.date, last: dt.date) -> Day:
    return Day(first.isoformat(), last.isoformat())


def _moment(first: dt.date, last: dt.date) -> Moment:
    return Moment(first.isoformat(), last.isoformat())


def _pattern(value: Any) -> Pattern:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise TemplateError("pattern takes a text and a slot for each name in its braces")
    text = value["text"]
    tables = {name: table for name, table in value.items() if name != "text"}
    if different := set(_BRACES.findall(text)) ^ set(tables):
        raise TemplateError(
            f"text and slots of the pattern differ in {', '.join(sorted(different))}"
        )
    slots = read_slots(tables, "pattern")
    if any(isinstance(slot, Pool) for slot in slots.values()):
        raise TemplateError("a pattern takes no pool")
    return Pattern(text, slots)


_WHOLE = "[low, high] or [low, high, step]"
_DECIMAL = "[low, high] or [low, high, decimals]"
_NUMBERS = "[shortest, longest, low, high] or [shortest, longest, low, high, decimals]"
_DATES = "[first, last] as dates, such as [2026-03-02, 2026-11-27]"
_KINDS: dict[str, Callable[[Any], Slot]] = {
    "pick": _pick,
    "pool": _pool,
    "whole": _series(_whole, _WHOLE, *[_is_whole] * 3, bounds=2),
    "decimal": _series(Decimal, _DECIMAL, *[_is_number] * 2, _is_whole, bounds=2),
    "decimal_ungrouped": _series(_ungrouped, _DECIMAL, *[_is_number] * 2, _is_whole, bounds=2),
    "numbers": _series(
        _numbers, _NUMBERS, *[_is_whole] * 2, *[_is_number] * 2, _is_whole, bounds=4
    ),
    "day": _series(_day, _DATES, _is_date, _is_date, bounds=2),
    "moment": _series(_moment, _DATES, _is_date, _is_date, bounds=2),
    "pattern": _pattern,
}
