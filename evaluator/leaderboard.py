"""The board: runs of one signature ranked against each other, ties shown as ties.

    ranked(results)                   # signature -> its entries, best first
    entry.result, entry.rank, entry.intervals

The rank hangs on one metric, that of solved tasks unless another is asked for.

A run that may not be ranked (`scores["ranked"]` is false) has rank None, stands last and counts for
nobody else's rank. Control runs in another wording are on no board.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.metrics import CALLS, LEVELS, METRICS, SCORES, SOLVED, Metric
from evaluator.ranking import overall_intervals, ranks
from evaluator.results import Result
from evaluator.score_array import score_array
from evaluator.statistics import Interval
from evaluator.tables import columns, percent


@dataclass(frozen=True)
class Entry:
    """A run on the board."""

    result: Result
    rank: int | None
    """1 + the number of runs of the same signature that are significantly better; None: not ranked."""
    intervals: Mapping[str, Interval]
    """By metric: the score over all tasks with its own 95 % interval."""


def ranked(results: Iterable[Result], metric: Metric = SOLVED) -> dict[str, list[Entry]]:
    """The runs of each signature, best first; a run is worse than another only if significantly so."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if not result.is_control:
            groups.setdefault(result.signature, []).append(result)
    return {signature: _entries(group, metric) for signature, group in sorted(groups.items())}


def _entries(group: Sequence[Result], metric: Metric) -> list[Entry]:
    ranked_ones = [result for result in group if result.scores["ranked"]]
    others = [result for result in group if not result.scores["ranked"]]
    # Ranked runs of one signature answer the same tasks; others may lack any of them.
    parts = [(ranked_ones, True), *(([result], False) for result in others)]
    entries = [
        entry for part, is_ranked in parts if part for entry in _part(part, is_ranked, metric)
    ]
    return sorted(
        entries,
        key=lambda e: (
            e.rank is None,
            e.rank,
            *(-e.intervals[key].mean for key in (metric.key, *METRICS)),
            e.result.model,
            e.result.name,
        ),
    )


def _part(part: Sequence[Result], is_ranked: bool, metric: Metric) -> list[Entry]:
    scores = score_array(part)
    rank = ranks(scores, metric.key)
    ends = {key: overall_intervals(scores, key) for key in METRICS}
    return [
        Entry(
            result,
            int(rank[i]) if is_ranked else None,
            {
                key: Interval(result.scores[SCORES[key].total], float(low[i]), float(high[i]))
                for key, (low, high) in ends.items()
            },
        )
        for i, result in enumerate(part)
    ]


def board_text(results: Iterable[Result], metric: Metric = SOLVED) -> str:
    """The board for the terminal, a table for each signature."""
    note = (
        f"Per cent, with 95 % intervals. Ranked by: {metric.name}; a rank is 1 + the number of runs "
        f"significantly better.\nL0–L3: {metric.name} on single calls, chains, parallel calls and graphs. "
        f"gap: mean of L1 to L3 minus L0 in {CALLS.name}, in points."
    )
    tables = [
        f"{signature}\n{_table(entries, metric)}"
        for signature, entries in ranked(results, metric).items()
    ]
    return "\n\n".join([*tables, note] if tables else [])


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
                remark(scores),
            )
        )
    return columns(rows, right=(0, *range(2, 13)))


def _cells(found: Interval) -> tuple[str, str]:
    low, high = percent(found.low), percent(found.high)
    return percent(found.mean), low if low == "–" else f"{low}–{high}"


def remark(scores: Mapping[str, Any]) -> str:
    """What keeps a run from being ranked, in a few words."""
    return "" if scores["ranked"] else "; ".join(scores["diagnostics"]["not_ranked"])
