"""The score of a run: levels, gaps, diagnostics, and whether it may be ranked (specification: Aggregates)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any

from dataset_builder.tasks.task import SUITE_LEVELS, Level, Suite, Task
from dataset_builder.tools.tool import Tool
from evaluator.scoring.error_classes import ERROR_CLASSES, INFRASTRUCTURE, MISSING
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import ROW, TaskScore, light
from evaluator.traces.signature import signature, suite_label
from evaluator.traces.trace import Trace

Offered = Callable[[Task, str], Collection[str]]
"""The names offered with a task under a catalogue."""

MOST_FAILED = 0.02
"""With more than this share of tasks failed by infrastructure a run is not ranked."""
_METRICS = {"weighted": "score", "step": "step", "strict": "strict"}


@dataclass(frozen=True)
class Attempt:
    """One task and sample of a run; ``score`` is None where the row is missing.

    The score is the `light` one, so that a run of large answers stays small.
    """

    task: Task
    sample: int
    score: TaskScore | None

    def value(self, metric: str) -> float | None:
        """``score``, ``step`` or ``strict``; 0 where nothing was answered.

        None for a step or strict score of calls that cannot be replayed.
        """
        found = 0.0 if self.score is None else getattr(self.score, metric)
        return None if found is None else float(found)

    @property
    def is_failed(self) -> bool:
        """Whether infrastructure kept the model from answering."""
        return self.score is not None and self.score.error == INFRASTRUCTURE

    def to_row(self) -> dict[str, Any]:
        """The entry in the score JSON; a missing row has zeros."""
        if self.score is not None:
            return self.score.to_row()
        has_edges = any(step.edges for step in self.task.steps)
        return dict.fromkeys(ROW, 0.0) | {
            "task_id": self.task.task_id,
            "sample": self.sample,
            "level": int(self.task.level),
            "strict": False,
            "data_flow": 0.0 if has_edges else None,
            "economy": 1.0,
            "error": MISSING,
        }


def by_model(traces: Iterable[Trace]) -> dict[str, list[Trace]]:
    """The traces of each model, in the order in which models come."""
    runs: dict[str, list[Trace]] = {}
    for trace in traces:
        runs.setdefault(trace.model, []).append(trace)
    return runs


def score_attempts(
    suite: Suite,
    traces: Sequence[Trace],
    tools: Mapping[str, Tool],
    offered: Offered | None = None,
    allow_partial: bool = False,
) -> list[Attempt]:
    """One model's traces scored, in the order of the suite, each task with all samples of the run.

    A task or sample without a row is missing; with ``allow_partial`` it is left out instead. Raises
    ValueError for traces of several models, a repeated row or a task that the suite does not have.
    """
    if len(by_model(traces)) > 1:
        raise ValueError("the traces are of several models; score each by itself")
    found: dict[tuple[str, int], Trace] = {}
    for trace in traces:
        if trace.task_id not in suite.by_id:
            raise ValueError(f"suite {suite_label(suite)} has no task {trace.task_id}")
        if (trace.task_id, trace.sample) in found:
            raise ValueError(f"task {trace.task_id}, sample {trace.sample} stands twice")
        found[trace.task_id, trace.sample] = trace
    samples = sorted({trace.sample for trace in traces}) or [0]
    attempts = []
    for task in suite.tasks:
        for sample in samples:
            made = found.get((task.task_id, sample))
            if made is not None:
                names = None if offered is None else offered(task, made.catalogue or "full")
                score = light(score_task(task, made, tools, names))
                attempts.append(Attempt(task, sample, score))
            elif not allow_partial:
                attempts.append(Attempt(task, sample, None))
    return attempts


def score_run(
    suite: Suite,
    traces: Sequence[Trace],
    tools: Mapping[str, Tool],
    prompt_versions: Mapping[str, int],
    *,
    calls: str | None = "native",
    offered: Offered | None = None,
    allow_partial: bool = False,
) -> dict[str, Any]:
    """The score JSON of one model's run (specification: Score JSON).

    A missing row counts 0; with ``allow_partial`` only what is there is scored. ``prompt_versions``
    by protocol and ``calls`` ("native" or "json") go into the signature. Raises as `score_attempts`.
    """
    attempts = score_attempts(suite, traces, tools, offered, allow_partial)
    return summarise(suite, traces, attempts, prompt_versions, calls)


def summarise(
    suite: Suite,
    traces: Sequence[Trace],
    attempts: Sequence[Attempt],
    prompt_versions: Mapping[str, int],
    calls: str | None,
    wording: str | None = None,
) -> dict[str, Any]:
    """The score JSON of attempts that are scored already.

    ``wording``: where the prompts were not the suite's own; such a run is not ranked.
    """
    protocol, catalogue = _declared(traces, "protocol"), _declared(traces, "catalogue")
    tasks = _by_task(attempts)
    missing = _missing(suite, attempts)
    failed = [task_id for task_id, group in tasks.items() if any(a.is_failed for a in group)]
    doubts = _doubts(traces, len(tasks), missing, failed)
    if wording not in (None, "minimal"):
        doubts.append(f"asked in another wording, {wording}")
    levels = {f"L{level.value}": _level(tasks, level) for level in SUITE_LEVELS}
    gaps = {name: _gaps(levels, metric) for name, metric in _METRICS.items()}
    return {
        "signature": signature(suite, len(tasks), protocol, catalogue, calls, prompt_versions),
        "suite": suite_label(suite),
        "model": traces[0].model if traces else "",
        "protocol": protocol,
        "catalogue": catalogue,
        "ranked": not doubts,
        "n_tasks": len(tasks),
        "n_samples": len({trace.sample for trace in traces}),
        "n_missing": len(missing),
        "n_infrastructure": len(failed),
        "overall": _mean(tasks.values(), partial(Attempt.value, metric="score")),
        "overall_bound": _mean(tasks.values(), _hoped),
        "step": _mean(tasks.values(), partial(Attempt.value, metric="step")),
        "strict": _mean(tasks.values(), partial(Attempt.value, metric="strict")),
        "pass_k": _pass_k(tasks.values()),
        "levels": levels,
        "selection_gap": {name: _minus(gap) for name, (gap, _) in gaps.items()},
        "comp_gap": {name: gap for name, (gap, _) in gaps.items()},
        "delta_l0_l3": {name: delta for name, (_, delta) in gaps.items()},
        "diagnostics": _diagnostics(attempts, traces) | {"not_ranked": doubts, "missing": missing},
        "errors": _errors(attempts),
        "tasks": [attempt.to_row() for attempt in attempts],
    }


# Means ----------------------------------------------------------------------------------------

Group = Sequence[Attempt]


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


# Diagnostics ----------------------------------------------------------------------------------


def _diagnostics(attempts: Sequence[Attempt], traces: Sequence[Trace]) -> dict[str, Any]:
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


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) if known else None


def _errors(attempts: Sequence[Attempt]) -> dict[str, int]:
    """How often each error class was found; a missing row and a failed request have none."""
    found = [attempt.score.error for attempt in attempts if attempt.score is not None]
    counts = {name: found.count(name) for name in ERROR_CLASSES}
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
    return [t.task_id for t in suite.tasks if len(tasks.get(t.task_id, ())) < samples]


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
