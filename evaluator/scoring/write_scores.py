"""Scores as files beside the traces: scores.json and scores.parquet."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dataset_builder.write_files import write_whole
from evaluator.scoring.verdict import ROW


def write_scores(folder: Path, scores: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Write ``scores.json`` (as given) and ``scores.parquet`` (a row per task and sample) to a folder.

    Each file is written whole and then renamed, so that nobody ever reads half of one. OSError where
    the folder cannot be written.
    """
    runs = [scores] if isinstance(scores, Mapping) else list(scores)
    text = json.dumps(scores, ensure_ascii=False, indent=1, allow_nan=False)
    write_whole(folder / "scores.json", text.encode() + b"\n")
    write_whole(folder / "scores.parquet", _parquet(runs))


def row_columns() -> list[tuple[str, Any]]:
    """Name and Arrow type of what stands in a table for each task and sample."""
    import pyarrow as pa

    types = {"task_id": pa.string(), "error": pa.string(), "strict": pa.bool_()}
    types |= {"sample": pa.int64(), "level": pa.int64()}
    return [(name, types.get(name, pa.float64())) for name in ROW]


def _parquet(runs: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [("model", pa.string()), ("signature", pa.string()), *row_columns()]
    rows = [
        {"model": run["model"], "signature": run["signature"], **row}
        for run in runs
        for row in run["tasks"]
    ]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(fields)), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content
