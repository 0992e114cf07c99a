"""The published dataset folder: Parquet files, card, Croissant metadata and the documents beside them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from croissant.description import Column, File, describe_file
from dataset_builder.card import documents
from dataset_builder.columns import CONFIGS, Config, rows
from dataset_builder.errors import InputError
from dataset_builder.metadata import croissant_json
from dataset_builder.task import Suite
from dataset_builder.tool import Tool

if TYPE_CHECKING:
    import pyarrow as pa

# The file by which a folder is known as one of ours, so that no other folder is ever replaced.
MARK = "croissant.json"


class FolderError(InputError):
    """The dataset folder cannot be written or read; the message says why."""


def data_path(config: str) -> str:
    """Where a config's rows stand in the folder."""
    return f"data/{config}.parquet"


def write_folder(suite: Suite, tools: Mapping[str, Tool], folder: Path) -> tuple[File, ...]:
    """Write the whole dataset folder, or nothing; an earlier build at that place is replaced.

    Returns the data files. Raises FolderError where something else stands there.
    """
    if folder.exists() and not _is_ours(folder):
        raise FolderError(f"{folder} exists and is no dataset folder of ours: choose another --out")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        new = Path(scratch) / "new"
        files = _fill(new, suite, tools)
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        new.rename(folder)
    return files


def _is_ours(folder: Path) -> bool:
    return folder.is_dir() and ((folder / MARK).is_file() or not any(folder.iterdir()))


def _fill(folder: Path, suite: Suite, tools: Mapping[str, Tool]) -> tuple[File, ...]:
    import pyarrow.parquet as pq

    (folder / "data").mkdir(parents=True)
    sizes = {}
    for config in CONFIGS:
        table = arrow_table(config, suite, tools)
        sizes[config.name] = (table.num_rows, table.nbytes)
        pq.write_table(table, folder / data_path(config.name), compression="zstd")
    files = tuple(describe_file(folder, data_path(config.name)) for config in CONFIGS)
    for name, text in documents(suite, tools, sizes, files).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / MARK).write_text(croissant_json(suite, files), encoding="utf-8", newline="\n")
    return files


def arrow_table(config: Config, suite: Suite, tools: Mapping[str, Tool]) -> "pa.Table":
    """A config's rows as an Arrow table with the types of the column table."""
    import pyarrow as pa

    schema = pa.schema([pa.field(column.name, _arrow_type(column)) for column in config.columns])
    return pa.Table.from_pylist(list(rows(config.name, suite, tools)), schema=schema)


def _arrow_type(column: Column) -> "pa.DataType":
    import pyarrow as pa

    plain = {
        "string": pa.string(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    return pa.list_(plain[column.type]) if column.repeated else plain[column.type]
