"""Reads trace files: JSONL, one row a line, with all problems of all files at once."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from dataset_builder.errors import why
from dataset_builder.read_files import open_plain
from dataset_builder.tasks.task import Suite
from evaluator.traces.row_reader import RowReader, decoded, lines_of
from evaluator.traces.suite_of import mixed
from evaluator.traces.trace import Trace, TraceProblems

MAX_PROBLEMS = 1_000
Paths = str | Path | Iterable[str | Path]
"""One path, or several."""


def read_traces(paths: Paths, suite: Suite | None = None) -> list[Trace]:
    """The traces of one file or several (or of run folders, which hold ``traces.jsonl``), in order.

    Raises TraceProblems with all problems of all files, each as ``file:line: what``. With a suite,
    rows for other tasks or of another suite are problems too. A last line that a run folder's run has
    not finished writing is left out.
    """
    reader = _Reader(suite)
    for path in as_paths(paths):
        file = trace_file(path)
        try:
            with open_plain(file) as stream:
                reader.read(str(file), stream, is_growing=is_run(path))
        except OSError as error:
            reader.problem(str(file), f"cannot be read ({why(error)})")
    return reader.result()


def read_trace_text(text: str, suite: Suite | None = None, name: str = "text") -> list[Trace]:
    """The traces of a pasted or uploaded text; problems stand under ``name``."""
    return read_trace_bytes(text.encode(errors="replace"), suite, name)


def read_trace_bytes(
    content: bytes, suite: Suite | None, name: str, is_growing: bool = False
) -> list[Trace]:
    """The traces of a file's bytes; ``is_growing``: its last line may be half-written."""
    reader = _Reader(suite)
    reader.read(name, BytesIO(content), is_growing)
    return reader.result()


def as_paths(paths: Paths) -> list[Path]:
    """One path or several, as a list."""
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def is_run(path: Path) -> bool:
    """Whether a path is the folder of a run."""
    return (path / "run.json").is_file()


def trace_file(path: Path) -> Path:
    """Where the traces of a file or a folder are."""
    return path / "traces.jsonl" if path.is_dir() else path


class _Reader:
    """Collects rows and problems over several files."""

    def __init__(self, suite: Suite | None) -> None:
        self._rows = RowReader(suite)
        self._traces: list[Trace] = []
        self._problems: list[str] = []
        self._seen: dict[tuple[str, str, int], str] = {}
        self._names: dict[str, str] = {}
        self._first = ""

    def problem(self, where: str, what: str) -> None:
        if len(self._problems) == MAX_PROBLEMS:
            self._problems.append(f"more than {MAX_PROBLEMS:,} problems: the rest was not read")
        elif len(self._problems) < MAX_PROBLEMS:
            self._problems.append(f"{where}: {what}")

    def result(self) -> list[Trace]:
        if len(self._rows.suites) > 1:
            raise TraceProblems([f"{self._first}: {mixed(self._rows.suites)}"])
        if self._problems:
            raise TraceProblems(self._problems)
        return self._traces

    def read(self, name: str, stream: BinaryIO, is_growing: bool = False) -> None:
        self._first = self._first or name
        is_empty = True
        for number, line in lines_of(stream):
            if len(self._problems) > MAX_PROBLEMS:
                return
            if line is not None and not line.strip():
                continue
            if is_growing and line is not None and _is_half_written(line):
                continue
            is_empty = False
            self._row(f"{name}:{number}", line)
        if is_empty and is_growing:
            self.problem(name, "holds no trace yet")
        elif is_empty:
            self.problem(name, "expected one trace a line, got an empty file")

    def _row(self, where: str, line: bytes | None) -> None:
        trace, problems = self._rows.line(line)
        for problem in problems:
            self.problem(where, problem)
        if trace is None:
            return
        known = self._names.setdefault(trace.model.casefold(), trace.model)
        if trace.model != known:
            self.problem(
                where, f"model: {trace.model!r} was {known!r} before; expected one spelling"
            )
        if trace.key in self._seen:
            answer = f"model {trace.model!r}, task {trace.task_id}, sample {trace.sample}"
            self.problem(where, f"{answer} stands at {self._seen[trace.key]} already")
        self._seen.setdefault(trace.key, where)
        if not self._problems:
            self._traces.append(trace)
        else:
            self._traces.clear()


def _is_half_written(line: bytes) -> bool:
    """Whether a line, the last of its file, is what a run that writes it or was killed has left."""
    if line.endswith(b"\n"):
        return False
    try:
        decoded(line)
    except ValueError:
        return True
    return False
