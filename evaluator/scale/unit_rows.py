"""What a unit holds: its digest, and its rows one after the other."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO

from evaluator.scale import parquet_rows
from evaluator.scale.storage import open_place, read_range, told, unpacked
from evaluator.scale.units import LINES, ROW_GROUPS, Unit
from evaluator.traces.row_reader import ReadRow, RowReader, lines_of
from evaluator.traces.trace import MAX_LINE_BYTES

_BLOCK = 2**20
NumberedRow = tuple[int, ReadRow]
"""The number of a row's line in its unit, from 1, and the row."""


def digest_of(unit: Unit) -> str:
    """The SHA-256 of a unit's bytes; InputError where they cannot be read."""
    if unit.kind == LINES:
        return hashlib.sha256(_bytes_of(unit)).hexdigest()
    if unit.kind == ROW_GROUPS:
        return parquet_rows.digest_of(unit.file, unit.start, unit.end)
    digest = hashlib.sha256()
    with told(unit.file, "read"), open_place(unit.file) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def rows_of(unit: Unit, reader: RowReader) -> Iterator[NumberedRow]:
    """The rows of a unit, blank lines left out; InputError where they cannot be read."""
    if unit.kind == ROW_GROUPS:
        for number, row in parquet_rows.rows_of(unit.file, unit.start, unit.end):
            wrong = isinstance(row, ValueError)
            yield number, (None, [str(row)]) if wrong else reader.row(row)
        return
    lines = lines_of(BytesIO(_bytes_of(unit))) if unit.kind == LINES else _unpacked(unit)
    for number, line in lines:
        if line is None or line.strip():
            yield number, reader.line(line)


def lines_in(unit: Unit) -> int:
    """How many lines, or rows of Parquet, come before the next unit of the file; 0 where there is none."""
    if unit.kind == LINES:
        content = _bytes_of(unit)
        return content.count(b"\n") + bool(content and not content.endswith(b"\n"))
    if unit.kind == ROW_GROUPS:
        return parquet_rows.row_count(unit.file, unit.start, unit.end)
    return 0


# A worker takes first the digest and then the rows of the same bytes.
@lru_cache(maxsize=1)
def _bytes_of(unit: Unit) -> bytes:
    """The lines that begin in a unit, the last one up to its end or until it is too long to hold."""
    with told(unit.file, "read"):
        # A line begins where the byte before it ends one.
        before = max(0, unit.start - 1)
        content = read_range(unit.file, before, unit.end)
        if unit.start:
            _, found, content = content.partition(b"\n")
            if not found or not content:
                return b""
        at, longest = unit.end, unit.end + MAX_LINE_BYTES + 1
        parts = [content]
        while at < longest and not parts[-1].endswith(b"\n"):
            block = read_range(unit.file, at, at + 2**16)
            head, found, _ = block.partition(b"\n")
            if not block:
                break
            parts.append(head + found)
            at += len(block)
        return b"".join(parts)


def _unpacked(unit: Unit) -> Iterator[tuple[int, bytes | None]]:
    with told(unit.file, "unpacked"), unpacked(unit.file) as stream:
        yield from lines_of(stream)
