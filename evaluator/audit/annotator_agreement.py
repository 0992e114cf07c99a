"""How far annotators agree: Cohen's kappa, and the share of tasks that pass."""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations

from evaluator.audit.annotation import CRITERIA


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
