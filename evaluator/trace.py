"""Traces: what one model did on one task. Read from JSONL with all problems at once, appended row by row.

    {"task_id": "L0_node_0001", "model": "openai/gpt-4o", "calls": [{"name": "f", "arguments": {}}]}

A row that is wrong is a problem of the file; a call whose arguments are no JSON object is the
model's own (E10) and is kept as it was written.
"""

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from evaluator.protocol import PROTOCOLS, catalogue_size
from evaluator.signature import suite_label

MAX_LINE_BYTES = 4 * 2**20
MAX_DEPTH = 32
MAX_CALLS = 1_000
MAX_PROBLEMS = 1_000
# An arguments string stands three levels deep in a row once it is read.
_ARGUMENTS_DEPTH = MAX_DEPTH - 3
_MAX_LABEL = 200
_CODE_UNITS_ALONE = range(0xD800, 0xE000)

# Kinds of error that are the model's own: its row is scored as it stands (contracts, section 6).
MODEL_ERRORS = frozenset({"timeout", "malformed_call", "context_overflow", "content_filter"})


class TraceProblems(InputError):
    """Everything that is wrong with some rows, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = list(problems)


@dataclass(frozen=True, slots=True)
class Call:
    """One call that a model made.

    ``arguments`` is the text that the model wrote (or None) where that is no JSON object. ``turn``
    is the 0-based number of the response that held the call, where it is known.
    """

    name: str
    arguments: Any
    turn: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_malformed(self) -> bool:
        """Whether the arguments are no JSON object."""
        return not isinstance(self.arguments, dict)

    def to_row(self) -> dict[str, Any]:
        """The call as a row holds it."""
        turn = {} if self.turn is None else {"turn": self.turn}
        return {"name": self.name, "arguments": self.arguments, **turn, **self.extra}


@dataclass(frozen=True, slots=True)
class Trace:
    """A model's calls on one task, with usage and outcome (contracts, section 7)."""

    task_id: str
    calls: tuple[Call, ...] = ()
    model: str = ""
    sample: int = 0
    protocol: str | None = None
    catalogue: str | None = None
    suite: str | None = None
    provider: str | None = None
    response: Any = None
    usage: Mapping[str, Any] | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None
    error: Mapping[str, Any] | None = None
    started_at: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int]:
        """What no two rows may share."""
        return self.model, self.task_id, self.sample

    @property
    def is_infrastructure_failure(self) -> bool:
        """Whether the row tells of a failure that is not the model's."""
        return self.error is not None and self.error.get("kind") not in MODEL_ERRORS

    def to_row(self) -> dict[str, Any]:
        """The row of a trace file, without what is not known; `from_row` reads it back."""
        row: dict[str, Any] = {"task_id": self.task_id}
        if self.model:
            row["model"] = self.model
        row["sample"] = self.sample
        row["calls"] = [call.to_row() for call in self.calls]
        for name in (*_LABELS, "response", "usage", "latency_ms", "cost_usd", "error"):
            if name != "model" and getattr(self, name) is not None:
                row[name] = getattr(self, name)
        return row | dict(self.extra)

    @classmethod
    def from_row(cls, row: Any) -> "Trace":
        """Read a row; TraceProblems with everything that is wrong with it."""
        if not isinstance(row, dict):
            raise TraceProblems([f"expected a JSON object, got {_kind(row)}"])
        problems = [
            f"{name}: {said}"
            for name, check in _CHECKS.items()
            if row.get(name) is not None and (said := check(row[name]))
        ]
        if row.get("task_id") is None:
            problems.append("task_id: expected the id of a task, got nothing")
        calls = _read_calls(row, problems)
        if problems:
            raise TraceProblems(problems)
        known: dict[str, Any] = {n: row[n] for n in _CHECKS if row.get(n) is not None}
        if "catalogue" in known:
            known["catalogue"] = str(known["catalogue"])
        known["response"] = row.get("response")
        rest = {k: v for k, v in row.items() if k not in _CHECKS and k not in ("calls", "response")}
        return cls(**known, calls=tuple(calls), extra=rest)


# What a value must be -------------------------------------------------------------------------


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    names = ((str, "text"), (list, "a list"), (dict, "an object"))
    return next((name for kind, name in names if isinstance(value, kind)), "a number")


def _label(value: Any) -> str:
    """What is wrong with a short text that is shown to people, or nothing."""
    if not isinstance(value, str):
        return f"expected text, got {_kind(value)}"
    if not value or len(value) > _MAX_LABEL or not value.isprintable():
        return f"expected 1 to {_MAX_LABEL} printable characters"
    return ""


def _protocol(value: Any) -> str:
    return "" if value in PROTOCOLS else f"expected {' or '.join(PROTOCOLS)}, got {_short(value)}"


