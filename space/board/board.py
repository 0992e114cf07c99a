"""The board: its runs, their tiers, and where each stands. Nothing in it is stored."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.comparing.ranking import overall_intervals, ranks
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.scoring.metrics import METRICS, SOLVED
from space.base.answer_digests import Answers
from space.base.kept_scores import Cache, key_of
from space.base.tiers import BASELINE, VIEWS, WITHDRAWN

# Changes where places are computed otherwise: what was kept before is passed over.
RANKING = 2
MOST_RANKINGS = 64
# Fewer runs are ranked faster than they are read.
WORTH_KEEPING = 50


@dataclass(frozen=True)
class Entry:
    """A run on the board."""

    id: str
    tier: str
    result: Result
    about: Mapping[str, str]
    """Texts to show, clean: model, provider, organisation, link, regime, open_weights, date."""
    traces: Path
    """The file that the scores come from."""
    status: str = ""
    """``incomplete``, ``copy``, ``withdrawn``, ``flagged`` or nothing."""
    status_reason: str = ""
    fresh: Mapping[str, Any] | None = None
    """Public minus fresh tasks (`evaluator.experiments.fresh_tasks`); None where none were asked."""
    foreseen: int = 0
    """How many literals a single-turn model cannot have seen (`evaluator.scoring.foreseen_values`)."""
    answers: Answers = field(default_factory=Answers)
    """What it is known by."""
    same_as: str = ""
    """Id of an earlier run with the same calls, or of which it is a copy."""

    @property
    def identity(self) -> tuple[str, str, bool]:
        """What its place in a ranking hangs on."""
        made_of = self.result.scores["diagnostics"].get("traces_sha256", "")
        return self.id, made_of, self.is_ranked

    @property
    def is_ranked(self) -> bool:
        """Whether it takes part in a ranking."""
        return bool(self.result.scores["ranked"]) and not self.status and self.tier != BASELINE


class Place(NamedTuple):
    """Where an entry stands among the entries of its view and signature."""

    rank: int | None
    """1 + the number of runs that are significantly better; None: not ranked."""
    intervals: Mapping[str, Sequence[float] | None]
    """By metric, the 95 % interval of the score over all tasks; None where the tasks allow none."""


@dataclass(frozen=True)
class Board:
    """All runs that could be read."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()
    """A sentence for each run that could not be read."""
    waiting: int = 0
    """How many submissions are still being scored."""
    trouble: str = ""
    """What visitors should know of the health of what keeps the runs; a sentence or nothing."""
    cache: Cache | None = field(default=None, repr=False)
    """Where places are kept."""
    _places: dict[str, Mapping[str, Place]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def find(self, name: str) -> Entry | None:
        """The entry of that id."""
        return next((entry for entry in self.entries if entry.id == name), None)

    def is_empty(self, view: str) -> bool:
        """Whether a view has no run of its own: reference rows do not count."""
        return all(entry.tier != view for entry in self.entries)

    def signatures(self, view: str) -> list[str]:
        """The signatures in a view, that of the most ranked runs first.

        A view without runs of its own has those of the reference rows.
        """
        tier = BASELINE if self.is_empty(view) else view
        counts: dict[str, int] = {}
        for entry in self.entries:
            if entry.tier == tier:
                signature = entry.result.signature
                counts[signature] = counts.get(signature, 0) + 1 + 10_000 * entry.is_ranked
        return sorted(counts, key=lambda signature: (-counts[signature], signature))

    def shown(self, view: str, signature: str) -> list[Entry]:
        """The entries of a ranking, its reference rows included."""
        return [
            entry
            for entry in self.entries
            if entry.tier in (view, BASELINE) and entry.result.signature == signature
        ]

    def places(self, view: str, signature: str, metric: str = SOLVED.key) -> Mapping[str, Place]:
        """Where each shown entry stands by a metric, by its id."""
        entries = self.shown(view, signature)
        # What else changes on the board changes nothing here.
        made_of = key_of([RANKING, metric, signature, [entry.identity for entry in entries]])
        with self._lock:
            if made_of not in self._places:
                while len(self._places) > MOST_RANKINGS:
                    self._places.pop(next(iter(self._places)))
                # One file a ranking, which the next state of it replaces.
                key = key_of([view, signature, metric])
                found = self._kept(key, made_of)
                if found is None:
                    found = _places(entries, metric)
                    if self.cache and len(entries) >= WORTH_KEEPING:
                        self.cache.write(key, {"made_of": made_of, "places": found})
                self._places[made_of] = found
            return self._places[made_of]

    def _kept(self, key: str, made_of: str) -> Mapping[str, Place] | None:
        kept = self.cache.read(key) if self.cache else None
        if not isinstance(kept, dict) or kept.get("made_of") != made_of:
            return None
        try:
            return {name: Place(*place) for name, place in kept["places"].items()}
        except (AttributeError, KeyError, TypeError):
            return None


def _places(entries: Sequence[Entry], metric: str) -> dict[str, Place]:
    ranked = [entry for entry in entries if entry.is_ranked]
    # Ranked runs of one signature have the same tasks; others may lack any of them.
    groups = [ranked] * bool(ranked) + [[entry] for entry in entries if not entry.is_ranked]
    found = {}
    for group in groups:
        scores = score_array([entry.result for entry in group])
        rank = ranks(scores, metric)
        ends = {key: overall_intervals(scores, key) for key in METRICS}
        for i, entry in enumerate(group):
            intervals = {
                key: None if isnan(low[i]) else [float(low[i]), float(high[i])]
                for key, (low, high) in ends.items()
            }
            found[entry.id] = Place(int(rank[i]) if entry.is_ranked else None, intervals)
    return found


def first_view(board: Board) -> str:
    """The view that is shown where none is asked for: the most trusted one that holds a run."""
    tiers = {entry.tier for entry in board.entries if entry.status != WITHDRAWN}
    return next((view for view in VIEWS if view in tiers), VIEWS[0])
