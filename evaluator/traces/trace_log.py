"""A trace file that grows row by row, and what a kill may leave at its end."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from evaluator.traces.strict_json import MAX_DEPTH, is_deeper
from evaluator.traces.trace import MAX_CALLS, MAX_LINE_BYTES, Trace, parse_arguments


class TraceLog:
    """A trace file that grows by whole rows; each is on its way to the disk before `append` returns.

    What a kill left half-written at its end is cut off when it is opened.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file; OSError where that cannot be."""
        recover(path)
        self._file = path.open("ab", buffering=0)

    def append(self, trace: Trace) -> None:
        """Write one row, without what a reader would refuse."""
        line = trace_line(trace)
        written = 0
        while written < len(line):
            written += self._file.write(line[written:]) or 0

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> "TraceLog":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


def trace_line(trace: Trace) -> bytes:
    """The row as a line that a reader takes.

    A model that repeats itself without end can exceed the limits of a file: then calls beyond the
    first two thousand, more than any task expects, or the raw response are left out.
    """
    row = trace.to_row()
    row["calls"] = [_storable(call) for call in row["calls"][:MAX_CALLS]]
    if len(trace.calls) > MAX_CALLS:
        row["calls_left_out"] = len(trace.calls) - MAX_CALLS
    line = b"" if is_deeper(row, MAX_DEPTH) else _encoded(row)
    if not 0 < len(line) <= MAX_LINE_BYTES:
        line = _encoded(row | {"response": "left out: no JSON that a trace file can hold"})
    if not line:
        raise ValueError(f"{trace.task_id}: the trace holds a number that JSON has no form for")
    return line


def _storable(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """The call, its arguments as text where no reader would take them as an object."""
    if isinstance(call["arguments"], dict):
        text = json.dumps(call["arguments"])
        if isinstance(parse_arguments(text), str):
            return {**call, "arguments": text}
    return call


def _encoded(row: Mapping[str, Any]) -> bytes:
    """The row as a line; nothing where it holds a number that JSON has no form for."""
    try:
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return b""
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def recover(path: Path) -> int:
    """Cut off a last line that does not end, or is no JSON; the number of bytes that were cut."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        keep = _start_of_last_line(file, size)
        file.seek(keep)
        last = file.read(MAX_LINE_BYTES + 1)
        if _is_whole(last):
            return 0
        file.truncate(keep)
        return size - keep


def _start_of_last_line(file: BinaryIO, size: int) -> int:
    """Where the last line begins, reading backwards block by block."""
    block, end = 2**16, max(0, size - 1)
    while end > 0:
        start = max(0, end - block)
        file.seek(start)
        line_end = file.read(end - start).rfind(b"\n")
        if line_end >= 0:
            return start + line_end + 1
        end = start
    return 0


def _is_whole(line: bytes) -> bool:
    if not line:
        return True
    if not line.endswith(b"\n"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
