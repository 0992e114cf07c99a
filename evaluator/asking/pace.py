"""How fast a model answers, measured over its last answers, and how long others will take at that pace."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

LAST = 64
"""So many answers tell the pace: a run may slow down, and one that hung must not count for ever."""


@dataclass(frozen=True)
class Pace:
    """The pace of a model."""

    answer_s: float
    """The median of the last answers, in seconds."""
    measured: int
    """Of so many answers."""
    at_once: int
    """How many are asked for at the same time."""

    def seconds(self, answers: float) -> float:
        """About how long so many answers take; fewer than are asked at once take as long as one."""
        return self.answer_s * max(1.0, answers / self.at_once) if answers else 0.0

    def basis(self) -> str:
        """What an estimate rests on, in words."""
        of = "one answer" if self.measured == 1 else f"the median of {self.measured} answers"
        return f"{of}, {self.answer_s:.2g} s each, {self.at_once} at once"


def pace(seconds: Iterable[float], at_once: int) -> Pace | None:
    """The pace of answers that took so long, the latest last; None before the first."""
    last = [*seconds][-LAST:]
    return Pace(median(last), len(last), at_once) if last else None


def duration(seconds: float) -> str:
    """``47s``, ``3m 05s``, ``2h 10m``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02}m"
