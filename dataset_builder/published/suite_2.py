"""Rows of suite 2.0.0, the paper's release: read so that they can be audited and scored."""

import json
from collections.abc import Mapping
from typing import Any

from dataset_builder.tasks.task import SUITE_LEVELS, Step, Task

_LEVELS = {f"L{level.value}_{level.name.lower()}": level for level in SUITE_LEVELS}


def is_legacy(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of suite 2.0.0 (its level is a word, its tools are names)."""
    return isinstance(row.get("level"), str)


def legacy_task(row: Mapping[str, Any]) -> Task:
    """A 2.0.0 row as a task; its outputs and edges are unknown.

    KeyError, TypeError or ValueError where it is malformed.
    """
    trace = row["expected_trace"]
    trace = json.loads(trace) if isinstance(trace, str) else trace
    steps = tuple(
        Step(
            step_id=str(step["step_id"]),
            tool=str(step["tool_name"]),
            arguments=dict(step["arguments"]),
            depends_on=tuple(map(str, step.get("depends_on") or ())),
        )
        for step in trace["steps"]
    )
    offered = row["available_tools"]
    offered = json.loads(offered) if isinstance(offered, str) else offered
    metadata = {
        "suite": "2.0.0",
        "pattern": row.get("pattern") or "unknown",
        "template": f"2.0.0/{row['task_id']}",
        "categories": [row["category"]] if row.get("category") else [],
        "step_count": len(steps),
        "expected_final_answer": row.get("expected_final_answer"),
    }
    names = tuple(map(str, offered))
    return Task(
        str(row["task_id"]), _LEVELS[row["level"]], row["prompt"], (), names, steps, metadata
    )
