"""The score of a run: levels, gaps, diagnostics, and whether it may be ranked (specification: Aggregates)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import fsum
from typing import Any

from dataset_builder.tasks.task import SUITE_LEVELS, Level, Suite
from evaluator.scoring.attempts import Attempt, expected_tasks
from evaluator.scoring.diagnostics import diagnostics
from evaluator.scoring.error_classes import ERROR_CLASSES
from evaluator.scoring.horizon_section import horizon_section
from evaluator.scoring.irrelevance import irrelevance_section
from evaluator.scoring.robustness import recovery_section, withheld_section
from evaluator.traces.signature import signature, suite_label
from evaluator.traces.suite_of import suite_apart
from evaluator.traces.trace import Trace
from evaluator.traces.variations import PLAIN, Variation

MOST_FAILED = 0.02
"""With more than this share of tasks failed by infrastructure a run is not ranked."""
_NOT_RANKED = {
    Level.PROCEDURE: "procedures, which the horizon tells of",
    Level.IRRELEVANT: "requests without a call, which the rate of false calls tells of",
}
_METRICS = {"weighted": "score", "step": "step", "strict": "strict"}


def summarise(
    suite: Suite,
    traces: Sequence[Trace],
    attempts: Sequence[Attempt],
    prompt_versions: Mapping[str, int],
    calls: str | None,
    wording: str | None = None,
    variation: Variation = PLAIN,
    endpoint: str | None = None,
) -> dict[str, Any]:
    """The score JSON of attempts that are scored already.

    ``wording``: where the prompts were not the suite's own; such a run is not ranked, and neither is
    one with a ``variation``.
    """
    protocol, catalogue = _declared(traces, "protocol"), _declared(traces, "catalogue")
    tasks = _by_task(attempts)
    missing = _missing(suite, attempts)
    failed = [task_id for task_id, group in tasks.items() if any(a.is_failed for a in group)]
    doubts = _doubts(traces, len(tasks), missing, failed)
    apart = suite_apart(suite)
    if apart is not None:
        doubts.append(_NOT_RANKED[apart])
    if wording not in (None, "minimal"):
        doubts.append(f"asked in another wording, {wording}")
    doubts += variation.words
    # Where a climb ends hangs on the model, so that its length is no part of what was measured.
    size = len(suite.tasks) if apart is Level.PROCEDURE else len(tasks)
    line = signature(suite, size, protocol, catalogue, calls, prompt_versions, variation, endpoint)
    return {
        "signature": line,
        "suite": suite_label(suite),
        "model": traces[0].model if traces else "",
        "protocol": protocol,
        "catalogue": catalogue,
        "ranked": not doubts,
        "n_tasks": len(tasks),
        "n_samples": len({trace.sample for trace in traces}),
        "n_missing": len(missing),
        "n_infrastructure": len(failed),
        **_means(tasks),
        "diagnostics": diagnostics(attempts, traces) | {"not_ranked": doubts, "missing": missing},
        "errors": _errors(attempts),
        **_section_of(apart, attempts, traces, line),
        **_robustness(attempts, variation),
        "tasks": [attempt.to_row() for attempt in attempts],
    }


def _section_of(
    apart: Level | None, attempts: Sequence[Attempt], traces: Sequence[Trace], line: str
) -> dict[str, Any]:
    """What tells of a suite that stands apart; nothing for levels 0 to 3."""
    if apart is Level.PROCEDURE:
        protocol = _declared(traces, "protocol")
        return {"horizon": horizon_section(attempts, traces, line, protocol)}
    if apart is Level.IRRELEVANT:
        return {"irrelevance": irrelevance_section(attempts, traces)}
    return {}


def _robustness(attempts: Sequence[Attempt], variation: Variation) -> dict[str, Any]:
    """The sections of a run with faults or with tools withheld; none of any other."""
    sections: dict[str, Any] = {}
    if variation.faults is not None:
        sections["recovery"] = recovery_section(attempts)
    if variation.withhold is not None:
        sections["withheld"] = withheld_section(attempts, variation)
    return sections


# Means ----------------------------------------------------------------------------------------

Group = Sequence[Attempt]


def _means(tasks: Mapping[str, Group]) -> dict[str, Any]:
    """The scores of the run, of its levels, and the gaps between them."""
    levels = {f"L{level.value}": _level(tasks, level) for level in SUITE_LEVELS}
    gaps = {name: _gaps(levels, metric) for name, metric in _METRICS.items()}
    return {
        "overall": _mean(tasks.values(), partial(Attempt.value, metric="score")),
        "overall_bound": _mean(tasks.values(), _hoped),
        "step": _mean(tasks.values(), partial(Attempt.value, metric="step")),
        "strict": _mean(tasks.values(), partial(Attempt.value, metric="strict")),
        "pass_k": _pass_k(tasks.values()),
        "levels": levels,
        "selection_gap": {name: _minus(gap) for name, (gap, _) in gaps.items()},
        "comp_gap": {name: gap for name, (gap, _) in gaps.items()},
        "delta_l0_l3": {name: delta for name, (_, delta) in gaps.items()},
    }


def _by_task(attempts: Sequence[Attempt]) -> dict[str, list[Attempt]]:
    tasks: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        tasks.setdefault(attempt.task.task_id, []).append(attempt)
    return tasks


def _mean(groups: Collection[Group], value: Callable[[Attempt], float | None]) -> float | None:
    """Mean over tasks of the mean over their samples; None for no task, or where one has no value."""
    values = [[value(attempt) for attempt in group] for group in groups]
    known = [[v for v in group if v is not None] for group in values]
    if known != values or not values:
        return None
    return fsum(fsum(group) / len(group) for group in known) / len(known)


def _pass_k(groups: Collection[Group]) -> float | None:
    """Share of the tasks all of whose samples are strict passes; None where strict is not known."""
    passes = [[attempt.value("strict") for attempt in group] for group in groups]
    if not passes or any(None in group for group in passes):
        return None
    return sum(all(group) for group in passes) / len(passes)


def _hoped(attempt: Attempt) -> float | None:
    """The weighted score if every infrastructure failure had been a full success."""
    return 1.0 if attempt.is_failed else attempt.value("score")


def _level(tasks: Mapping[str, Group], level: Level) -> dict[str, Any]:
    groups = [group for group in tasks.values() if group[0].task.level == level]
    means = {m: _mean(groups, partial(Attempt.value, metric=m)) for m in _METRICS.values()}
    return {"n": len(groups), **means}


def _gaps(
    levels: Mapping[str, Mapping[str, Any]], metric: str
) -> tuple[float | None, float | None]:
    """CompGap (mean of L0 − Lk) and Δ (L0 − L3); None where a level that they need is empty."""
    single, *composed = (levels[name][metric] for name in ("L0", "L1", "L2", "L3"))
    gap = delta = None
    if single is not None and None not in composed:
        gap = fsum(single - value for value in composed) / len(composed)
    if single is not None and composed[-1] is not None:
        delta = single - composed[-1]
    return gap, delta


def _minus(value: float | None) -> float | None:
    # 0 - x, since -x makes a negative zero.
    return None if value is None else 0 - value


# Error classes ------------------------------------------------------------------------------


def _errors(attempts: Sequence[Attempt]) -> dict[str, int]:
    """How often each error class was found; a missing row and a failed request have none."""
    classes = [attempt.score.error for attempt in attempts if attempt.score is not None]
    counts = {name: classes.count(name) for name in ERROR_CLASSES}
    return {name: count for name, count in counts.items() if count}


# May it be ranked -----------------------------------------------------------------------------


def _declared(traces: Sequence[Trace], field: str) -> str | None:
    """What all traces declare, or None where one does not or two differ."""
    values = {getattr(trace, field) for trace in traces}
    only: str | None = values.pop() if len(values) == 1 else None
    return only


def _missing(suite: Suite, attempts: Sequence[Attempt]) -> list[str]:
    """Ids of the tasks that lack a row for one of the run's samples."""
    tasks = _by_task([attempt for attempt in attempts if attempt.score is not None])
    samples = len({attempt.sample for attempt in attempts}) or 1
    expected = expected_tasks(suite, tasks)
    return [t.task_id for t in expected if len(tasks.get(t.task_id, ())) < samples]


def _doubts(
    traces: Sequence[Trace], tasks: int, missing: Sequence[str], failed: Sequence[str]
) -> list[str]:
    """Why a run is not ranked, one short reason each."""
    doubts = []
    for field in ("protocol", "catalogue"):
        values = {getattr(trace, field) for trace in traces}
        if None in values or not values:
            doubts.append(f"{field} undeclared")
        elif len(values) > 1:
            doubts.append(f"several {field}s: {', '.join(sorted(values))}")
    if missing:
        doubts.append(f"{len(missing)} {'task' if len(missing) == 1 else 'tasks'} missing")
    if len(failed) > MOST_FAILED * tasks:
        doubts.append(f"{len(failed)} of {tasks} tasks failed by infrastructure")
    return doubts
