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
        calls = _read_calls(row, problems)
        if problems:
            raise TraceProblems(problems)
        known: dict[str, Any] = {n: row[n] for n in CHECKS if row.get(n) is not None}
        if "catalogue" in known:
            known["catalogue"] = canonical_catalogue(str(known["catalogue"]), len(catalogue()))
        known["response"] = row.get("response")
        rest = {k: v for k, v in row.items() if k not in CHECKS and k not in ("calls", "response")}
        return cls(**known, calls=tuple(calls), extra=rest)


def _read_calls(row: Mapping[str, Any], problems: list[str]) -> list[Call]:
    """The calls of a row, from ``calls`` or else from ``messages``."""
    if "calls" not in row and "messages" in row:
        where, entries = "messages", _from_messages(row["messages"], problems)
    else:
        where, entries = "calls", row.get("calls")
    if not isinstance(entries, list):
        problems.append(f"{where}: expected a list of calls, got {kind(entries)}")
        return []
    if len(entries) > MAX_CALLS:
        problems.append(f"{where}: expected at most {MAX_CALLS:,} calls, got {len(entries):,}")
        return []
    calls = []
    for position, entry in enumerate(entries):
        if problem := call_problem(entry):
            problems.append(f"{where}[{position}]{problem}")
        else:
            calls.append(_read_call(entry))
    return calls


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
        entries = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
        if not isinstance(entries, list):
            problems.append(
                f"messages[{position}].tool_calls: expected a list, got {kind(entries)}"
            )
            continue
        for number, call in enumerate(entries):
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                known = {k: function[k] for k in ("name", "arguments") if k in function}
                calls.append(known | {"turn": turn})
            else:
                where = f"messages[{position}].tool_calls[{number}]"
                problems.append(f'{where}: expected {{"function": {{"name", "arguments"}}}}')
        turn += 1
    return calls