def _catalogue(value: Any) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    try:
        if isinstance(text, str):
            catalogue_size(text)
            return ""
    except ValueError:
        pass
    return f"expected full, task or a number of tools, got {_short(value)}"


def _whole(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        return f"expected a whole number from 0, got {_short(value)}"
    return ""


def _amount(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return f"expected a number from 0, got {_short(value)}"
    return ""


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else f"expected an object, got {_kind(value)}"


def _failure(value: Any) -> str:
    if isinstance(value, dict) and isinstance(value.get("kind"), str):
        return ""
    return 'expected an object such as {"kind": "rate_limit", "message": "…"}'


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


_LABELS = ("model", "protocol", "catalogue", "suite", "provider", "started_at")
_CHECKS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("task_id", *_LABELS), _label),
    "protocol": _protocol,
    "catalogue": _catalogue,
    "sample": _whole,
    "usage": _object,
    "latency_ms": _amount,
    "cost_usd": _amount,
    "error": _failure,
}


# Calls ----------------------------------------------------------------------------------------


def _read_calls(row: Mapping[str, Any], problems: list[str]) -> list[Call]:
    """The calls of a row, from ``calls`` or else from ``messages``."""
    if "calls" not in row and "messages" in row:
        where, entries = "messages", _from_messages(row["messages"], problems)
    else:
        where, entries = "calls", row.get("calls")
    if not isinstance(entries, list):
        problems.append(f"{where}: expected a list of calls, got {_kind(entries)}")
        return []
    if len(entries) > MAX_CALLS:
        problems.append(f"{where}: expected at most {MAX_CALLS:,} calls, got {len(entries):,}")
        return []
    calls = []
    for position, entry in enumerate(entries):
        said = _call_problem(entry)
        if said:
            problems.append(f"{where}[{position}]{said}")
        else:
            calls.append(_read_call(entry))
    return calls


def _call_problem(entry: Any) -> str:
    if not isinstance(entry, dict):
        return f": expected an object with name and arguments, got {_kind(entry)}"
    if not isinstance(entry.get("name"), str):
        return f".name: expected text, got {_kind(entry.get('name'))}"
    if "arguments" not in entry:
        return ".arguments: expected an object, got nothing"
    arguments = entry["arguments"]
    if arguments is not None and not isinstance(arguments, dict | str):
        return f".arguments: expected an object or its JSON text, got {_kind(arguments)}"
    turn = entry.get("turn")
    return f".turn: {said}" if turn is not None and (said := _whole(turn)) else ""


def _read_call(entry: Mapping[str, Any]) -> Call:
    rest = {k: v for k, v in entry.items() if k not in ("name", "arguments", "turn")}
    return Call(entry["name"], parse_arguments(entry["arguments"]), entry.get("turn"), rest)


def parse_arguments(arguments: Any) -> Any:
    """The arguments of a call as an object; the text itself where it is no JSON object.

    An empty text is what some providers send for a call without arguments.
    """
    if not isinstance(arguments, str):
        return arguments
    if not arguments.strip():
        return {}
    try:
        value = parse_json(arguments, _ARGUMENTS_DEPTH)
    except ValueError:
        return arguments
    return value if isinstance(value, dict) else arguments


def _from_messages(messages: Any, problems: list[str]) -> Any:
    """Calls (as rows hold them) of the assistant's messages in OpenAI chat form, with their turn."""
    if not isinstance(messages, list):
        return messages
    calls: list[Any] = []
    turn = 0
    for position, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            problems.append(f"messages[{position}]: expected an object with a role")
            continue
        if message["role"] != "assistant":
            continue
        legacy = message.get("function_call")
        found = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
        if not isinstance(found, list):
            problems.append(f"messages[{position}].tool_calls: expected a list, got {_kind(found)}")
            continue
        for number, call in enumerate(found):
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                known = {k: function[k] for k in ("name", "arguments") if k in function}
                calls.append(known | {"turn": turn})
            else:
                where = f"messages[{position}].tool_calls[{number}]"
                problems.append(f'{where}: expected {{"function": {{"name", "arguments"}}}}')
        turn += 1
    return calls


# JSON -----------------------------------------------------------------------------------------


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is out of range")
    return value


def _integer(text: str) -> int:
    if len(text) > 300:
        raise ValueError(f"the number {text[:20]}... is out of range")
    return int(text)


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON value")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_int=_integer, parse_constant=_no_constant)


