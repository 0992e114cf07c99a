"""How long all goes well: right calls before the first wrong one, and what independent errors would give."""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from evaluator.horizon.outcome import Outcome
from evaluator.horizon.share_interval import share_interval

INDEPENDENT_UP_TO = 16
"""The accuracy of a single call is taken from procedures of up to so many calls."""


class Survival(NamedTuple):
    """The share of procedures whose first so many calls are all right, with its interval."""

    calls: int
    share: float
    low: float
    high: float


class Independent(NamedTuple):
    """What errors that know nothing of each other would give: S(N) = p^N.

    ``p``: the accuracy of a call, None without short procedures. ``h50``: ln 0.5 / ln p, None where
    no call was wrong.
    """

    p: float | None
    h50: float | None


def survival(outcomes: Sequence[Outcome]) -> list[Survival]:
    """Kaplan and Meier's curve at each number of calls at which something was wrong or a procedure ended.

    A procedure without a wrong call is censored at its end. The variance is Greenwood's.
    """
    answered = [each for each in outcomes if not each.is_limited]
    # The last call that was looked at: the first wrong one, or the procedure's last.
    ends = [min(each.right_before_error + 1, each.calls) for each in answered]
    is_error = [each.right_before_error < each.calls for each in answered]
    share, relative_variance = 1.0, 0.0
    curve = []
    for calls in sorted(set(ends)):
        at_risk = sum(end >= calls for end in ends)
        wrong = sum(e for e, end in zip(is_error, ends, strict=True) if end == calls)
        share *= 1 - wrong / at_risk
        if wrong < at_risk:
            relative_variance += wrong / (at_risk * (at_risk - wrong))
        curve.append(
            Survival(calls, *share_interval(share, share * share * relative_variance, at_risk))
        )
    return curve


def independent(outcomes: Sequence[Outcome]) -> Independent:
    """p = 1 − first errors / calls up to the first error, both counted in short procedures."""
    short = [each for each in outcomes if each.calls <= INDEPENDENT_UP_TO and not each.is_limited]
    if not short:
        return Independent(None, None)
    errors = sum(each.right_before_error < each.calls for each in short)
    p = 1 - errors / sum(min(each.right_before_error + 1, each.calls) for each in short)
    if p == 1:
        return Independent(p, None)
    return Independent(p, log(0.5) / log(p) if p else 0.0)
