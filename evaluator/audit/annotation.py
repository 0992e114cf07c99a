"""Checking tasks by hand (paper, Appendix I): a stratified sample to judge, and how far judges agree."""

import csv
import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from dataset_builder.tasks.task import SUITE_LEVELS, Suite, Task
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
    groups = {level: [t for t in suite.tasks if t.level is level] for level in SUITE_LEVELS}
    shares = {level: size * len(group) / len(suite.tasks) for level, group in groups.items()}
    counts = {level: int(share) for level, share in shares.items()}
    by_remainder = sorted(SUITE_LEVELS, key=lambda level: (counts[level] - shares[level], level))
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


def cohen_kappa(one: Sequence[bool], other: Sequence[bool]) -> float | None:
    """Cohen's kappa of two annotators over the same items; None where it is undefined.

    Undefined: no items, or both always give the same one verdict (agreement by chance is then 1).
    """
    if len(one) != len(other) or not one:
        return None
    items = len(one)
    agreed = sum(a == b for a, b in zip(one, other, strict=True)) / items
    yes_one, yes_other = sum(one) / items, sum(other) / items
    by_chance = yes_one * yes_other + (1 - yes_one) * (1 - yes_other)
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def agreement(
    sheets: Mapping[str, Mapping[str, Mapping[str, bool]]],
) -> list[dict[str, object]]:
    """For each pair of annotators and each criterion: items in common, agreement, kappa."""
    rows: list[dict[str, object]] = []
    for (name, one), (other_name, other) in combinations(sheets.items(), 2):
        common = sorted(one.keys() & other.keys())
        for criterion in CRITERIA:
            mine = [one[task][criterion] for task in common]
            theirs = [other[task][criterion] for task in common]
            same = sum(a == b for a, b in zip(mine, theirs, strict=True))
            rows.append(
                {
                    "annotators": f"{name} / {other_name}",
                    "criterion": criterion,
                    "tasks": len(common),
                    "agreement": same / len(common) if common else None,
                    "kappa": cohen_kappa(mine, theirs),
                }
            )
    return rows


def passed(sheet: Mapping[str, Mapping[str, bool]]) -> dict[str, float]:
    """The share of tasks that pass each criterion, and all of them."""
    tasks = list(sheet.values())
    shares = {name: sum(task[name] for task in tasks) / len(tasks) for name in CRITERIA}
    return shares | {"all": sum(all(task.values()) for task in tasks) / len(tasks)}


def agreement_json(sheets: Mapping[str, Mapping[str, Mapping[str, bool]]]) -> str:
    """Everything that `annotate kappa --json` prints."""
    return json.dumps(
        {
            "passed": {name: passed(sheet) for name, sheet in sheets.items()},
            "agreement": agreement(sheets),
        },
        ensure_ascii=False,
        indent=1,
    )
