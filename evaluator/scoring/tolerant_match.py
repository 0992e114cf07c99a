"""How alike two argument values are, 0 to 1, by the kind of the parameter: the tolerant reading.

It is the paper's and belongs to the weighted score; step and strict read exactly (`exact_match`).

``fed`` says what the model's own earlier calls gave for the places of an argument that edges feed: by
path below the argument, ``()`` for the whole of it. Such a value is right as well, so that a mistake
upstream is not paid for twice.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from dataset_builder.values.canonical import fold, prose
from dataset_builder.values.json_values import ArgumentError, json_or_text
from dataset_builder.values.kinds import NUMBER, Kind
from dataset_builder.values.references import Unresolved
from evaluator.scoring.bipartite_matching import pair_off

Path = tuple[str, ...]
FedValues = Mapping[Path, Any]

NOTHING_FED: FedValues = {}
RIGHT = 0.85
"""From this similarity on a call, or a text of kind ``prose``, is right."""
TOLERANCE = 0.01
_ZERO = 1e-9
# Binary fractions: 1.01 is a little more than 1 % above 1.
_ROUNDING = 1e-9
ZONE = re.compile(r"(?:Z|[+-]\d{2}:\d{2})$")
_SAME = 1 - 1e-12
# Sets of texts that are only alike, or of lists, pair off up to this size; larger ones are equal or not.
MAX_PAIRED = 200
MAX_PROSE = 20_000
_BOOLEAN = Kind("boolean")


def same_number(expected: float, actual: float) -> bool:
    """Within 1 % of the expected number; an expected 0 within 1e-9."""
    if expected == 0:
        return abs(actual) <= _ZERO
    return abs(actual - expected) <= TOLERANCE * abs(expected) * (1 + _ROUNDING)


def equal(kind: Kind | None, expected: Any, actual: Any) -> bool:
    """Whether two values are equal by their kind, numbers within the paper's 1 %."""
    return similarity(kind, expected, actual) >= _SAME


def similarity(
    kind: Kind | None, expected: Any, actual: Any, fed: FedValues = NOTHING_FED
) -> float:
    """How right an actual value is, from 0 to 1.

    Without a kind (tools that are not in the catalogue) values compare as JSON data.
    """
    if isinstance(actual, Unresolved):
        return 0.0
    if () in fed and equal(kind, fed[()], actual):
        return 1.0
    if kind is None or kind.name == "object":
        return _data(expected, actual, fed)
    if kind.item is not None:
        return _items(kind, kind.item, expected, actual, fed)
    return _value(kind, expected, actual)


def as_items(actual: Any) -> list[Any] | None:
    """The list that a value is, or that its text is in JSON."""
    items: list[Any] | None = _as(list, actual)
    return items


def as_object(actual: Any) -> dict[str, Any] | None:
    """The object that a value is, or that its text is in JSON."""
    fields: dict[str, Any] | None = _as(dict, actual)
    return fields


def at_path(kind: Kind | None, actual: Any, path: Sequence[str]) -> tuple[Kind | None, Any]:
    """What stands at a path below an argument, and its kind; JSON texts on the way are read."""
    for segment in path:
        if kind is not None and kind.item is not None:
            kind, items = kind.item, as_items(actual)
        else:
            kind, items = None, actual if isinstance(actual, list) else None
            if items is None and (fields := as_object(actual)) is not None and segment in fields:
                actual = fields[segment]
                continue
        if items is None or not segment.isdecimal() or int(segment) >= len(items):
            return kind, Unresolved(".".join(path))
        actual = items[int(segment)]
    return kind, actual


def contained(kind: Kind | None, wanted: Sequence[Any], actual: Any) -> list[bool]:
    """Which wanted values a set contains, one to one."""
    items = as_items(actual) or []
    if _is_flood(items, len(wanted)):
        return [False] * len(wanted)
    fits = [[i for i, item in enumerate(items) if equal(kind, value, item)] for value in wanted]
    return [partner is not None for partner in pair_off(fits)]


# By kind --------------------------------------------------------------------------------------


def _value(kind: Kind, expected: Any, actual: Any) -> float:
    """A value without parts."""
    try:
        wanted = kind.canonical(expected)
    except ArgumentError:
        return _data(expected, actual, NOTHING_FED)
    try:
        given = kind.canonical(actual)
    except ArgumentError:
        return 0.0
    if kind.name == "number":
        return float(same_number(wanted, given))
    if kind.name == "prose":
        return prose_similarity(prose(wanted), prose(given))
    if kind.name == "datetime" and not ZONE.search(wanted):
        given = ZONE.sub("", given)
    return float(wanted == given)


def prose_similarity(expected: str, actual: str) -> float:
    """Normalised Levenshtein similarity where that is at least 0.85, else 0.

    Beyond `MAX_PROSE` characters, where the work would grow out of bounds, texts are equal or not.
    """
    if expected == actual:
        return 1.0
    from rapidfuzz.distance import Levenshtein

    longer = max(len(expected), len(actual))
    if longer > MAX_PROSE:
        return 0.0
    allowed = longer * 15 // 100
    distance = Levenshtein.distance(expected, actual, score_cutoff=allowed)
    return 1 - distance / longer if distance <= allowed else 0.0


