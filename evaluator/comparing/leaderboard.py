"""The board: runs of one signature ranked against each other, ties shown as ties.

    ranked(results)                   # signature -> its entries, best first
    entry.result, entry.rank, entry.intervals

The rank hangs on one metric, that of solved tasks unless another is asked for.

A run that may not be ranked (`scores["ranked"]` is false), one without a value in the metric (as where
calls cannot be replayed) and a baseline have rank None, stand last and count for nobody else's rank.
Control runs in another wording are on no board; as text they follow it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

from evaluator.comparing.control_table import control_groups, control_text
from evaluator.comparing.ranking import overall_intervals, ranks
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.comparing.statistics import Interval
from evaluator.models import is_baseline
from evaluator.scoring.metrics import CALLS, LEVELS, METRICS, SCORES, SOLVED, Metric
from evaluator.scoring.text_tables import columns, percent


@dataclass(frozen=True)
class Entry:
    """A run on the board."""

    result: Result
    rank: int | None
    """1 + the number of runs of the same signature that are significantly better; None: not ranked."""
    intervals: Mapping[str, Interval]
    """By metric: the score over all tasks with its own 95 % interval; NaN where it is undefined."""


def ranked(results: Iterable[Result], metric: Metric = SOLVED) -> dict[str, list[Entry]]:
    """The runs of each signature, best first; a run is worse than another only if significantly so."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if not result.is_control:
            groups.setdefault(result.signature, []).append(result)
    return {signature: _entries(group, metric) for signature, group in sorted(groups.items())}


def _entries(group: Sequence[Result], metric: Metric) -> list[Entry]:
    ranked_ones = [result for result in group if _is_ranked(result, metric)]
    others = [result for result in group if not _is_ranked(result, metric)]
    # Ranked runs of one signature answer the same tasks; others may lack any of them.
    parts = [(ranked_ones, True), *(([result], False) for result in others)]
    entries = [
        entry for part, is_ranked in parts if part for entry in _part(part, is_ranked, metric)
    ]
    return sorted(
        entries,
        key=lambda e: (
            e.rank is None,
            is_baseline(e.result.model),
            e.rank,
            *(_descending(e.intervals[key].mean) for key in (metric.key, *METRICS)),
            e.result.model,
            e.result.name,
        ),
    )


def _descending(mean: float) -> tuple[bool, float]:
    """Sorts the larger first, and last what is undefined."""
    return (True, 0.0) if isnan(mean) else (False, -mean)


def _is_ranked(result: Result, metric: Metric) -> bool:
    has_value = result.scores[metric.total] is not None
    return bool(result.scores["ranked"]) and has_value and not is_baseline(result.model)


def _part(part: Sequence[Result], is_ranked: bool, metric: Metric) -> list[Entry]:
    scores = score_array(part)
    rank = ranks(scores, metric.key)
    ends = {key: overall_intervals(scores, key) for key in METRICS}
    return [
        Entry(
            result,
            int(rank[i]) if is_ranked else None,
            {
                key: _interval(result.scores[SCORES[key].total], float(low[i]), float(high[i]))
                for key, (low, high) in ends.items()
            },
        )
        for i, result in enumerate(part)
    ]


def _interval(mean: float | None, low: float, high: float) -> Interval:
    """What has no mean has no bounds."""
    return Interval(nan, nan, nan) if mean is None else Interval(mean, low, high)


def board_text(results: Iterable[Result], metric: Metric = SOLVED) -> str:
    """The board for the terminal, a table for each signature and for each control experiment."""
    results = list(results)
    experiments = control_groups(results)
    apart = {result.name for group in experiments for result in group}
    boards = ranked((result for result in results if result.name not in apart), metric)
    note = (
        f"Per cent, with 95 % intervals. Ranked by: {metric.name}; a rank is 1 + the number of runs "
        f"significantly better.\nL0–L3: {metric.name} on single calls, chains, parallel calls and graphs. "
        f"gap: mean of L1 to L3 minus L0 in {CALLS.name}, in points."
    )
    tables = [f"{signature}\n{_table(entries, metric)}" for signature, entries in boards.items()]
    return "\n\n".join([*tables, *map(control_text, experiments), *([note] if tables else [])])


def _table(entries: Sequence[Entry], metric: Metric) -> str:
    solved, calls, weighted = ((score.name, "95 %") for score in SCORES.values())
    rows = [("rank", "model", *solved, *calls, *LEVELS, "gap", *weighted, "")]
    for entry in entries:
        scores = entry.result.scores
        solved, calls, weighted = (_cells(entry.intervals[key]) for key in METRICS)
        rows.append(
            (
                "–" if entry.rank is None else str(entry.rank),
                scores["model"],
                *solved,
                *calls,
                *(percent(scores["levels"][level][metric.field]) for level in LEVELS),
                percent(scores["selection_gap"][CALLS.key], signed=True),
                *weighted,
                remark(entry.result),
            )
        )
    return columns(rows, right=(0, *range(2, 13)))


def _cells(found: Interval) -> tuple[str, str]:
    low, high = percent(found.low), percent(found.high)
    return percent(found.mean), low if low == "–" else f"{low}–{high}"


def remark(result: Result) -> str:
    """What keeps a run from being ranked, in a few words."""
    reasons = [] if result.scores["ranked"] else result.scores["diagnostics"]["not_ranked"]
    return "; ".join([*(["for reference"] if is_baseline(result.model) else []), *reasons])
