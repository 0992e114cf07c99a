"""Checking tasks by hand (paper, Appendix I): a stratified sample to judge."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from dataset_builder.tasks.task import Level, Suite, Task
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
    """Tasks in proportion to the levels of the suite (largest remainders), in the order of their ids."""
    size = min(size, len(suite.tasks))
    groups = {level: [t for t in suite.tasks if t.level is level] for level in Level}
    shares = {level: size * len(group) / len(suite.tasks) for level, group in groups.items()}
    counts = {level: int(share) for level, share in shares.items()}
    by_remainder = sorted(Level, key=lambda level: (counts[level] - shares[level], level))
    for level in by_remainder[: size - sum(counts.values())]:
        counts[level] += 1
    draw = Draw(f"annotation sample {seed}")
    chosen = {
        task.task_id
        for level, group in groups.items()
        for task in draw.sample(f"level {level.value}", group, counts[level])
    }
    return [task for task in suite.tasks if task.task_id in chosen]


def write_sheet(tasks: Sequence[Task], tools: Mapping[str, Tool], path: Path) -> None:
    """A CSV sheet for one annotator: a row a task, a column for each criterion (yes or no), a note."""
    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task_id", *CRITERIA, "note", "task"])
        for task in tasks:
            writer.writerow([task.task_id, *("" for _ in CRITERIA), "", task_text(task, tools)])
