"""How the second scorer compares values and reads texts, written from the specification alone.

Two readings: the tolerant one and the exact one. What the specification leaves open and both scorers
read in the same way is marked "both scorers".
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from dataset_builder import canonical
from dataset_builder.kinds import ArgumentError, Kind, kind_of, parse_json
from dataset_builder.references import Unresolved, render
from dataset_builder.surfaces import date_forms, leaves, small_number_words, stands, time_forms

_ZONE = re.compile(r"[+-]\d\d:\d\d$")
_NUMBER = re.compile(
    r"(?<![\w.,])([-−+]?)[$€£¥]?(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:[eE]([-+]?\d+)(?!\w))?(?=[^\W\d_]*(?!\w))"
)
_JOINED = re.compile(r"\d+(?:[./:-]\d+){2,}|\d+[:/]\d+")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?\s?([ap]\.?m\b)?")


# Numbers ------------------------------------------------------------------------------------------


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
    """Two numbers: within 1 %; exactly: within 1e-9, or a fed one within 1e-6 or rounded."""
    if not exact:
        return near(expected, got, 0.01)
    return (
        (near(expected, got, 1e-6) or is_rounding(expected, got))
        if fed
        else near(expected, got, 1e-9)
    )


# Values by kind -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Want:
    """What may stand at one place: the expected value and, where an edge feeds it, the model's own."""

    stated: Any
    fed: tuple[Any, ...] = ()
    is_fed: bool = False

    def options(self, exact: bool) -> Iterator[tuple[Any, bool]]:
        """(value, whether it is a fed one): exactly, a fed value is the model's own alone."""
        for value in self.fed:
            yield value, True
        if not (exact and self.is_fed):
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
        return tree_similarity(parsed(want, dict), parsed(got, dict), exact)
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
            parsed = parse_json(value)
        except ArgumentError:
            return value
        return parsed if isinstance(parsed, wanted) else value
    return value


def tree_similarity(want: Any, got: Any, exact: bool) -> float:
    """Objects over the union of their keys; exactly, a string inside is no number."""
    if isinstance(want, dict):
        got = got if exact else parsed(got, dict)
        if not isinstance(got, dict):
            return 0.0
        keys = want.keys() | got.keys()
        parts = [
            tree_similarity(want[k], got[k], exact) if k in want and k in got else 0.0 for k in keys
        ]
    elif isinstance(want, list):
        got = got if exact else parsed(got, list)
        if not isinstance(got, list):
            return 0.0
        parts = [tree_similarity(a, b, exact) for a, b in zip(want, got, strict=False)]
        parts += [0.0] * abs(len(want) - len(got))
    elif isinstance(want, bool) or want is None:
        return float(want is (got if exact else parsed(got, bool)))
    elif isinstance(want, int | float):
        got = got if exact else parse_json(got) if isinstance(got, str) else got
        is_number = isinstance(got, int | float) and not isinstance(got, bool)
        return float(is_number and same_number(want, got, exact, False))
    else:
        return float(isinstance(got, str) and canonical.fold(want) == canonical.fold(got))
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
    table = [[want_similarity(kind.item, want, item, exact) for item in got] for want in wants]
    if kind.name == "list":
        parts = [table[i][i] for i in range(min(len(wants), len(got)))]
    else:
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


# Texts that must mention values -------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number as a text shows it."""

    value: Decimal
    sign: str
    decimals: int
    digits: int

    def shows(self, value: float, unrounded: bool = False) -> bool:
        """Whether it is that value, rounded to the digits shown: two at least, and within 1 %."""
        exact = Decimal(repr(float(value)))
        shown = -self.value if self.sign in ("-", "−") and self.sign else self.value
        if not self.sign:
            exact = abs(exact)
        if unrounded:
            return near(float(exact), float(shown), 1e-6)
        if near(float(exact), float(shown), 1e-9):
            return True
        half = Decimal((0, (5,), -self.decimals - 1))
        return self.digits >= 2 and abs(shown - exact) <= min(half, abs(exact) / 100)

    def is_near(self, value: float) -> bool:
        """Whether it is within 1 % of a value, of either sign where none is written."""
        shown = float(self.value) * (-1 if self.sign in ("-", "−") and self.sign else 1)
        return near(value, shown, 0.01) or (not self.sign and near(value, -shown, 0.01))


