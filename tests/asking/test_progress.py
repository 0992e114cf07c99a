"""What is shown while a model is asked."""

import pytest

from evaluator.asking.progress import duration, status
from evaluator.asking.rate_limits import Limits
from evaluator.asking.runner import State


def test_the_status_line() -> None:
    state = State(10, done=4, failed=1, asked=2, cost_usd=0.25, scores=[1.0, 0.5])
    limits = Limits()
    limits.waiting, limits.retried = 3, 7
    assert status(state, limits, 30) == (
        "4/10 done, 1 failed, 3 waiting, 7 asked again, $0.2500, solved 75.0 %, 1m 15s left"
    )
    assert status(State(10, done=10, cost_usd=None), Limits(), 1) == "10/10 done, cost unknown"
    # No time is left of a run that has ended.
    assert status(State(10, done=4, asked=4, interrupted=True), Limits(), 30) == "4/10 done"
    assert status(State(10, done=4, asked=4, ended="why"), Limits(), 30) == "4/10 done"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (59.4, "59s"), (60, "1m 00s"), (7800, "2h 10m")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
