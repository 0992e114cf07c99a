"""The board: runs of one signature ranked against each other, ties shown as ties.

    ranked(results)                   # signature -> its entries, best first
    entry.result, entry.rank, entry.interval

A run that may not be ranked (`scores["ranked"]` is false) and a baseline have rank None, stand last and
count for nobody else's rank. Control runs in another wording are on no board; as text they follow it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.control import control_groups, control_text
from evaluator.models import is_baseline
from evaluator.ranking import overall_intervals
from evaluator.results import Result
from evaluator.score_array import LEVELS, score_array
from evaluator.statistics import Interval
from evaluator.tables import columns, percent


@dataclass(frozen=True)
class Entry:
    """A run on the board."""

    result: Result
    rank: int | None
    """1 + the number of runs of the same signature that are significantly better; None: not ranked."""
    interval: Interval
    """Weighted overall score with its 95 % interval, clustered by template."""


def ranked(results: Iterable[Result]) -> dict[str, list[Entry]]:
    """The runs of each signature, best first; a run is worse than another only if significantly so."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if not result.is_control:
            groups.setdefault(result.signature, []).append(result)
    return {signature: _entries(group) for signature, group in sorted(groups.items())}


def _entries(group: Sequence[Result]) -> list[Entry]:
    ranked_ones = [result for result in group if _is_ranked(result)]
    others = [result for result in group if not _is_ranked(result)]
    # Ranked runs of one signature answer the same tasks; others may lack any of them.
    parts = [(ranked_ones, True), *(([result], False) for result in others)]
    entries = [entry for part, is_ranked in parts if part for entry in _part(part, is_ranked)]
    return sorted(
        entries,
        key=lambda e: (
            e.rank is None,
            is_baseline(e.result.model),
            e.rank,
            -e.interval.mean,
            e.result.model,
            e.result.name,
        ),
    )


def _is_ranked(result: Result) -> bool:
    return bool(result.scores["ranked"]) and not is_baseline(result.model)


def _part(part: Sequence[Result], is_ranked: bool) -> list[Entry]:
    scores = score_array(part)
    low, high, rank = overall_intervals(scores.with_values(scores.values[:, :, :1]))
    return [
        Entry(
            result,
            int(rank[i]) if is_ranked else None,
            Interval(result.scores["overall"], float(low[i]), float(high[i])),
        )
        for i, result in enumerate(part)
    ]


def board_text(results: Iterable[Result]) -> str:
    """The board for the terminal, a table for each signature and for each control experiment."""
    results = list(results)
    experiments = control_groups(results)
    apart = {result.name for group in experiments for result in group}
    boards = ranked(result for result in results if result.name not in apart)
    parts = [f"{signature}\n{_table(entries)}" for signature, entries in boards.items()]
    return "\n\n".join([*parts, *map(control_text, experiments)])


def _table(entries: Sequence[Entry]) -> str:
    head = ("rank", "model", "weighted", "95 %", *LEVELS, "step", "strict", "step gap", "")
    rows = [head]
    for entry in entries:
        scores = entry.result.scores
        rows.append(
            (
                "–" if entry.rank is None else str(entry.rank),
                scores["model"],
                percent(scores["overall"]),
                _between(entry.interval),
                *(percent(scores["levels"][level]["score"]) for level in LEVELS),
                percent(scores["step"]),
                percent(scores["strict"]),
                percent(scores["selection_gap"]["step"], signed=True),
                remark(entry.result),
            )
        )
    return columns(rows, right=(0, *range(2, 11)))


def _between(interval: Interval) -> str:
    low, high = percent(interval.low), percent(interval.high)
    return low if low == "–" else f"{low}–{high}"


def remark(result: Result) -> str:
    """What keeps a run from being ranked, in a few words."""
    reasons = [] if result.scores["ranked"] else result.scores["diagnostics"]["not_ranked"]
    return "; ".join([*(["for reference"] if is_baseline(result.model) else []), *reasons])
