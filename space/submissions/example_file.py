"""A trace file to look at: the oracle's own answers to three tasks, so that it is right in every version."""

import json

from dataset_builder.tasks.task import Suite
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Call, Trace

ROWS = 3
NAME = "example.jsonl"


def example_lines(suite: Suite) -> list[str]:
    """One answer a line; the shortest tasks of three levels, as far as the suite has them."""
    by_level = {
        level: min(
            (task for task in suite.tasks if task.level == level),
            key=lambda task: (len(task.steps), len(task.prompt), task.task_id),
        )
        for level in sorted({task.level for task in suite.tasks})
    }
    traces = [
        Trace(
            task.task_id,
            tuple(Call(step.tool, arguments_with_references(step, task)) for step in task.steps),
            "my-model",
            protocol=SINGLE_TURN,
            catalogue="full",
        )
        for task in list(by_level.values())[:ROWS]
    ]
    return [json.dumps(trace.to_row(), ensure_ascii=False) for trace in traces]


def example_file(suite: Suite) -> str:
    """The lines as a file."""
    return "".join(f"{line}\n" for line in example_lines(suite))
