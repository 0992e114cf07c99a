"""Scores as plain text for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.scoring.metrics import (
    GAP_METRICS,
    GAP_NOTE,
    GAPS,
    LEVELS,
    QUANTITY_NAMES,
    SCORES,
    SOLVED,
    solved_at_most,
)

_DIAGNOSTICS = {
    "call_precision": "call precision",
    "call_recall": "call recall",
    "argument_accuracy": "argument accuracy",
    "edge_accuracy": "edge accuracy",
}


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows as aligned columns, two spaces apart; ``right``: positions aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def percent(value: float | None, signed: bool = False) -> str:
    """A fraction in per cent with one decimal; a dash for what is undefined."""
    if value is None or value != value:
        return "–"
    points = round(100 * value, 1)
    # What rounds to nothing has no sign.
    return minus(f"{points:{'+' if signed else ''}.1f}") if points else "0.0"


def minus(text: str) -> str:
    """Numbers with a true minus sign."""
    return text.replace("-", "−")


def span(low: float | None, high: float | None) -> str:
    """An interval of differences in per cent; a dash for what is undefined."""
    if percent(low) == "–":
        return "–"
    return f"{percent(low, signed=True)} … {percent(high, signed=True)}"


def score_table(scores: Mapping[str, Any]) -> str:
    """One run's scores: levels, gaps, diagnostics, error classes, and why it is not ranked."""
    parts = [
        scores["signature"],
        f"{scores['model'] or 'unnamed model'}: {_coverage(scores)}",
        _levels(scores),
        _gaps(scores),
        _diagnostics(scores),
    ]
    if scores["errors"]:
        errors = [(name, str(count)) for name, count in scores["errors"].items()]
        parts.append(columns([("error class", "tasks"), *errors], right=(1,)))
    if not scores["ranked"]:
        parts.append(f"Not ranked: {'; '.join(scores['diagnostics']['not_ranked'])}.")
    return "\n\n".join(parts)


def _coverage(scores: Mapping[str, Any]) -> str:
    parts = [f"{scores['n_tasks']} tasks"]
    if scores["n_samples"] > 1:
        parts.append(f"{scores['n_samples']} samples each, pass^k {percent(scores['pass_k'])} %")
    if scores["n_missing"]:
        parts.append(f"{scores['n_missing']} missing ({_some(scores['diagnostics']['missing'])})")
    if scores["n_infrastructure"]:
        bound = f"{SOLVED.name.lower()} at most {percent(solved_at_most(scores))} %"
        parts.append(f"{scores['n_infrastructure']} failed by infrastructure ({bound})")
    return ", ".join(parts)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown}, …"


def _levels(scores: Mapping[str, Any]) -> str:
    rows: list[tuple[str, ...]] = [("%", "tasks", *(metric.name for metric in SCORES.values()))]
    values = [scores[metric.total] for metric in SCORES.values()]
    rows.append((QUANTITY_NAMES["overall"], str(scores["n_tasks"]), *map(percent, values)))
    for name in LEVELS:
        level = scores["levels"][name]
        values = [level[metric.field] for metric in SCORES.values()]
        rows.append((QUANTITY_NAMES[name], str(level["n"]), *map(percent, values)))
    return columns(rows, right=range(1, 5))


def _gaps(scores: Mapping[str, Any]) -> str:
    rows: list[tuple[str, ...]] = [("points", *(SCORES[key].name for key in GAP_METRICS))]
    for field, name in GAPS.items():
        values = (percent(scores[field][key], signed=True) for key in GAP_METRICS)
        rows.append((name, *values))
    return f"{columns(rows, right=range(1, 4))}\n{GAP_NOTE}"


def _diagnostics(scores: Mapping[str, Any]) -> str:
    diagnostics = scores["diagnostics"]
    rows = [(label, f"{percent(diagnostics[name])} %") for name, label in _DIAGNOSTICS.items()]
    rows.append(("calls per response", _number(diagnostics["calls_per_response"], "")))
    rows.append(("latency, mean", _number(diagnostics["latency_ms"], " ms", 0)))
    rows.append(("tokens", _number(diagnostics["tokens"], "", 0)))
    rows.append(("cost", _number(diagnostics["cost_usd"], " USD", 4)))
    return columns([row for row in rows if not row[1].startswith("–")])


def _number(value: float | None, unit: str, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}{unit}"
