"""A run on the board: its result, and what the page adds to it: tier, description, status."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluator.comparing.results import Result
from evaluator.scoring.spending import Spending, spending
from space.base.tiers import BASELINE


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
    horizon: Mapping[str, Any] | None = None
    """What a run of its model over procedures says, asked by the same protocol; None without one."""
    same_as: str = ""
    """Id of an earlier run with the same calls, or of which it is a copy."""

    @property
    def identity(self) -> tuple[str, str, bool]:
        """What its place in a ranking hangs on."""
        made_of = self.result.scores["diagnostics"].get("traces_sha256", "")
        return self.id, made_of, self.is_ranked

    @cached_property
    def spending(self) -> Spending:
        """What its answers took, as its rows say."""
        return spending(self.result.scores)

    @property
    def is_ranked(self) -> bool:
        """Whether it takes part in a ranking."""
        return bool(self.result.scores["ranked"]) and not self.status and self.tier != BASELINE
