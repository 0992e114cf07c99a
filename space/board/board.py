"""The board: its runs, their tiers, and where each stands. Nothing in it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator.comparing.places import Place
from evaluator.scoring.metrics import SOLVED
from space.base.tiers import BASELINE, VIEWS, WITHDRAWN
from space.board.entry import Entry
from space.board.rank_cache import KeptPlaces


@dataclass(frozen=True)
class Board:
    """All runs that could be read."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()
    """A sentence for each run that could not be read."""
    waiting: int = 0
    """How many runs are still being scored."""
    trouble: str = ""
    """What visitors should know of the health of what keeps the runs; a sentence or nothing."""
    rankings: KeptPlaces = field(default_factory=KeptPlaces, repr=False)

    def find(self, name: str) -> Entry | None:
        """The entry of that id."""
        return next((entry for entry in self.entries if entry.id == name), None)

    @property
    def horizons(self) -> tuple[Entry, ...]:
        """The runs of procedures, which stand in no ranking."""
        return tuple(entry for entry in self.entries if entry.result.is_horizon)

    def is_empty(self, view: str) -> bool:
        """Whether a view has no run of its own to rank: reference rows do not count."""
        tiers = tiers_of(view)
        return all(entry.tier not in tiers or entry.result.apart for entry in self.entries)

    def signatures(self, view: str) -> list[str]:
        """The signatures in a view, that of the most ranked runs first.

        A view without runs of its own has those of the reference rows. Runs of procedures are in none:
        shares over rungs that not every run was asked rank nobody.
        """
        tiers = (BASELINE,) if self.is_empty(view) else tiers_of(view)
        counts: dict[str, int] = {}
        for entry in self.entries:
            if entry.tier in tiers and entry.result.apart is None:
                signature = entry.result.signature
                counts[signature] = counts.get(signature, 0) + 1 + 10_000 * entry.is_ranked
        return sorted(counts, key=lambda signature: (-counts[signature], signature))

    def tables(self, view: str) -> list[tuple[str, str]]:
        """Tier and signature of each ranking in a view, setting by setting, the most trusted tier first.

        After the rankings of a setting come its reference rows, whose tier is `BASELINE`.
        """
        held = {(entry.tier, entry.result.signature) for entry in self.entries}
        return [
            (tier, signature)
            for signature in self.signatures(view)
            for tier in (*tiers_of(view), BASELINE)
            if (tier, signature) in held
        ]

    def shown(self, tier: str, signature: str) -> list[Entry]:
        """The entries of a ranking: those of one tier and signature."""
        return [
            entry
            for entry in self.entries
            if entry.tier == tier
            and entry.result.signature == signature
            and entry.result.apart is None
        ]

    def places(self, tier: str, signature: str, metric: str = SOLVED.key) -> Mapping[str, Place]:
        """Where each entry of a ranking stands by a metric, by its id."""
        return self.rankings.of(self.shown(tier, signature), tier, signature, metric)


def tiers_of(view: str) -> tuple[str, ...]:
    """The tiers that a view shows: its own, or all of them where it is empty."""
    return (view,) if view else VIEWS


def first_view(board: Board) -> str:
    """The most trusted tier that holds a run."""
    tiers = {entry.tier for entry in board.entries if entry.status != WITHDRAWN}
    return next((view for view in VIEWS if view in tiers), VIEWS[0])
