"""The published dataset folder: Parquet files, card, Croissant metadata and the documents beside them."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from croissant.description import Column, File, describe_file
from dataset_builder.errors import InputError
from dataset_builder.published.card import documents
from dataset_builder.published.columns import (
    CONFIGS,
    HORIZON,
    JSONL_CONFIGS,
    Config,
    jsonl_path,
    parquet_path,
    rows,
)
from dataset_builder.published.croissant_metadata import REPO, croissant_json
from dataset_builder.tasks.task import Suite
from dataset_builder.tools.tool import Tool
from dataset_builder.values.canonical import canonical_json
from dataset_builder.write_files import scratch_beside

if TYPE_CHECKING:
    import pyarrow as pa

# The file by which a folder is known as one of ours, so that no other folder is ever replaced.
MARK = "croissant.json"
JSON_LINES = "application/jsonlines"
# As many rows are in memory at once: more than a suite of the published size has.
ROWS_A_GROUP = 500


class FolderError(InputError):
    """The dataset folder cannot be written or read; the message says why."""


def write_folder(
    suite: Suite,
    tools: Mapping[str, Tool],
    folder: Path,
    repo: str = REPO,
    horizon: Suite | None = None,
) -> tuple[File, ...]:
    """Write the whole dataset folder, or nothing; an earlier build at that place is replaced.

    A config without rows (a suite may lack a level, and there may be no ``horizon``) is left out; the
    requests that no tool serves are in every folder.
    ``repo`` is where on the Hub the dataset is at home: its documents link to it. Returns the data
    files. Raises FolderError where something else stands there, or somebody's own files stand in the
    earlier build.
    """
    if folder.exists() and not _is_ours(folder):
        raise FolderError(f"{folder} exists and is no dataset folder of ours: choose another --out")
    with scratch_beside(folder) as scratch:
        new = scratch / "new"
        files = _fill(new, suite, tools, repo, horizon)
        if folder.exists():
            _check_holds_nothing_else(folder, new)
            folder.rename(scratch / "old")
        new.rename(folder)
    return files


def _is_ours(folder: Path) -> bool:
    return folder.is_dir() and ((folder / MARK).is_file() or not any(folder.iterdir()))


def _check_holds_nothing_else(folder: Path, new: Path) -> None:
    written = {
        *_paths(new),
        *(Path(parquet_path(config.name)) for config in CONFIGS),
        *(Path(jsonl_path(name)) for name in JSONL_CONFIGS),
    }
    if others := sorted(_paths(folder) - written):
        raise FolderError(
            f"{folder} holds {others[0]}, which a new build would delete: move it, or choose "
            "another --out"
        )


def _paths(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir()}


def _fill(
    folder: Path, suite: Suite, tools: Mapping[str, Tool], repo: str, horizon: Suite | None
) -> tuple[File, ...]:
    (folder / "data").mkdir(parents=True)
    (folder / "jsonl").mkdir()
    suites = {config.name: suite for config in CONFIGS}
    if horizon is not None:
        suites[HORIZON] = horizon
    written = {
        config.name: _write_parquet(config, suites[config.name], tools, folder)
        for config in CONFIGS
    }
    sizes = {name: size for name, size in written.items() if size is not None}
    plain = [name for name in JSONL_CONFIGS if name in sizes or name != HORIZON]
    for name in plain:
        with (folder / jsonl_path(name)).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_lines(name, suites[name], tools))
    files = (
        *(describe_file(folder, parquet_path(name)) for name in sizes),
        *(describe_file(folder, jsonl_path(name), JSON_LINES) for name in plain),
    )
    for name, text in documents(suite, tools, sizes, files, repo, horizon).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / MARK).write_text(croissant_json(suite, files, repo), encoding="utf-8", newline="\n")
    return files


def _lines(config: str, suite: Suite, tools: Mapping[str, Tool]) -> Iterator[str]:
    # Those of a whole suite are the very bytes that its digest is taken of.
    return (f"{canonical_json(row)}\n" for row in rows(config, suite, tools))


def _write_parquet(
    config: Config, suite: Suite, tools: Mapping[str, Tool], folder: Path
) -> tuple[int, int] | None:
    """How many rows a config has and their bytes in memory; None, and no file, where it has none."""
    import pyarrow.parquet as pq

    count = size = 0
    with ExitStack() as opened:
        writer = None
        for table in arrow_tables(config, suite, tools):
            if writer is None:
                path = folder / parquet_path(config.name)
                parquet = pq.ParquetWriter(path, table.schema, compression="zstd")
                writer = opened.enter_context(parquet)
            writer.write_table(table)
            count, size = count + table.num_rows, size + table.nbytes
    return (count, size) if count else None


def arrow_tables(config: Config, suite: Suite, tools: Mapping[str, Tool]) -> Iterator["pa.Table"]:
    """A config's rows as Arrow tables with the types of the column table, one for each row group."""
    import pyarrow as pa
    from pyarrow.json import ParseOptions, ReadOptions, read_json

    schema = pa.schema([pa.field(column.name, _arrow_type(column)) for column in config.columns])
    pending = (line.encode() for line in _lines(config.name, suite, tools))
    while group := b"".join(islice(pending, ROWS_A_GROUP)):
        # Read from JSON, since for Python objects Arrow loads pandas: half the time, 50 MB.
        yield read_json(
            pa.BufferReader(group),
            ReadOptions(use_threads=False, block_size=len(group)),
            ParseOptions(explicit_schema=schema),
        )


def _arrow_type(column: Column) -> "pa.DataType":
    import pyarrow as pa

    plain = {
        "string": pa.string(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    return pa.list_(plain[column.type]) if column.repeated else plain[column.type]
