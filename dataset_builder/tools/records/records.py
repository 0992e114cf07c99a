"""Records: the JSON objects of a table, their fields, and the order and text of their values."""

import json
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from dataset_builder.tools.tool import ToolError
from dataset_builder.values.canonical import canonical_json, fold
from dataset_builder.values.json_values import json_or_text
from dataset_builder.values.rounding import significant

Record = dict[str, Any]

MAX_CELLS = 50_000
MAX_MAGNITUDE = 1e100


def check_size(records: Sequence[Record]) -> None:
    """Refuse a table with more cells than a tool works on."""
    if sum(map(len, records)) > MAX_CELLS:
        raise ToolError(f"the records hold more than {MAX_CELLS:,} values")


def field_of(records: Sequence[Record], name: str) -> str:
    """The field of that name, in the records' own spelling; ToolError where no record has it."""
    check_size(records)
    known = fields(records)
    if name in known:
        return name
    alike = [field for field in known if fold(field) == fold(name)]
    if len(alike) != 1:
        raise ToolError(f"no record has a field {name[:40]!r}")
    return alike[0]


def fields(records: Sequence[Record]) -> list[str]:
    """The names of all fields, in order of first appearance."""
    return list(dict.fromkeys(field for record in records for field in record))


def columns_of(records: Sequence[Record]) -> dict[str, list[Any]]:
    """The values of each field that has any; null is no value."""
    columns: dict[str, list[Any]] = {}
    for record in records:
        for name, value in record.items():
            if value is not None:
                columns.setdefault(name, []).append(value)
    return columns


def statistics_of(values: Sequence[Any]) -> dict[str, float]:
    """Count, mean, median, minimum and maximum of one or more numbers, to ten digits."""
    numbers = list(map(number, values))
    return {
        "count": len(numbers),
        "mean": significant(math.fsum(numbers) / len(numbers)),
        "median": significant(statistics.median(numbers)),
        "min": min(numbers),
        "max": max(numbers),
    }


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_number(value: Any) -> int | float | None:
    """A number, or the number that a text writes; None for anything else."""
    read = json_or_text(value) if isinstance(value, str) and len(value) < 40 else value
    return read if is_number(read) else None


def number(value: Any) -> int | float:
    """A JSON number that sums and squares cannot lift out of range; ToolError otherwise."""
    if not is_number(value):
        raise ToolError(f"{text(value)[:40]!r} is not a number")
    if abs(value) > MAX_MAGNITUDE:
        raise ToolError(f"numbers beyond {MAX_MAGNITUDE:g} are out of range")
    checked: int | float = value
    return checked


def text(value: Any) -> str:
    """A JSON value as text: text as it is, decimals with 12 digits, the rest as compact JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.12g}"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def sort_key(value: Any) -> tuple[int, Any, str]:
    """Numbers before text before all else; text without regard to case."""
    if is_number(value):
        return 0, value, ""
    if isinstance(value, str):
        return 1, fold(value), value
    return 2, canonical_json(value), ""


def same_key(value: Any) -> str:
    """One text for values that count as the same key: 7 and 7.0, Oslo and oslo."""
    if is_number(value):
        return f"n{float(value)!r}"
    return f"t{fold(value)}" if isinstance(value, str) else f"j{canonical_json(value)}"


def join(left: Sequence[Record], right: Sequence[Record], key: str) -> tuple[list[Record], int]:
    """The inner join on a field, in the order of ``left``, and how many records had no partner.

    A field of ``right`` whose name is taken is called ``<name>_right``. ToolError where no record
    of one side has the field, or the result would be too large.
    """
    left_key, right_key = field_of(left, key), field_of(right, key)
    partners: dict[str, list[Record]] = defaultdict(list)
    for record in right:
        if record.get(right_key) is not None:
            partners[same_key(record[right_key])].append(record)
    joined: list[Record] = []
    matched: set[str] = set()
    unmatched = cells = 0
    for record in left:
        value = record.get(left_key)
        same = "" if value is None else same_key(value)
        matches = partners.get(same, [])
        matched |= {same} if matches else set()
        unmatched += not matches
        cells += sum(len(record) + len(partner) for partner in matches)
        if cells > MAX_CELLS:
            raise ToolError(f"the joined records would hold more than {MAX_CELLS:,} values")
        joined += [_side_by_side(record, partner, right_key) for partner in matches]
    return joined, unmatched + len(right) - sum(len(partners[same]) for same in matched)


def _side_by_side(left: Record, right: Record, key: str) -> Record:
    joined = dict(left)
    for name, value in right.items():
        if name != key:
            free = f"{name}_right" if name in left else name
            if free in joined:
                raise ToolError(f"two fields of the joined records would be called {free[:40]!r}")
            joined[free] = value
    return joined
