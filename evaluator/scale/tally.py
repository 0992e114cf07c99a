"""What parts add up to. Sums are exact fractions, so neither order nor grouping changes a bit."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from evaluator.scoring.error_classes import ERROR_CLASSES, INFRASTRUCTURE

METRICS = ("score", "step", "strict")
_SPENT = ("output_tokens", "cost_usd")
KEY_BYTES = 16
Asked = tuple[str | None, str | None]
"""A row's protocol, and what it says under ``asked`` as JSON text; None where it does not say."""


@dataclass(slots=True)
class Group:
    """Rows of one model and level, counted and summed."""

    rows: int = 0
    sums: dict[str, Fraction | None] = field(
        default_factory=lambda: dict.fromkeys(METRICS, Fraction())
    )
    """None where a row has no value: calls that cannot be replayed have no step and strict score."""
    spent: dict[str, Fraction] = field(default_factory=dict)
    """Tokens and dollars of the rows that say them."""
    errors: Counter[str] = field(default_factory=Counter)
    """By class, infrastructure failures among them."""
    tasks: set[str] = field(default_factory=set)
    samples: set[int] = field(default_factory=set)
    asked: set[Asked] = field(default_factory=set)

    def add(self, other: "Group") -> None:
        """Count another group's rows as well."""
        self.rows += other.rows
        for name, value in other.sums.items():
            mine = self.sums[name]
            self.sums[name] = None if mine is None or value is None else mine + value
        for name, spent in other.spent.items():
            self.spent[name] = self.spent.get(name, Fraction()) + spent
        self.errors.update(other.errors)
        self.tasks |= other.tasks
        self.samples |= other.samples
        self.asked |= other.asked

    def to_json(self) -> dict[str, Any]:
        """Counts and means, as the summary holds them."""
        means = {name: _rounded(total, self.rows) for name, total in self.sums.items()}
        tokens, cost = (self.spent.get(name) for name in _SPENT)
        return {
            "rows": self.rows,
            "tasks": len(self.tasks),
            "samples": len(self.samples),
            **means,
            "infrastructure": self.errors[INFRASTRUCTURE],
            "errors": {name: self.errors[name] for name in ERROR_CLASSES},
            "output_tokens": None if tokens is None else int(tokens),
            "cost_usd": _rounded(cost, 1),
        }


def _rounded(total: Fraction | None, rows: int) -> float | None:
    return None if total is None else float(total / rows)


@dataclass(slots=True)
class Tally:
    """What the rows of one unit, or of many, add up to."""

    groups: dict[tuple[str, int], Group] = field(default_factory=dict)
    """By model and level."""
    first: dict[str, int] = field(default_factory=dict)
    """The line of each model's first row."""
    keys: bytes = b""
    """Of each row model, task and sample, hashed to 128 bits."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.keys) // KEY_BYTES


def tally_of(batches: Iterable[Mapping[str, Sequence[Any]]]) -> Tally:
    """The tally of a part's columns (`rows_of_part`)."""
    tally = Tally()
    keys: list[bytes] = []
    for columns in batches:
        keys += _keys(columns)
        for model, line in zip(columns["model"], columns["line"], strict=True):
            tally.first.setdefault(model, line)
        for key, group in _grouped(columns):
            tally.groups.setdefault(key, Group()).add(group)
    tally.keys = b"".join(keys)
    return tally


def _keys(columns: Mapping[str, Sequence[Any]]) -> Iterator[bytes]:
    for key in zip(columns["model"], columns["task_id"], columns["sample"], strict=True):
        yield hashlib.blake2b("\0".join(map(str, key)).encode(), digest_size=KEY_BYTES).digest()


def _grouped(
    columns: Mapping[str, Sequence[Any]],
) -> Iterator[tuple[tuple[str, int], Group]]:
    places: dict[tuple[str, int], list[int]] = {}
    for place, key in enumerate(zip(columns["model"], columns["level"], strict=True)):
        places.setdefault(key, []).append(place)
    for key, own in places.items():
        yield key, _group({name: [column[n] for n in own] for name, column in columns.items()})


def _group(columns: Mapping[str, Sequence[Any]]) -> Group:
    spent = {name: [v for v in columns[name] if v is not None] for name in _SPENT}
    return Group(
        rows=len(columns["model"]),
        sums={name: None if None in columns[name] else _sum(columns[name]) for name in METRICS},
        spent={name: _sum(values) for name, values in spent.items() if values},
        errors=Counter(error for error in columns["error"] if error is not None),
        tasks=set(columns["task_id"]),
        samples=set(columns["sample"]),
        asked=set(zip(columns["protocol"], columns["asked"], strict=True)),
    )


def _sum(values: Iterable[float]) -> Fraction:
    """The exact sum; of few distinct values, since adding fractions is slow."""
    return sum((Fraction(value) * n for value, n in Counter(values).items()), Fraction())
