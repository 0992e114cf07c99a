"""Rows of a Parquet file as those of JSON lines: values, or JSON text where a column holds text."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dataset_builder.errors import InputError
from evaluator.scale.storage import Place, open_place, read_range, told
from evaluator.traces.row_calls import READ_FROM
from evaluator.traces.row_reader import decoded
from evaluator.traces.trace import MAX_LINE_BYTES
from evaluator.traces.trace_fields import CHECKS

_OBJECTS = frozenset({*READ_FROM, "usage", "error", "asked", "response"})
"""What may stand in a column as JSON text."""
_TEXT_TOO = frozenset({"message", "response"})
"""What is often the text of a reply: where it is no JSON, it is what it says."""
_COLUMNS = ("task_id", *(name for name in CHECKS if name != "task_id"), *sorted(_OBJECTS))
_BATCH = 1_024


def row_group_sizes(file: Place) -> list[int]:
    """The bytes of each row group, unpacked; InputError where a column's type holds no JSON value."""
    with _opened(file) as parquet:
        for field in parquet.schema_arrow:
            if field.name in _COLUMNS and (problem := _problem(field.type)):
                raise InputError(f"{file}: column {field.name}: {problem}")
        about = parquet.metadata
        if not about.num_rows:
            raise InputError(f"{file}: expected a trace in each row, got an empty file")
        return [about.row_group(n).total_byte_size for n in range(about.num_row_groups)]


def row_count(file: Place, start: int, end: int) -> int:
    """How many rows are in some row groups."""
    with _opened(file) as parquet:
        return sum(parquet.metadata.row_group(number).num_rows for number in range(start, end))


def digest_of(file: Place, start: int, end: int) -> str:
    """The SHA-256 of the row groups' bytes and of what says how to read them."""
    digest = hashlib.sha256()
    with _opened(file) as parquet:
        about = parquet.metadata
        digest.update(str(parquet.schema_arrow).encode())
        for number in range(start, end):
            group = about.row_group(number)
            for n in range(group.num_columns):
                column = group.column(n)
                begin = min(column.dictionary_page_offset or 2**63, column.data_page_offset)
                digest.update(read_range(file, begin, begin + column.total_compressed_size))
    return digest.hexdigest()


def rows_of(file: Place, start: int, end: int) -> Iterator[tuple[int, Any]]:
    """Number (from 1) and row, or the ValueError that says why it cannot be read."""
    with _opened(file) as parquet:
        number = 0
        names = [name for name in parquet.schema_arrow.names if name in _COLUMNS]
        groups = list(range(start, end))
        for batch in parquet.iter_batches(_BATCH, groups, names, use_threads=False):
            for row in batch.to_pylist():
                number += 1
                yield number, _plain(row)


def _plain(row: dict[str, Any]) -> Any:
    """A row without its nulls, and with what is JSON text read."""
    try:
        return {name: _value(name, value) for name, value in row.items() if value is not None}
    except ValueError as error:
        return error


def _value(name: str, value: Any) -> Any:
    if name not in _OBJECTS or not isinstance(value, str):
        return value
    try:
        line = value.encode()
        return decoded(line if len(line) <= MAX_LINE_BYTES else None)
    except ValueError as error:
        if name in _TEXT_TOO:
            return value
        raise ValueError(f"{name}: {error}") from None


def _problem(type_: Any) -> str:
    """What is wrong with a column's type, or nothing."""
    import pyarrow.types as t

    for found in _types(type_):
        if t.is_struct(found) and "arguments" in found.names:
            arguments = found.field("arguments").type
            if t.is_struct(arguments):
                return (
                    "arguments: expected JSON text, got a struct, in which each call "
                    "would have the arguments of all"
                )
        known = (t.is_string, t.is_large_string, t.is_integer, t.is_floating, t.is_boolean)
        nested = (t.is_null, t.is_struct, t.is_list, t.is_large_list, t.is_dictionary)
        if not any(is_one(found) for is_one in (*known, *nested)):
            return f"expected text, numbers, lists or structs, got {found}"
    return ""


def _types(type_: Any) -> Iterator[Any]:
    """A type and all that it is made of."""
    import pyarrow.types as t

    yield type_
    if t.is_dictionary(type_) or t.is_list(type_) or t.is_large_list(type_):
        yield from _types(type_.value_type)
    elif t.is_struct(type_):
        for field in type_:
            yield from _types(field.type)


@contextmanager
def _opened(file: Place) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with told(file, "read"):
        try:
            with open_place(file) as stream:
                yield pq.ParquetFile(stream, pre_buffer=False)
        except (pa.ArrowException, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())[:200]
            raise InputError(f"{file}: no readable Parquet file ({said})") from None
