"""Checking tasks by hand (paper, Appendix I): a stratified sample to judge."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from dataset_builder.tasks.stratified_sample import stratified_sample
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tasks.task_text import task_text
from dataset_builder.tools.tool import Tool
from dataset_builder.values.draw import Draw

CRITERIA: Mapping[str, str] = {
    "prompt_trace": "The prompt asks for exactly these calls, and for no others.",
    "arguments": "The expected arguments fit the tools' schemas and what the prompt means.",
    "data_flow": "Every value that flows comes from the right field of the right call.",
    "distractors": "The other offered tools are plausible, and clearly wrong for this prompt.",
}
SAMPLE = 50


def sample(suite: Suite, size: int = SAMPLE, seed: int = 0) -> list[Task]:
    """Tasks in proportion to the levels of the suite, in the order of their ids."""
    draw = Draw(f"annotation sample {seed}")
    return stratified_sample(
        suite.tasks,
        size,
        lambda level, group, count: draw.sample(f"level {level.value}", group, count),
    )


def write_sheet(tasks: Sequence[Task], tools: Mapping[str, Tool], path: Path) -> None:
    """A CSV sheet for one annotator: a row a task, a column for each criterion (yes or no), a note."""
    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task_id", *CRITERIA, "note", "task"])
        for task in tasks:
            writer.writerow([task.task_id, *("" for _ in CRITERIA), "", task_text(task, tools)])