def numbers_shown(text: str) -> list[Number]:
    """The numbers in digits; dates and times of day as their parts."""
    parts = _JOINED.sub(lambda m: " " + " ".join(re.findall(r"\d+", m[0])) + " ", text)
    found = []
    for sign, digits, exponent in _NUMBER.findall(parts):
        plain = digits.replace(",", "")
        value = Decimal(plain).scaleb(int(exponent or 0))
        decimals = len(plain.partition(".")[2]) - int(exponent or 0)
        found.append(Number(value, sign, decimals, len(plain.replace(".", "").lstrip("0"))))
    return found


@lru_cache(maxsize=4_096)
def known_from(text: str) -> frozenset[float]:
    """The numbers that a text makes known, those inside dates and times of day among them.

    Both scorers: a time of day tells its hour in both ways of telling it, a month its number.
    """
    folded = canonical.fold(text)
    known = {
        -float(n.value) if n.sign in ("-", "−") and n.sign else float(n.value)
        for n in numbers_shown(re.sub(r"(?<=\d)T(?=\d)", " ", text))
    }
    known |= {
        float(i)
        for i, month in enumerate(canonical.MONTHS, 1)
        if re.search(rf"\b{month[:3]}({month[3:]})?\b", folded, re.IGNORECASE)
    }
    for hour, minute, half in _CLOCK.findall(folded):
        if (minute or half) and int(hour) <= 24:
            known |= {int(hour) % 12 or 12.0, int(hour) % 12 + (12.0 if half[:1] == "p" else 0.0)}
            known.add(float(hour))
    return frozenset(known)


def known_numbers(values: Sequence[Any]) -> set[float]:
    """The numbers in some JSON values."""
    known: set[float] = set()
    for leaf in itertools.chain.from_iterable(map(leaves, values)):
        known |= known_from(leaf) if isinstance(leaf, str) else {float(leaf)}
    return known


def text_forms(value: str) -> Iterator[tuple[str, ...]]:
    """The ways of telling a text: each a group of forms, one of which must stand in the text."""
    time = re.fullmatch(r"(\d\d:\d\d)(:\d\d)?", value)
    if time:
        yield time_forms(f"2000-01-01T{time[1]}{time[2] or ':00'}")
        return
    try:
        yield date_forms(canonical.date(value))
        return
    except ValueError:
        pass
    try:
        stamp = canonical.datetime(value)
        yield date_forms(stamp)
        yield time_forms(stamp)
    except ValueError:
        pass


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
    hay = canonical.straight(text)
    value = canonical.straight(str(value).lower() if isinstance(value, bool) else value)
    if stands(value, hay) or stands(value.rstrip(canonical.CLOSING), hay):
        return True
    forms = list(text_forms(value))
    return bool(forms) and all(any(stands(f, hay) for f in group) for group in forms)


def is_too_long(text: str, values: Sequence[Any]) -> bool:
    """Whether a text holds far more than what it must carry; such a one carries nothing."""
    return len(text) > 1000 + 3 * sum(len(render(value)) for value in values)


def mention_score(
    text: Any, wants: Sequence[Want], rule: Mapping[str, Any], seen: Sequence[Any], exact: bool
) -> float:
    """carried / (listed + false). ``seen``: the prompt and the outputs so far."""
    try:
        text = kind_of("prose").read(text)
    except ArgumentError:
        return 0.0
    unrounded = bool(rule.get("unrounded"))
    needed = [max((w.stated, *w.fed), key=lambda value: len(render(value))) for w in wants]
    if is_too_long(text, needed):
        return 0.0
    carried = sum(
        any(carries(text, value, unrounded) for value, _ in want.options(exact)) for want in wants
    )
    listed = [
        v for want in wants for v in (*want.fed, want.stated) if not isinstance(v, Unresolved)
    ]
    # Both scorers: numbers in words are known from the prompt alone.
    known = known_numbers([*seen, *listed]) | small_number_words(str(seen[0]))
    rest = canonical.straight(text)
    for value in listed:
        if isinstance(value, str) and carries(text, value, unrounded):
            rest = re.sub(re.escape(canonical.straight(value)), " ", rest, flags=re.IGNORECASE)
    invented = {
        (n.sign, n.value)
        for n in numbers_shown(rest)
        if not any(n.shows(k) or (not exact and n.is_near(k)) for k in known)
    }
    if exact:
        # Both scorers: of small whole numbers at most three different ones, unsigned.
        small = {n for n in invented if not n[0] and n[1] <= 10 and n[1] == int(n[1])}
        false = len(invented - small) + max(0, len(small) - 3)
    else:
        false = max(0, len(invented) - 3)
    return carried / (len(wants) + false) if wants else 1.0
