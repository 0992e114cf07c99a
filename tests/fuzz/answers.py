"""Answers to fuzz from: right ones to tasks of every kind, and mutants of them."""

import json
from collections.abc import Iterator
from functools import lru_cache

from dataset_builder.procedures.rungs import ladder
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Trace
from tests.differential.mutations import mutants, numbered, right_answer


@lru_cache(maxsize=1)
def suite() -> Suite:
    """The published tasks of levels 0 to 3."""
    return CompositionEngine().generate_suite()


@lru_cache(maxsize=1)
def tasks() -> dict[str, Task]:
    """By id: tasks of every level, procedures (the longer ones align otherwise), requests without a call."""
    procedures = ladder(per_rung=6, longest=8)
    return {t.task_id: t for t in (*suite().tasks, *procedures, *irrelevance_suite().tasks)}


def traces() -> Iterator[Trace]:
    """Right answers to some tasks of each kind in both protocols, a few of them varied, and mutants."""
    asked = ({"faults": "60.3"}, {"withhold": "2"}, {"scramble": "names.1"})
    for number, task in enumerate(tasks().values()):
        calls = tuple(numbered(right_answer(task)))
        if number % 12 == 0 or task.task_id.startswith("P_"):
            yield Trace(task.task_id, calls, "m", protocol=SINGLE_TURN, catalogue="task")
            yield Trace(task.task_id, calls, "m", protocol=MULTI_TURN, catalogue="full")
        if number % 24 == 0:
            extra = {"asked": asked[number // 24 % 3]}
            yield Trace(task.task_id, calls, "m", protocol=MULTI_TURN, extra=extra)
    for _, mutant in mutants(suite(), catalogue(), 60, 11):
        yield mutant.trace
    yield Trace("L1_chain_0049", (), "m", error={"kind": "malformed_call", "message": ""})


def rows() -> Iterator[bytes]:
    """The rows of `traces`, as a trace file has them."""
    return (json.dumps(trace.to_row()).encode() for trace in traces())
