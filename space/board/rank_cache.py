"""Where the entries of a ranking stand, computed once for each state of it."""

import threading
from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any

from dataset_builder.value_cache import ValueCache
from evaluator.comparing.places import Place, places
from evaluator.comparing.score_cache import key_of
from evaluator.intervals import Interval
from evaluator.scoring.metrics import SCORES
from space.board.entry import Entry

# Changes where places are packed otherwise: what was kept before is passed over.
FORMAT = 4
MOST_RANKINGS = 64
# Fewer runs are ranked faster than they are read.
WORTH_KEEPING = 50


class KeptPlaces:
    """The places in the rankings that were asked for last, shared by all states of a board."""

    def __init__(self, cache: ValueCache | None = None) -> None:
        """``cache``: where those of large rankings are kept for the next process."""
        self._cache = cache
        self._lock = threading.Lock()
        self._rankings: dict[str, Mapping[str, Place]] = {}

    def of(
        self, entries: Sequence[Entry], tier: str, signature: str, metric: str
    ) -> Mapping[str, Place]:
        """Where each of the entries of a tier and signature stands by a metric, by its id."""
        # What else changes on the board changes nothing here.
        made_of = key_of([FORMAT, metric, signature, [entry.identity for entry in entries]])
        with self._lock:
            if made_of not in self._rankings:
                while len(self._rankings) > MOST_RANKINGS:
                    self._rankings.pop(next(iter(self._rankings)))
                # One file a ranking, which the next state of it replaces.
                key = key_of([tier, signature, metric])
                self._rankings[made_of] = self._read(key, made_of) or self._compute(
                    entries, metric, key, made_of
                )
            return self._rankings[made_of]

    def _compute(
        self, entries: Sequence[Entry], metric: str, key: str, made_of: str
    ) -> Mapping[str, Place]:
        withheld = {entry.result.name for entry in entries if not entry.is_ranked}
        computed = places([entry.result for entry in entries], SCORES[metric], withheld)
        by_id = {entry.id: place for entry, place in zip(entries, computed, strict=True)}
        if self._cache and len(entries) >= WORTH_KEEPING:
            packed = {name: _packed(place) for name, place in by_id.items()}
            self._cache.write(key, {"made_of": made_of, "places": packed})
        return by_id

    def _read(self, key: str, made_of: str) -> Mapping[str, Place] | None:
        kept = self._cache.read(key) if self._cache else None
        if not isinstance(kept, dict) or kept.get("made_of") != made_of:
            return None
        try:
            return {name: _unpacked(*place) for name, place in kept["places"].items()}
        except (AttributeError, KeyError, TypeError):
            return None


def _packed(place: Place) -> list[Any]:
    """As JSON, which has no NaN."""
    intervals = {
        key: [None if isnan(value) else value for value in interval]
        for key, interval in place.intervals.items()
    }
    return [place.rank, intervals, place.last]


def _unpacked(
    rank: int | None, intervals: Mapping[str, Sequence[float | None]], last: int | None
) -> Place:
    read = {
        key: Interval(*(nan if value is None else value for value in interval))
        for key, interval in intervals.items()
    }
    return Place(rank, read, last)
