"""The exact reading: whether a value is the one that was stated or given (specification: Exact reading).

Step and strict pass read so; the paper's tolerances belong to the weighted score alone (`tolerant_match`). A
stated number is the same within a relative 1e-9. A number that an earlier output gave may also be
retyped, rounded to six significant digits or more, and a decimal be off by 1e-6. ``fed`` is as there.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import floor, log10
from typing import Any

from dataset_builder.values.canonical import prose, tidy
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import NUMBER, Kind
from dataset_builder.values.references import Unresolved
from evaluator.scoring.bipartite_matching import pair_off
from evaluator.scoring.tolerant_match import (
    MAX_PAIRED,
    NOTHING_FED,
    ZONE,
    FedValues,
    as_items,
    as_object,
    below,
)

_STATED = 1e-9
_RETYPED = 1e-6
_FEWEST_DIGITS, _MOST_DIGITS = 6, 13

SameNumber = Callable[[float, float], bool]


def same_stated(expected: float, actual: float) -> bool:
    """Whether a number is the stated one."""
    return abs(actual - expected) <= _STATED * max(abs(expected), expected == 0)


def same_fed(given: float, actual: float) -> bool:
    """Whether a number is the one that an output gave, perhaps rounded to six significant digits or more.

    A decimal may be off by one part in a million, a whole number not: 1,717,001 is another one than
    1,717,000.
    """
    off = abs(actual - given)
    if same_stated(given, actual) or (given % 1 and off <= _RETYPED * abs(given)):
        return True
    if not given:
        return False
    first = floor(log10(abs(given)))
    units = (10.0 ** (first - digits + 1) for digits in range(_FEWEST_DIGITS, _MOST_DIGITS))
    return any(
        off <= unit / 2 * (1 + _STATED) and abs(actual / unit - round(actual / unit)) <= 1e-6
        for unit in units
    )


def same(kind: Kind | None, expected: Any, actual: Any, fed: FedValues = NOTHING_FED) -> bool:
    """Whether a resolved value is the expected one; where an edge feeds, what the model's own call gave.

    Without a kind (tools that are not in the catalogue) values compare as JSON data.
    """
    return _either(kind, expected, actual, fed, same_stated)


def same_given(kind: Kind | None, given: Any, actual: Any) -> bool:
    """Whether a value is what an earlier output gave."""
    return _same(kind, given, actual, NOTHING_FED, same_fed)


def contained_exactly(kind: Kind | None, wanted: Sequence[Any], actual: Any) -> list[bool]:
    """Which values that outputs gave a set contains, one to one."""
    items = as_items(actual) or []
    if len(items) > MAX_PAIRED:
        return [False] * len(wanted)
    fits = [[i for i, item in enumerate(items) if same_given(kind, v, item)] for v in wanted]
    return [partner is not None for partner in pair_off(fits)]


def has_no_zone(kind: Kind, moment: Any) -> bool:
    """Whether an expected date-time says no offset."""
    try:
        return not ZONE.search(kind.canonical(moment))
    except ArgumentError:
        return False


def without_zone(moment: str) -> str:
    """An ISO date-time without its offset."""
    return ZONE.sub("", moment)


def _either(
    kind: Kind | None, expected: Any, actual: Any, fed: FedValues, number: SameNumber
) -> bool:
    """As `_same`, where what the model's own call gave takes the place of the expected value."""
    if () in fed:
        return _same(kind, fed[()], actual, NOTHING_FED, same_fed)
    return _same(kind, expected, actual, fed, number)


def _same(
    kind: Kind | None, expected: Any, actual: Any, fed: FedValues, number: SameNumber
) -> bool:
    if isinstance(actual, Unresolved):
        return False
    if kind is None:
        return _same_data(expected, actual, fed, number)
    if kind.name == "object":
        fields = as_object(actual)
        return fields is not None and _same_data(expected, fields, fed, number)
    if kind.item is not None:
        return _same_items(kind, kind.item, expected, actual, fed, number)
    if isinstance(expected, str) and expected == actual and kind.name != "expression":
        # Equal however a kind reads it; an expression's value may be no number, which equals nothing.
        return True
    try:
        wanted, given = kind.canonical(expected), kind.canonical(actual)
    except ArgumentError:
        return _is_foreign(kind, expected) and _same_data(expected, actual, fed, number)
    if kind.name == "number":
        return number(wanted, given)
    if kind.name == "prose":
        return prose(wanted) == prose(given)
    if kind.name == "expression":
        return _same_value(wanted, given, number)
    if kind.name == "datetime" and not ZONE.search(wanted):
        given = given.removesuffix("+00:00")
    return bool(wanted == given)


def _is_foreign(kind: Kind, expected: Any) -> bool:
    """Whether an expected value is none of its kind, as in rows of another suite."""
    try:
        kind.canonical(expected)
    except ArgumentError:
        return True
    return False


def _same_value(wanted: str, given: str, number: SameNumber) -> bool:
    """Expressions in canonical form: two values, or two texts that have none."""
    try:
        return number(float(wanted), float(given))
    except ValueError:
        return wanted == given


def _same_items(
    kind: Kind, item: Kind, expected: Any, actual: Any, fed: FedValues, number: SameNumber
) -> bool:
    wanted, given = as_items(expected), as_items(actual)
    if wanted is None or given is None or len(wanted) != len(given):
        return False
    pairs = enumerate(zip(wanted, given, strict=True))
    in_order = all(_either(item, e, a, below(fed, str(i)), number) for i, (e, a) in pairs)
    if in_order or kind.name != "set":
        return in_order
    if len(wanted) > MAX_PAIRED:
        return not fed and _same_multiset(item, wanted, given)
    fits = [
        [j for j, a in enumerate(given) if _either(item, e, a, below(fed, str(i)), number)]
        for i, e in enumerate(wanted)
    ]
    return all(partner is not None for partner in pair_off(fits))


def _same_multiset(item: Kind, wanted: Sequence[Any], given: Sequence[Any]) -> bool:
    """Large sets of plain values: equal in canonical form, item for item."""
    try:
        both = [Counter(map(item.canonical, values)) for values in (wanted, given)]
    except (ArgumentError, TypeError):
        return False
    return both[0] == both[1]


def _same_data(expected: Any, actual: Any, fed: FedValues, number: SameNumber) -> bool:
    """JSON data, where a text is no number, a number no text, and case counts: tools work on it."""
    if isinstance(actual, Unresolved):
        return False
    if () in fed:
        return _same_data(fed[()], actual, NOTHING_FED, same_fed)
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and expected.keys() == actual.keys()
            and all(_same_data(v, actual[k], below(fed, k), number) for k, v in expected.items())
        )
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(expected) != len(actual):
            return False
        pairs = enumerate(zip(expected, actual, strict=True))
        return all(_same_data(e, a, below(fed, str(i)), number) for i, (e, a) in pairs)
    if isinstance(expected, str):
        return isinstance(actual, str) and tidy(expected) == tidy(actual)
    if expected is None or isinstance(expected, bool):
        return expected is actual
    return _is_number(expected) and _is_number(actual) and number(expected, actual)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        NUMBER.read(value)
    except ArgumentError:
        return False
    return True
