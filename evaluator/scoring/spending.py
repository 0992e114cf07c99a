"""What a run spent, by the task and by the task solved: dollars, output tokens, seconds."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from evaluator.scoring.error_classes import INFRASTRUCTURE, MISSING


class Spending(NamedTuple):
    """Means of one run; None where its rows do not say, or nothing was solved."""

    cost_per_task: float | None = None
    """US dollars an answer."""
    output_tokens_per_task: float | None = None
    cost_per_solved: float | None = None
    """US dollars, those spent on answers that fail included; so are tokens and seconds."""
    output_tokens_per_solved: float | None = None
    seconds_per_solved: float | None = None


def spending(scores: Mapping[str, Any]) -> Spending:
    """What the answers of a score JSON took; requests that infrastructure failed are left out."""
    answered = [
        row["strict"] for row in scores["tasks"] if row["error"] not in (INFRASTRUCTURE, MISSING)
    ]
    solved = sum(map(bool, answered))
    diagnostics = scores["diagnostics"]
    cost, tokens = diagnostics.get("cost_usd"), diagnostics.get("output_tokens")
    latency = diagnostics.get("latency_ms")
    seconds = None if latency is None else latency * len(answered) / 1000
    return Spending(
        cost_per_task=_each(cost, len(answered)),
        output_tokens_per_task=_each(tokens, len(answered)),
        cost_per_solved=_each(cost, solved),
        output_tokens_per_solved=_each(tokens, solved),
        seconds_per_solved=_each(seconds, solved),
    )


def _each(total: float | None, count: int) -> float | None:
    return total / count if total is not None and count else None
