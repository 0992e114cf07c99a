"""Wilson's interval for shares whose variance is not that of independent yes and no."""

from evaluator.intervals import Interval, wilson


def share_interval(share: float, variance: float, n: int) -> Interval:
    """The share with Wilson's interval for as many observations as its variance stands for.

    So it is never empty or beyond 0 and 1 (Rothman 1978). Where nothing varies they are n.
    """
    stands_for = share * (1 - share) / variance if variance > 0 and 0 < share < 1 else n
    _, low, high = wilson(share * stands_for, stands_for)
    return Interval(share, low, high)
