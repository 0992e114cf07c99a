"""The leaderboard: runs of each signature ranked against each other, ties shown as ties.

    ranked(results)                   # signature -> its entries, best first
    entry.result, entry.place

The rank hangs on one metric, that of solved tasks unless another is asked for (`evaluator.comparing.places`).
Control runs in another wording are on no board; as text they follow it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluator.comparing.control_table import control_groups, control_text
from evaluator.comparing.places import Place, places, standing
from evaluator.comparing.results import Result
from evaluator.intervals import Interval
from evaluator.models import is_baseline
from evaluator.scoring.horizon_text import horizon_rows
from evaluator.scoring.irrelevance import irrelevance_rows
from evaluator.scoring.metrics import CALLS, LEVELS, METRICS, SCORES, SOLVED, Metric
from evaluator.scoring.text_tables import columns, percent
from evaluator.traces.signature import parse_signature


class Entry(NamedTuple):
    """A run on the board."""

    result: Result
    place: Place


def ranked(results: Iterable[Result], metric: Metric = SOLVED) -> dict[str, list[Entry]]:
    """The runs of each signature, best first; control runs are left out."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if not result.is_control:
            groups.setdefault(result.signature, []).append(result)
    return {signature: _entries(group, metric) for signature, group in sorted(groups.items())}


def _entries(group: Sequence[Result], metric: Metric) -> list[Entry]:
    entries = map(Entry, group, places(group, metric))
    return sorted(entries, key=lambda entry: standing(entry.result, entry.place, metric))


def board_text(results: Iterable[Result], metric: Metric = SOLVED) -> str:
    """The board for the terminal, a table for each signature and for each control experiment."""
    results = list(results)
    apart = [result for result in results if result.apart is not None]
    results = [result for result in results if result.apart is None]
    experiments = control_groups(results)
    controls = {result.name for group in experiments for result in group}
    boards = ranked((result for result in results if result.name not in controls), metric)
    note = (
        f"Per cent, with 95 % intervals. Ranked by: {metric.name}; a rank is 1 + the number of runs "
        "significantly better, to the last place that a run may have (1–2: not told apart).\n"
        f"L0–L3: {metric.name} on single calls, chains, parallel calls and graphs. "
        f"gap: mean of L1 to L3 minus L0 in {CALLS.name}, in points."
    )
    tables = [f"{signature}\n{_table(entries, metric)}" for signature, entries in boards.items()]
    return "\n\n".join(
        [
            *tables,
            *map(control_text, experiments),
            *([note] if tables else []),
            *_tables_apart(apart, results),
        ]
    )


def _tables_apart(apart: Sequence[Result], results: Sequence[Result]) -> list[str]:
    """The runs of procedures and of requests without a call, a table for each signature."""
    groups: dict[str, list[Result]] = {}
    for result in apart:
        groups.setdefault(result.signature, []).append(result)
    tables = []
    for signature, group in sorted(groups.items()):
        scores = [result.scores for result in group]
        if group[0].is_horizon:
            tables.append(f"{signature}\n{horizon_rows(scores)}")
        else:
            missed = [share_without_call(result, results) for result in group]
            tables.append(f"{signature}\n{irrelevance_rows(scores, missed)}")
    return tables


def share_without_call(result: Result, others: Sequence[Result]) -> float | None:
    """The share of the suite's tasks in which a model made no call, asked in the same way; None unknown."""
    line = parse_signature(result.signature)
    for other in others:
        same = parse_signature(other.signature)._replace(ctb=line.ctb, seed=line.seed, n=line.n)
        if other.model == result.model and same == line and not other.is_control:
            errors = [str(row["error"]) for row in other.scores["tasks"]]
            return errors.count("E2_no_call") / len(errors)
    return None


def _table(entries: Sequence[Entry], metric: Metric) -> str:
    solved, calls, weighted = ((score.name, "95 %") for score in SCORES.values())
    rows = [("rank", "model", *solved, *calls, *LEVELS, "gap", *weighted, "")]
    for entry in entries:
        scores = entry.result.scores
        solved, calls, weighted = (_cells(entry.place.intervals[key]) for key in METRICS)
        rows.append(
            (
                entry.place.range,
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


def _cells(score: Interval) -> tuple[str, str]:
    low, high = percent(score.low), percent(score.high)
    return percent(score.mean), low if low == "–" else f"{low}–{high}"


def remark(result: Result) -> str:
    """What keeps a run from being ranked, in a few words."""
    reasons = [] if result.scores["ranked"] else result.scores["diagnostics"]["not_ranked"]
    return "; ".join([*(["for reference"] if is_baseline(result.model) else []), *reasons])