def _items(kind: Kind, item: Kind, expected: Any, actual: Any, fed: FedValues) -> float:
    """Lists element by element, sets by the items that pair off as equal, over the longer length."""
    wanted, given = as_items(expected), as_items(actual)
    if wanted is None or given is None or _is_flood(given, len(wanted)):
        return 0.0
    longer = max(len(wanted), len(given))
    if longer == 0:
        return 1.0
    if kind.name == "set":
        return _paired(item, wanted, given, fed) / longer
    pairs = enumerate(zip(wanted, given, strict=False))
    return fsum(similarity(item, e, a, below(fed, str(i))) for i, (e, a) in pairs) / longer


def _is_flood(given: Sequence[Any], wanted: int) -> bool:
    """Whether a list is so long that hardly anything of it could be right: it is worth nothing."""
    return len(given) > 10 * wanted + 100


def _paired(item: Kind, wanted: Sequence[Any], given: Sequence[Any], fed: FedValues) -> int:
    """How many items of two sets pair off as equal."""
    if not fed and item.name == "number":
        return _paired_numbers(item, wanted, given)
    if not fed and item.name not in ("prose", "datetime", "list", "set", "object"):
        both = _canonical_items(item, wanted) & _canonical_items(item, given)
        return both.total()
    if len(wanted) > MAX_PAIRED:
        return len(wanted) if list(wanted) == list(given) else 0
    fits = [
        [j for j, a in enumerate(given) if _is_item(item, e, a, below(fed, str(i)))]
        for i, e in enumerate(wanted)
    ]
    return sum(partner is not None for partner in pair_off(fits))


def _canonical_items(item: Kind, values: Sequence[Any]) -> Counter[Any]:
    canonical = (_canonical(item, value) for value in values)
    return Counter(value for value in canonical if not isinstance(value, Unresolved))


def _paired_numbers(item: Kind, wanted: Sequence[Any], given: Sequence[Any]) -> int:
    """A merge: the ranges of expected numbers ascend with them, so the lowest takes the lowest."""
    expected, actual = (
        sorted(_canonical_items(item, values).elements()) for values in (wanted, given)
    )
    pairs = position = 0
    for number in actual:
        while position < len(expected) and not same_number(expected[position], number):
            if expected[position] > number:
                break
            position += 1
        if position < len(expected) and same_number(expected[position], number):
            pairs, position = pairs + 1, position + 1
    return pairs


def _is_item(kind: Kind, expected: Any, actual: Any, fed: FedValues) -> bool:
    alike = similarity(kind, expected, actual, fed)
    return alike >= (RIGHT if kind.name == "prose" else _SAME)


def _data(expected: Any, actual: Any, fed: FedValues) -> float:
    """JSON data: objects over the union of keys, lists over the longer length, leaves equal or not."""
    if isinstance(actual, Unresolved):
        return 0.0
    if () in fed and _data(fed[()], actual, NOTHING_FED) >= _SAME:
        return 1.0
    if isinstance(expected, dict):
        fields = _as(dict, actual)
        if fields is None:
            return 0.0
        names = expected.keys() | fields.keys()
        both = expected.keys() & fields.keys()
        parts = [_data(expected[n], fields[n], below(fed, n)) for n in both]
        return fsum(parts) / len(names) if names else 1.0
    if isinstance(expected, list):
        items = _as(list, actual)
        if items is None:
            return 0.0
        longer = max(len(expected), len(items))
        pairs = enumerate(zip(expected, items, strict=False))
        parts = [_data(e, a, below(fed, str(i))) for i, (e, a) in pairs]
        return fsum(parts) / longer if longer else 1.0
    return float(_same_leaf(expected, actual))


def _same_leaf(expected: Any, actual: Any) -> bool:
    if expected is None:
        return actual is None
    if isinstance(expected, bool | int | float):
        kind = _BOOLEAN if isinstance(expected, bool) else NUMBER
        # An expected infinity can stand in a foreign suite's rows; nothing is right against it.
        return _is_readable(kind, expected) and _value(kind, expected, actual) == 1
    return isinstance(actual, str) and fold(expected) == fold(actual)


def _is_readable(kind: Kind, value: Any) -> bool:
    try:
        kind.read(value)
    except ArgumentError:
        return False
    return True


def below(fed: FedValues, segment: str) -> FedValues:
    """What of ``fed`` stands below a segment of the path."""
    if not fed:
        return fed
    return {path[1:]: value for path, value in fed.items() if path[:1] == (segment,)}


def _as(wanted: type, actual: Any) -> Any:
    """A list or object, or the one that a text is in JSON; None for anything else."""
    if isinstance(actual, str):
        try:
            actual = json_or_text(actual)
        except ArgumentError:
            return None
    return actual if isinstance(actual, wanted) else None


def _canonical(kind: Kind, value: Any) -> Any:
    try:
        return kind.canonical(value)
    except ArgumentError:
        return Unresolved("")