def parse_json(text: str, depth: int = MAX_DEPTH) -> Any:
    """The value of a JSON text; ValueError that says what is wrong with it.

    Refuses NaN, infinite numbers and more than ``depth`` levels. Half of a surrogate pair, which no
    file can carry, becomes U+FFFD.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({error.msg.lower()} at character {error.pos + 1})") from None
    except RecursionError:
        raise ValueError(f"is nested beyond {depth} levels") from None
    if _is_deeper(value, depth):
        raise ValueError(f"is nested beyond {depth} levels")
    return _mended(value) if "\\u" in text else value


def _is_deeper(value: Any, depth: int) -> bool:
    level = [value]
    while level:
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        depth -= 1
        if level and depth <= 0:
            return True
    return False


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        if value.isascii() or not any(ord(character) in _CODE_UNITS_ALONE for character in value):
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return [_mended(item) for item in value] if isinstance(value, list) else value


# Files ----------------------------------------------------------------------------------------


def read_traces(paths: Iterable[str | Path], suite: Suite | None = None) -> list[Trace]:
    """The traces of some files (or of run folders, which hold ``traces.jsonl``), in order.

    Raises TraceProblems with all problems of all files, each as ``file:line: what``. With a suite,
    rows for other tasks or of another suite are problems too.
    """
    reader = _Reader(suite)
    for path in paths:
        file = Path(path) / "traces.jsonl" if Path(path).is_dir() else Path(path)
        try:
            with file.open("rb") as stream:
                reader.read(str(file), stream)
        except OSError as error:
            reader.problem(str(file), f"cannot be read ({(error.strerror or 'error').lower()})")
    return reader.result()


def read_trace_text(text: str, suite: Suite | None = None, name: str = "text") -> list[Trace]:
    """The traces of a pasted or uploaded text; problems stand under ``name``."""
    reader = _Reader(suite)
    reader.read(name, BytesIO(text.encode(errors="replace")))
    return reader.result()


class _Reader:
    """Collects rows and problems over several files."""

    def __init__(self, suite: Suite | None) -> None:
        self._suite = suite
        self._traces: list[Trace] = []
        self._problems: list[str] = []
        self._seen: dict[tuple[str, str, int], str] = {}

    def problem(self, where: str, what: str) -> None:
        if len(self._problems) == MAX_PROBLEMS:
            self._problems.append(f"more than {MAX_PROBLEMS:,} problems: the rest was not read")
        elif len(self._problems) < MAX_PROBLEMS:
            self._problems.append(f"{where}: {what}")

    def result(self) -> list[Trace]:
        if self._problems:
            raise TraceProblems(self._problems)
        return self._traces

    def read(self, name: str, stream: BinaryIO) -> None:
        found = False
        for number, line in _lines(stream):
            if len(self._problems) > MAX_PROBLEMS:
                return
            if line is not None and not line.strip():
                continue
            found = True
            self._row(f"{name}:{number}", line)
        if not found:
            self.problem(name, "expected one trace a line, got an empty file")

    def _row(self, where: str, line: bytes | None) -> None:
        try:
            trace = Trace.from_row(_decoded(line))
        except TraceProblems as error:
            for said in error.problems:
                self.problem(where, said)
            return
        except ValueError as error:
            self.problem(where, str(error))
            return
        for said in self._mismatches(trace):
            self.problem(where, said)
        if trace.key in self._seen:
            said = f"model {trace.model!r}, task {trace.task_id}, sample {trace.sample}"
            self.problem(where, f"{said} stands at {self._seen[trace.key]} already")
        self._seen.setdefault(trace.key, where)
        if not self._problems:
            self._traces.append(trace)
        else:
            self._traces.clear()

    def _mismatches(self, trace: Trace) -> Iterator[str]:
        if self._suite is None:
            return
        label = suite_label(self._suite)
        if trace.suite not in (None, label, self._suite.version, self._suite.name):
            yield f"suite: expected {label}, got {trace.suite}"
        if trace.task_id not in self._suite.by_id:
            yield f"task_id: suite {label} has no task {trace.task_id!r}"


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
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


def _decoded(line: bytes | None) -> Any:
    if line is None:
        raise ValueError(f"is longer than {MAX_LINE_BYTES // 2**20} MB")
    if b"\0" in line:
        raise ValueError("holds a NUL byte; expected UTF-8 text")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is no UTF-8 text (byte {error.start + 1})") from None
    return parse_json(text.strip())


# Writing --------------------------------------------------------------------------------------


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
        line = _line(trace)
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


def _line(trace: Trace) -> bytes:
    """The row as a line that a reader takes.

    A model that repeats itself without end can exceed the limits of a file: then calls beyond the
    first thousand (which no score can tell from a thousand) or the raw response are left out.
    """
    row = trace.to_row()
    row["calls"] = [_storable(call) for call in row["calls"][:MAX_CALLS]]
    if len(trace.calls) > MAX_CALLS:
        row["calls_left_out"] = len(trace.calls) - MAX_CALLS
    line = b"" if _is_deeper(row, MAX_DEPTH) else _encoded(row)
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
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
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
