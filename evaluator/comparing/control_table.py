"""The level-0 control (paper, Appendix H): the runs of one model in three wordings, in one table."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.comparing.mcnemar import mcnemar
from evaluator.comparing.results import Result
from evaluator.scoring.error_classes import INFRASTRUCTURE
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import columns, percent
from evaluator.traces.protocols import WORDINGS

Rows = Sequence[Mapping[str, Any]]
"""The tasks of a run as the score JSON has them."""


def control_groups(results: Iterable[Result]) -> list[list[Result]]:
    """The runs of each control experiment among some results, in the order of the wordings.

    Runs of one model and signature that lie beside each other and say in which wording they were
    asked; those in the suite's own wording alone are no experiment.
    """
    groups: dict[tuple[str, str, Path], list[Result]] = {}
    for result in results:
        if result.about.get("wording") in WORDINGS:
            key = (result.signature, result.model, Path(result.name).parent)
            groups.setdefault(key, []).append(result)
    return [
        sorted(group, key=lambda result: WORDINGS.index(result.about["wording"]))
        for group in groups.values()
        if any(result.is_control for result in group)
    ]


def control_text(group: Sequence[Result]) -> str:
    """One experiment for the terminal: what was asked, and its table."""
    arms = [(str(result.about["wording"]), result.scores["tasks"]) for result in group]
    head = f"{group[0].model}: level-0 prompts in several wordings (paper, Appendix H), not ranked"
    return f"{group[0].signature}\n{head}\n{control_table(arms)}"


def control_table(arms: Sequence[tuple[str, Rows]]) -> str:
    """A line for each wording and its tasks (paper, Table 6); what the provider lost is left out."""
    answered = [(name, [r for r in rows if r["error"] != INFRASTRUCTURE]) for name, rows in arms]
    minimal = next((_passed(rows) for name, rows in answered if name == WORDINGS[0]), None)
    head = (
        "wording",
        "tasks",
        f"{SOLVED.name}, %",
        "tool selection, %",
        "arguments, %",
        "p against minimal",
    )
    lines: list[tuple[str, ...]] = [head]
    for name, rows in answered:
        p = ""
        if minimal is not None and name != WORDINGS[0]:
            p = f"{mcnemar(minimal, _passed(rows)):.3f}"
        tasks = str(len({row["task_id"] for row in rows}))
        means = (_mean(rows, field) for field in (SOLVED.field, "completeness", "arguments"))
        lines.append((name, tasks, *map(percent, means), p))
    return columns(lines, right=range(1, 6))


def _passed(rows: Rows) -> dict[tuple[str, int], bool]:
    return {(row["task_id"], row["sample"]): bool(row["strict"]) for row in rows}


def _mean(rows: Rows, field: str) -> float | None:
    return sum(float(row[field]) for row in rows) / len(rows) if rows else None
