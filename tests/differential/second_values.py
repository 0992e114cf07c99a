"""How the second scorer compares values and reads texts, written from the specification alone.

Two readings: the tolerant one and the exact one. What the specification leaves open and both scorers
read in the same way is marked "both scorers".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from dataset_builder.values import canonical
from dataset_builder.values.json_values import ArgumentError, json_or_text
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import Unresolved

_ZONE = re.compile(r"[+-]\d\d:\d\d$")


# Numbers ------------------------------------------------------------------------------------------


# Binary fractions: 118.8 is a little less than 120 less one per cent.
NEARLY = 0.01 * (1 + 1e-9)


def near(expected: float, got: float, share: float) -> bool:
    """Within a share of the expected number; an expected 0 within 1e-9."""
    return abs(expected - got) <= (share * abs(expected) if expected else 1e-9)


def is_rounding(own: float, got: float) -> bool:
    """Whether ``got`` is ``own`` rounded to six significant digits or more."""
    exact, given = Decimal(repr(float(own))), Decimal(repr(float(got)))
    if not exact:
        return not given
    for digits in range(6, 18):
        unit = Decimal((0, (1,), exact.adjusted() - digits + 1))
        if given % unit == 0 and abs(given - exact) <= unit / 2:
            return True
    return False


def same_number(expected: float, got: float, exact: bool, fed: bool) -> bool:
    """Two numbers: within 1 %; exactly: within 1e-9, or a fed one rounded, or a decimal within 1e-6."""
    if not exact:
        return near(expected, got, NEARLY)
    if near(expected, got, 1e-9):
        return True
    is_decimal = float(expected) != int(expected)
    return fed and (is_rounding(expected, got) or (is_decimal and near(expected, got, 1e-6)))


# Values by kind -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Want:
    """What may stand at one place: the expected value and, where an edge feeds it, the model's own."""

    stated: Any
    fed: tuple[Any, ...] = ()
    is_fed: bool = False

    def options(self, exact: bool) -> Iterator[tuple[Any, bool]]:
        """(value, whether it is a fed one): exactly, a fed value is the model's own alone.

        Where the own call gave none, its edge pays for that, and the expected value stands in.
        """
        for value in self.fed:
            yield value, True
        if not (exact and self.fed):
            yield self.stated, False


@lru_cache(maxsize=100_000)
def prose_similarity(one: str, other: str) -> float:
    """Normalised similarity of two folded texts, 0 below 0.85."""
    if one == other:
        return 1.0
    similarity = 1 - Levenshtein.distance(one, other) / max(len(one), len(other))
    return similarity if similarity >= 0.85 else 0.0


def similarity(
    kind: Kind, want: Any, got: Any, exact: bool, fed: bool, gives_expected: bool = False
) -> float:
    """How like an expected value (or a fed one) a given value is: 0 to 1; exactly: 0 or 1."""
    if isinstance(want, Unresolved) or isinstance(got, Unresolved):
        return 0.0
    if kind.name in ("list", "set"):
        return (
            list_similarity(
                kind, [Want(item, (item,) if fed else (), fed) for item in want], got, exact
            )
            if isinstance(want := parsed(want, list), list)
            else 0.0
        )
    if kind.name == "object":
        return tree_similarity(parsed(want, dict), parsed(got, dict), exact, fed)
    try:
        kind.canonical(want)
    except ArgumentError:
        return tree_similarity(want, got, exact, fed)
    try:
        wanted, given = kind.read(want), kind.read(got)
        if kind.name == "number":
            return float(same_number(wanted, given, exact, fed))
        if kind.name == "prose":
            wanted, given = canonical.prose(wanted), canonical.prose(given)
            return float(wanted == given) if exact or fed else prose_similarity(wanted, given)
        wanted, given = kind.canonical(want), kind.canonical(got)
    except ArgumentError:
        return 0.0
    ignored = not exact or gives_expected or str(given).endswith("+00:00")
    if kind.name == "datetime" and not _ZONE.search(wanted) and ignored:
        given = _ZONE.sub("", given)
    return float(wanted == given)


def parsed(value: Any, wanted: type) -> Any:
    """A string that parses as the wanted JSON type counts as it."""
    if isinstance(value, str):
        try:
            parsed = json_or_text(value)
        except ArgumentError:
            return value
        return parsed if isinstance(parsed, wanted) else value
    return value


def tree_similarity(want: Any, got: Any, exact: bool, fed: bool) -> float:
    """Objects over the union of their keys; exactly, a string inside is no number, and case counts."""
    if isinstance(want, dict):
        got = got if exact else parsed(got, dict)
        if not isinstance(got, dict):
            return 0.0
        keys = want.keys() | got.keys()
        parts = [
            tree_similarity(want[k], got[k], exact, fed) if k in want and k in got else 0.0
            for k in keys
        ]
    elif isinstance(want, list):
        got = got if exact else parsed(got, list)
        if not isinstance(got, list):
            return 0.0
        parts = [tree_similarity(a, b, exact, fed) for a, b in zip(want, got, strict=False)]
        parts += [0.0] * abs(len(want) - len(got))
    elif isinstance(want, bool) or want is None:
        return float(want is (got if exact else parsed(got, bool)))
    elif isinstance(want, int | float):
        got = got if exact else json_or_text(got) if isinstance(got, str) else got
        is_number = isinstance(got, int | float) and not isinstance(got, bool)
        return float(is_number and same_number(want, got, exact, fed))
    else:
        read = canonical.tidy if exact else canonical.fold
        return float(isinstance(got, str) and read(want) == read(got))
    result = sum(parts) / len(parts) if parts else 1.0
    return float(result == 1.0) if exact else result


def list_similarity(kind: Kind, wants: Sequence[Want], got: Any, exact: bool) -> float:
    """Item by item over the longer length; a set one to one in any order."""
    got = parsed(got, list)
    if not isinstance(got, list):
        return 0.0
    longer = max(len(wants), len(got))
    if not longer:
        return 1.0
    is_prose = kind.item is not None and kind.item.name == "prose"
    if kind.name == "list":
        pairs = zip(wants, got, strict=False)
        parts = [want_similarity(kind.item, want, item, exact) for want, item in pairs]
    else:
        table = [[want_similarity(kind.item, want, item, exact) for item in got] for want in wants]
        # Both scorers: an item is in a set or not.
        table = [[float(value >= (0.85 if is_prose else 1)) for value in row] for row in table]
        parts = [table[i][j] for i, j in one_to_one(table)]
    total = sum(parts) / longer
    return float(total == 1.0) if exact else total


def one_to_one(table: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs of a row and a column with the greatest sum."""
    if not table or not table[0]:
        return []
    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]
    return [(i, j) for i, j in pairs if table[i][j] > 0]


def want_similarity(
    kind: Kind | None, want: Want, got: Any, exact: bool, gives_expected: bool = False
) -> float:
    """The model's own value is right or not; else the likeness to the expected one."""
    assert kind is not None
    best = 0.0
    for value, fed in want.options(exact):
        alike = similarity(kind, value, got, exact, fed, gives_expected)
        best = max(best, alike if alike == 1.0 or not fed else 0.0)
    return best
