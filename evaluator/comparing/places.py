"""Where the runs of one signature stand: their ranks, their intervals, and who stands above whom.

A run is worse than another only if significantly so: runs that cannot be told apart share a range of places.
A run that may not be ranked (`is_rankable`) has rank None, stands below the others and counts for nobody's
rank; baselines stand last.
"""

from collections.abc import Collection, Mapping, Sequence
from math import isnan, nan
from typing import Any, NamedTuple

from evaluator.comparing.ranking import overall_intervals, rank_ranges
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import ScoreArray, score_array
from evaluator.intervals import Interval
from evaluator.models import is_baseline
from evaluator.scoring.metrics import METRICS, SCORES, Metric


class Place(NamedTuple):
    """Where a run stands among others of its signature."""

    rank: int | None
    """1 + the number of runs that are significantly better; None: not ranked."""
    intervals: Mapping[str, Interval]
    """By metric: the score over all tasks with its own 95 % interval; NaN where it is undefined."""
    last: int | None = None
    """The number of ranked runs less those that are significantly worse: the worst place it may have."""

    @property
    def range(self) -> str:
        """Best and worst place: "3", or "1–2" where others cannot be told apart; "–" if not ranked."""
        if self.rank is None:
            return "–"
        return str(self.rank) if self.last in (None, self.rank) else f"{self.rank}–{self.last}"


def places(
    results: Sequence[Result], metric: Metric, withheld: Collection[str] = ()
) -> list[Place]:
    """The place of each of some runs of one signature, in their order; ``metric``: what ranks them.

    ``withheld``: names of runs that may not be ranked for a reason that is not in their scores.
    """
    ranked = [
        number
        for number, result in enumerate(results)
        if is_rankable(result, metric) and result.name not in withheld
    ]
    by_number = dict(zip(ranked, _ranked_places([results[i] for i in ranked], metric), strict=True))
    return [by_number.get(number) or _unranked_place(each) for number, each in enumerate(results)]


def is_rankable(result: Result, metric: Metric) -> bool:
    """Whether its scores allow a rank: complete, with a value in the metric, and of no baseline."""
    has_value = result.scores[metric.total] is not None
    return bool(result.scores["ranked"]) and has_value and not is_baseline(result.model)


def standing(result: Result, place: Place, metric: Metric) -> tuple[Any, ...]:
    """What a board is sorted by, best first; equal ones by the other scores, then by name."""
    return (
        place.rank is None,
        is_baseline(result.model),
        place.rank,
        *(_descending(place.intervals[key].mean) for key in (metric.key, *METRICS)),
        result.model,
        result.name,
    )


def _descending(mean: float) -> tuple[bool, float]:
    """Sorts the larger first, and last what is undefined."""
    return (True, 0.0) if isnan(mean) else (False, -mean)


def _ranked_places(results: Sequence[Result], metric: Metric) -> list[Place]:
    """The places of runs that have a rank, which answer the same tasks."""
    if not results:
        return []
    scores = score_array(results)
    first, last = rank_ranges(scores, metric.key)
    intervals = _intervals(results, scores)
    return [Place(int(first[i]), intervals[i], int(last[i])) for i in range(len(results))]


def _unranked_place(result: Result) -> Place:
    """The place of a run for itself, as it may lack any of the others' tasks."""
    (intervals,) = _intervals([result], score_array([result]))
    return Place(None, intervals)


def _intervals(results: Sequence[Result], scores: ScoreArray) -> list[dict[str, Interval]]:
    """The intervals of each run in the array, by metric."""
    ends = {key: overall_intervals(scores, key) for key in METRICS}
    return [
        {
            key: _interval(result.scores[SCORES[key].total], float(low[i]), float(high[i]))
            for key, (low, high) in ends.items()
        }
        for i, result in enumerate(results)
    ]


def _interval(mean: float | None, low: float, high: float) -> Interval:
    """What has no mean has no bounds."""
    return Interval(nan, nan, nan) if mean is None else Interval(mean, low, high)
