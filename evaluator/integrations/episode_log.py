"""A trace file whose rows grow call by call, while several processes write into it.

The file is replaced whole, so a reader or a kill meets each row as it was before a call or after it.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.read_files import read_plain
from dataset_builder.write_files import write_whole
from evaluator.traces.trace import Trace
from evaluator.traces.trace_log import trace_line


class EpisodeLog:
    """Rows of episodes under way and over; a task and sample is answered once."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; OSError where that cannot be."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.resolve()
        with _locked(self._file):
            read_plain(self._file)

    def put(self, trace: Trace, old: bytes | None) -> bytes:
        """Write the row of an episode in place of ``old``, the line that stood for it, and give its line.

        An episode that has no line yet takes the place of one without calls, which nobody answered.
        InputError where another episode has made calls for the same task and sample; OSError.
        """
        line = trace_line(trace)
        with _locked(self._file):
            lines = [each + b"\n" for each in read_plain(self._file).split(b"\n") if each.strip()]
            place = lines.index(old) if old in lines else self._place(lines, trace)
            lines[place : place + 1] = [line]
            write_whole(self._file, b"".join(lines))
        return line

    def _place(self, lines: Sequence[bytes], trace: Trace) -> int:
        """Where the row of a new episode belongs."""
        for number, line in enumerate(lines):
            row = _read(line)
            if (row.get("model", ""), row.get("task_id"), row.get("sample", 0)) != trace.key:
                continue
            if row.get("calls"):
                raise InputError(
                    f"{self.path}: task {trace.task_id}, sample {trace.sample} of model "
                    f"{trace.model!r} is answered already, in another session: take another sample "
                    "number or another file"
                )
            return number
        return len(lines)


def _read(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Keeps other processes from writing to a file; it is made where there is none."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock: there one process at a time.
        file.touch()
        yield
        return
    while True:
        # Nonblocking: a pipe would wait for its other end.
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # Whoever had the lock before has put another file in its place.
            if not file.exists() or not os.path.samestat(os.fstat(descriptor), file.stat()):
                continue
            yield
            return
        finally:
            os.close(descriptor)
