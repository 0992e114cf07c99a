"""Traces: what one model did on one task, and the row of a trace file that says it.

    {"task_id": "L0_node_0001", "model": "openai/gpt-4o", "calls": [{"name": "f", "arguments": {}}]}

A row that is wrong is a problem of the file; a call whose arguments are no JSON object is the
model's own (E10) and is kept as it was written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.traces.error_kinds import MODEL_ERRORS
from evaluator.traces.protocols import canonical_catalogue
from evaluator.traces.row_calls import find_calls
from evaluator.traces.strict_json import MAX_DEPTH, parse_json
from evaluator.traces.trace_fields import CHECKS, LABELS, asked_problem, call_problem, kind

MAX_LINE_BYTES = 4 * 2**20
MAX_CALLS = 2_000
# An arguments string stands three levels deep in a row once it is read.
_ARGUMENTS_DEPTH = MAX_DEPTH - 3


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
    """A model's calls on one task, with usage and outcome (specification: Trace files)."""

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
    read_from: str = field(default="calls", compare=False)
    """The field of its row that the calls stood in, one of `READ_FROM`."""

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
        for name in (*LABELS, "response", "usage", "latency_ms", "cost_usd", "error"):
            if name != "model" and getattr(self, name) is not None:
                row[name] = getattr(self, name)
        return row | dict(self.extra)

    @classmethod
    def from_row(cls, row: Any) -> "Trace":
        """Read a row; TraceProblems with everything that is wrong with it."""
        if not isinstance(row, dict):
            raise TraceProblems([f"expected a JSON object, got {kind(row)}"])
        problems = [
            f"{name}: {problem}"
            for name, check in CHECKS.items()
            if row.get(name) is not None and (problem := check(row[name]))
        ]
        if row.get("task_id") is None:
            problems.append("task_id: expected the id of a task, got nothing")
        if problem := asked_problem(row.get("asked"), row.get("protocol")):
            problems.append(f"asked{problem}")
        source, calls = _read_calls(row, problems)
        if problems:
            raise TraceProblems(problems)
        known: dict[str, Any] = {n: row[n] for n in CHECKS if row.get(n) is not None}
        if "catalogue" in known:
            known["catalogue"] = canonical_catalogue(str(known["catalogue"]), len(catalogue()))
        known["response"] = row.get("response")
        rest = {k: v for k, v in row.items() if k not in CHECKS and k not in ("calls", "response")}
        return cls(**known, calls=tuple(calls), extra=rest, read_from=source)


def _read_calls(row: Mapping[str, Any], problems: list[str]) -> tuple[str, list[Call]]:
    """The field that the calls of a row stand in, and the calls."""
    source, entries = find_calls(row, problems)
    if len(entries) > MAX_CALLS:
        problems.append(f"{source}: expected at most {MAX_CALLS:,} calls, got {len(entries):,}")
        return source, []
    wrong = [f"{where}{problem}" for where, entry in entries if (problem := call_problem(entry))]
    problems += wrong
    return source, [] if wrong else [_read_call(entry) for _, entry in entries]


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
