"""One row of a trace file, read and compared with the suite that it is of."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from dataset_builder.tasks.task import Level, Suite
from evaluator.traces.signature import suite_label
from evaluator.traces.strict_json import parse_json
from evaluator.traces.suite_of import level_apart, suite_of
from evaluator.traces.trace import MAX_LINE_BYTES, Trace, TraceProblems

ReadRow = tuple[Trace | None, list[str]]
"""The trace of a row, None where it cannot be read, and what is wrong with it, a sentence each."""


class RowReader:
    """Reads rows; with a suite, what answers no task of it or is of another is a problem."""

    def __init__(self, suite: Suite | None) -> None:
        self._suite = suite
        self.suites: dict[Level | None, Suite] = {}
        """The suites of the rows so far, by the level of those that stand apart."""

    def line(self, line: bytes | None) -> ReadRow:
        """Read a line; None is one that is too long to hold."""
        try:
            return self.row(decoded(line))
        except ValueError as error:
            return None, [str(error)]

    def row(self, row: Any) -> ReadRow:
        """Read a JSON value."""
        try:
            trace = Trace.from_row(row)
        except TraceProblems as error:
            return None, error.problems
        return trace, list(self._mismatches(trace))

    def suite_of(self, task_id: str, suite: Suite) -> Suite:
        """The suite that a task is of: the given one, or one that stands apart."""
        level = level_apart(task_id)
        if level not in self.suites:
            self.suites[level] = suite_of([task_id], suite, task_id)
        return self.suites[level]

    def _mismatches(self, trace: Trace) -> Iterator[str]:
        if self._suite is None:
            return
        suite = self.suite_of(trace.task_id, self._suite)
        label = suite_label(suite)
        if trace.suite not in (None, label, suite.version, suite.name):
            yield f"suite: expected {label}, got {trace.suite}"
        if trace.task_id not in suite.by_id:
            yield f"task_id: suite {label} has no task {trace.task_id!r}"


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Line number and line; None in place of a line that is too long to hold."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) <= MAX_LINE_BYTES:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)
        yield number, None


def decoded(line: bytes | None) -> Any:
    """The JSON value of a line; ValueError that says what is wrong with it."""
    if line is None:
        raise ValueError(f"is longer than {MAX_LINE_BYTES // 2**20} MB")
    if b"\0" in line:
        raise ValueError("holds a NUL byte; expected UTF-8 text")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is no UTF-8 text (byte {error.start + 1})") from None
    return parse_json(text.strip())
