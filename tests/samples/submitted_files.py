"""Trace files for the tests of the page: over the small suite, as right as is asked."""

import hashlib
import json

from dataset_builder.tasks.task import Suite
from evaluator.traces.trace import Call, Trace
from space.base.visitors import Visitor
from tests.samples.small_suite import small_suite

SUITE = small_suite()
ANN, BOB = Visitor("ann", "1"), Visitor("bob", "2")
KEEPER = Visitor("keeper", "3", is_maintainer=True)
NOBODY = Visitor(None, "4")


def trace_lines(
    model: str,
    right: int,
    suite: Suite = SUITE,
    protocol: str | None = "single-turn",
    catalogue: str | None = "full",
    **more: object,
) -> str:
    """A trace file in which the first ``right`` tasks are answered and the others are not."""
    lines = []
    for number, task in enumerate(suite.tasks):
        steps = task.steps if number < right else ()
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in steps)
        trace = Trace(task.task_id, calls, model, protocol=protocol, catalogue=catalogue)
        lines.append(json.dumps({**trace.to_row(), **more}))
    return "\n".join(lines) + "\n"


def sealed(text: bytes) -> bytes:
    """An entry of the cache with its checksum, whatever it says."""
    return hashlib.sha256(text).hexdigest().encode() + b"\n" + text
