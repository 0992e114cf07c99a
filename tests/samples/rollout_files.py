"""Files of rollouts over the small suite, and what scoring them at scale leaves."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.bench.rollouts import rollouts
from tests.samples.small_suite import small_suite

SUITE = small_suite()


def rows_of(count: int, seed: int = 1, **more: Any) -> list[dict[str, Any]]:
    """So many different rows."""
    return [row | more for row in rollouts(SUITE, count, seed)]


def jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def scored_rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of all parts, in the order of the input."""
    summary = json.loads((folder / "summary.json").read_bytes())
    return [
        row for part in summary["parts"] for row in pq.read_table(folder / part["part"]).to_pylist()
    ]
