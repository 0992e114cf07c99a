"""A run's scores as entries of ``.eval_results/*.yaml``, which a model's page on the Hub shows."""

from collections.abc import Mapping
from typing import Any

from evaluator.comparing.results import Result
from evaluator.comparing.statistics import interval_rows
from evaluator.scoring.metrics import LEVELS, METRICS, SCORES, SOLVED
from evaluator.scoring.text_tables import percent

OVERALL = "overall"
# The tasks that eval.yaml of the dataset registers.
TASK_IDS = (OVERALL, *LEVELS)


def eval_results(result: Result, dataset: str) -> list[dict[str, Any]]:
    """One entry for the whole suite and one for each level: the share of tasks solved, in per cent.

    The notes give its interval, and the other scores with theirs. ``dataset`` is the benchmark's
    ``ORG/NAME`` on the Hub.
    """
    scores = intervals(result)
    date = _ended(result.about)
    return [
        {
            "dataset": {"id": dataset, "task_id": task_id},
            "value": round(100 * scores[task_id, SOLVED.key]["value"], 2),
            **({"date": date} if date else {}),
            "notes": f"{_scores(task_id, scores)}; {result.signature}",
        }
        for task_id in TASK_IDS
    ]


def _scores(task_id: str, scores: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    """The scores with their intervals, the entry's value first."""
    parts = []
    for key in METRICS:
        value, low, high = (
            percent(scores[task_id, key][name]) for name in ("value", "low", "high")
        )
        parts.append(f"{SCORES[key].name} {value} %, 95 % interval {low} to {high}")
    return "; ".join(parts)


def intervals(result: Result) -> dict[tuple[str, str], dict[str, Any]]:
    """(Task id, metric) → n, value, low, high (fractions) and method of the interval."""
    return {(row["quantity"], row["metric"]): row for row in interval_rows(result)}


def eval_results_yaml(result: Result, dataset: str) -> str:
    """The entries as YAML, ready for ``.eval_results/comptoolbench.yaml`` of a model's repository."""
    import yaml

    text: str = yaml.safe_dump(
        eval_results(result, dataset), sort_keys=False, allow_unicode=True, width=1000
    )
    return text


def _ended(about: Mapping[str, Any]) -> str | None:
    sessions = about.get("sessions") or [{}]
    ended: str | None = sessions[-1].get("ended_at") or sessions[-1].get("started_at")
    return ended
