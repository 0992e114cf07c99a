"""Runs made of numbers, without traces: what the tests of statistics work on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evaluator.comparing.results import Result
from evaluator.comparing.score_array import Floats, Indices, ScoreArray

LEVELS: Indices = np.repeat([0, 1, 2, 3], [48, 64, 40, 48])


def suite_clusters() -> Indices:
    """Templates as in seed 42: alone at levels 0 and 1, some in pairs at 2 and 3 (178 in all)."""
    sizes = [1] * 48 + [1] * 64 + [2] * 9 + [1] * 22 + [2] * 13 + [1] * 22
    return np.repeat(np.arange(len(sizes)), sizes)


def array_of(
    values: Floats, levels: Indices = LEVELS, clusters: Indices | None = None
) -> ScoreArray:
    """An array over the suite's tasks, or over others."""
    names = tuple(f"task_{i}" for i in range(len(levels)))
    return ScoreArray(names, levels, suite_clusters() if clusters is None else clusters, values)


def result_of(
    name: str,
    rows: Sequence[dict[str, Any]],
    *,
    signature: str = "ctb:3.0.0+aaaa|seed:42|n:8|protocol:single-turn.1|catalogue:full|scorer:1",
    model: str | None = None,
    about: dict[str, Any] | None = None,
    is_ranked: bool = True,
) -> Result:
    """A result with these rows of tasks (task_id, level, score, step, strict and a template).

    Only what ranking, comparing and ablating read is in its scores.
    """
    rows = [{"sample": 0, "step": row["score"], "strict": row["score"] == 1, **row} for row in rows]
    fields = ("score", "step", "strict")
    scores: dict[str, Any] = {
        "signature": signature,
        "model": name if model is None else model,
        "ranked": is_ranked,
        "overall": _mean(rows, "score"),
        "step": _mean(rows, "step"),
        "strict": _mean(rows, "strict"),
        "levels": {
            f"L{level}": {
                field: _mean([row for row in rows if row["level"] == level], field)
                for field in fields
            }
            for level in range(4)
        },
        "selection_gap": {"weighted": 0.0, "step": 0.0, "strict": 0.0},
        "delta_l0_l3": {"weighted": 0.0, "step": 0.0, "strict": 0.0},
        "diagnostics": {"not_ranked": [] if is_ranked else ["2 tasks missing"]},
        "tasks": rows,
    }
    templates = {row["task_id"]: row.get("template", row["task_id"]) for row in rows}
    return Result(name, scores, about or {}, templates)


def _mean(rows: Sequence[dict[str, Any]], field: str) -> float | None:
    return float(np.mean([row[field] for row in rows])) if rows else None


def by(frame: pd.DataFrame, *keys: str) -> dict[Any, dict[str, Any]]:
    """The rows of a frame by their keys."""
    rows: list[Any] = frame.to_dict("records")
    return {tuple(row[k] for k in keys) if keys[1:] else row[keys[0]]: row for row in rows}


def rows_of(scores: Sequence[float] | Floats, levels: Indices = LEVELS) -> list[dict[str, Any]]:
    """Rows of one sample a task, templates as in seed 42 where the levels are its."""
    return [
        {"task_id": f"task_{i}", "level": int(level), "score": float(score)}
        for i, (score, level) in enumerate(zip(scores, levels, strict=True))
    ]
