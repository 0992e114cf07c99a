"""What a score JSON says beside the scores: precision, recall, accuracies, latency, tokens, cost."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from evaluator.scoring.attempts import Attempt
from evaluator.traces.trace import Trace


def diagnostics(attempts: Sequence[Attempt], traces: Sequence[Trace]) -> dict[str, Any]:
    """Shares over all calls, arguments and edges of the run; means over its answers; totals."""
    traces = [trace for trace in traces if not trace.is_infrastructure_failure]
    scores = [a.score for a in attempts if a.score is not None and not a.is_failed]
    steps = [step for score in scores for step in score.steps]
    edges = [edge for step in steps for edge in step.edges]
    aligned = [step for step in steps if step.call is not None]
    return {
        "call_precision": _ratio(len(aligned), sum(score.counted for score in scores)),
        "call_recall": _ratio(len(aligned), len(steps)),
        "argument_accuracy": _ratio(fsum(step.similarity for step in aligned), len(aligned)),
        "edge_accuracy": _ratio(sum(edge.satisfied for edge in edges), len(edges)),
        "calls_per_response": _ratio(
            sum(len(trace.calls) for trace in traces), sum(_responses(trace) for trace in traces)
        ),
        "latency_ms": _average([trace.latency_ms for trace in traces]),
        "tokens": _total([_tokens(trace.usage) for trace in traces]),
        "output_tokens": _total([output_tokens(trace.usage) for trace in traces]),
        "cost_usd": _total([trace.cost_usd for trace in traces]),
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _responses(trace: Trace) -> int:
    """How many responses an answer took, as far as the row tells."""
    turns = {call.turn for call in trace.calls if call.turn is not None}
    return max(1, len(turns), len(trace.response) if isinstance(trace.response, list) else 0)


def _tokens(usage: Mapping[str, Any] | None) -> float | None:
    usage = usage or {}
    total = usage.get("total_tokens")
    parts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    counts = [n for n in ([total] if total is not None else parts) if isinstance(n, int)]
    return sum(counts) if counts else None


def output_tokens(usage: Mapping[str, Any] | None) -> int | None:
    """The output tokens of an answer, as far as its row tells."""
    count = (usage or {}).get("completion_tokens")
    return count if isinstance(count, int) else None


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) if known else None
