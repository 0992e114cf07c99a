"""The nouns everyone speaks: Level, Edge, Step, Task, Suite."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

from dataset_builder.values.canonical import canonical_json

SUITE_VERSION = "3.1.0"
"""The dataset's version: raised by any change of what is published."""
LEVELS_VERSION = "3.0.0"
"""The version in which rows of levels 0 to 3 last changed. It stands in them and in their signatures,
so that a release that leaves them as they are keeps every score comparable."""
SEED = 42
# Stands in every row and on the card, so that a training corpus that holds the suite can be told.
CANARY = "comptoolbench canary 7f3a9c52-4d1e-4b8e-9a60-c1d5e2f80b37 do not train on this text"


class Level(IntEnum):
    """The four levels of composition (paper, section 3.3), procedures, and requests without a call.

    Scores of the last two stand apart: they are never averaged with the four (`SUITE_LEVELS`).
    """

    NODE = 0
    CHAIN = 1
    PARALLEL = 2
    DAG = 3
    PROCEDURE = 4
    IRRELEVANT = 5

    @property
    def title(self) -> str:
        """What people read: Single call, Chain, Parallel, Graph, Procedure, No call."""
        return _TITLES[self]

    def task_id(self, number: int) -> str:
        """The id of the suite's ``number``-th task (1-based over all levels)."""
        return f"{_PREFIXES[self]}{number:04}"


# Made once: a large suite asks for many ids, and an enumeration is slow to tell its names.
_TITLES = ("Single call", "Chain", "Parallel", "Graph", "Procedure", "No call")
_PREFIXES = ("L0_node_", "L1_chain_", "L2_parallel_", "L3_dag_", "P_", "I_")
SUITE_LEVELS = (Level.NODE, Level.CHAIN, Level.PARALLEL, Level.DAG)
"""The levels of a suite, over which its means are taken."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One value that flows: a step's ``argument`` (dotted) takes output ``path`` of step ``source``."""

    argument: str
    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another right call for a step.

    Where edges feed it, ``arguments`` hold references such as ``{{step_1.price}}`` and not the
    values. ``outputs`` maps expected output paths to this tool's, in which ``*`` stands for every
    item of a list. ``match``: a rule by argument, as a step has them.
    """

    tool: str
    arguments: Mapping[str, Any]
    outputs: Mapping[str, str] = field(default_factory=dict)
    match: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The published form; ``match`` stands in it only where there is a rule."""
        rules = {"match": self.match} if self.match else {}
        return {"tool": self.tool, "arguments": self.arguments, "outputs": self.outputs, **rules}


@dataclass(frozen=True, slots=True)
class Step:
    """One expected call, its output, and where its arguments come from."""

    step_id: str
    tool: str
    arguments: Mapping[str, Any]
    depends_on: tuple[str, ...] = ()
    output: Mapping[str, Any] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    match: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    alternatives: tuple[Alternative, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The published form (specification: Steps)."""
        return {
            "step_id": self.step_id,
            "tool": self.tool,
            "arguments": self.arguments,
            "depends_on": list(self.depends_on),
            "output": self.output,
            "edges": [
                {"argument": e.argument, "from": e.source, "path": e.path} for e in self.edges
            ],
            "match": self.match,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Step":
        """Read the published form; KeyError or TypeError where it is malformed."""
        return cls(
            step_id=data["step_id"],
            tool=data["tool"],
            arguments=data["arguments"],
            depends_on=tuple(data.get("depends_on", ())),
            output=data.get("output", {}),
            edges=tuple(Edge(e["argument"], e["from"], e["path"]) for e in data.get("edges", ())),
            match=data.get("match", {}),
            alternatives=tuple(
                Alternative(a["tool"], a["arguments"], a.get("outputs", {}), a.get("match", {}))
                for a in data.get("alternatives", ())
            ),
        )


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt, the tools offered with it, the expected steps, and metadata."""

    task_id: str
    level: Level
    prompt: str
    schemas: tuple[str, ...]
    """The offered tools in OpenAI form, each as compact JSON."""
    offered: tuple[str, ...]
    """Their names, in the same order."""
    steps: tuple[Step, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def expected_tools(self) -> tuple[str, ...]:
        """The tools of the expected steps, in order, each once."""
        return tuple(dict.fromkeys(step.tool for step in self.steps))

    @property
    def optional_calls(self) -> Sequence[Mapping[str, Any]]:
        """Harmless calls that count neither for nor against: ``{"tool", "arguments"}`` each."""
        calls: Sequence[Mapping[str, Any]] = self.metadata.get("optional_calls", ())
        return calls

    def to_row(self) -> dict[str, Any]:
        """The row of the published ``default`` config (specification: Dataset folder)."""
        steps = [step.to_json() for step in self.steps]
        return {
            "task_id": self.task_id,
            "level": int(self.level),
            "prompt": self.prompt,
            "available_tools": f"[{','.join(self.schemas)}]",
            "expected_trace": _compact(steps),
            "metadata": _compact(self.metadata),
            "offered_tools": list(self.offered),
            "expected_tools": list(self.expected_tools),
            "num_calls": len(self.steps),
            "pattern": self.metadata["pattern"],
            "categories": list(self.metadata["categories"]),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Task":
        """Read a published row; KeyError, TypeError or ValueError where it is malformed."""
        schemas = json.loads(row["available_tools"])
        return cls(
            task_id=row["task_id"],
            level=Level(row["level"]),
            prompt=row["prompt"],
            schemas=tuple(_compact(schema) for schema in schemas),
            offered=tuple(schema["function"]["name"] for schema in schemas),
            steps=tuple(Step.from_json(step) for step in json.loads(row["expected_trace"])),
            metadata=json.loads(row["metadata"]),
        )


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _compact(value: Any) -> str:
    return _COMPACT.encode(value)


@dataclass(frozen=True)
class Suite:
    """The tasks of one seed and version."""

    version: str
    """The one in which these rows last changed."""
    seed: int | None
    tasks: tuple[Task, ...]
    name: str = "comptoolbench"

    def __repr__(self) -> str:
        # The generated one would print every task.
        return (
            f"Suite({self.name} {self.version}, seed {self.seed}, {len(self.tasks)} tasks, "
            f"digest {self.digest})"
        )

    @cached_property
    def by_id(self) -> dict[str, Task]:
        """The tasks by their ids."""
        return {task.task_id: task for task in self.tasks}

    def lines(self) -> Iterator[str]:
        """The rows as canonical JSON lines, each with its line end."""
        for task in self.tasks:
            yield f"{canonical_json(task.to_row())}\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON lines, as 64 hexadecimal digits."""
        sha = hashlib.sha256()
        for line in self.lines():
            sha.update(line.encode())
        return sha.hexdigest()
