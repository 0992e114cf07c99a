"""The ladder: what was solved of the procedures of each length."""

from collections.abc import Sequence
from typing import NamedTuple

from evaluator.horizon.outcome import Outcome
from evaluator.intervals import wilson


class Rung(NamedTuple):
    """The procedures of one length.

    ``tasks``: those answered within the model's limits, ``limited`` the others, which count nowhere
    else. ``low`` and ``high``: Wilson's interval of the share solved. ``calls_right``: the mean step
    score. All three are fractions, None without tasks.
    """

    calls: int
    tasks: int
    solved: int
    low: float | None
    high: float | None
    calls_right: float | None
    limited: int


def rungs(outcomes: Sequence[Outcome]) -> list[Rung]:
    """The rungs that were asked, from the shortest."""
    return [
        _rung(calls, [each for each in outcomes if each.calls == calls])
        for calls in sorted({each.calls for each in outcomes})
    ]


def _rung(calls: int, outcomes: Sequence[Outcome]) -> Rung:
    answered = [each for each in outcomes if not each.is_limited]
    limited = len(outcomes) - len(answered)
    if not answered:
        return Rung(calls, 0, 0, None, None, None, limited)
    solved = sum(each.is_solved for each in answered)
    _, low, high = wilson(solved, len(answered))
    calls_right = sum(each.calls_right for each in answered) / len(answered)
    return Rung(calls, len(answered), solved, low, high, calls_right, limited)
