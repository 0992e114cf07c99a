"""What is shown while a model is asked."""

from collections import deque

import pytest

from evaluator.asking.pace import duration, pace
from evaluator.asking.progress import status
from evaluator.asking.rate_limits import Limits
from evaluator.asking.runner import State


def test_the_status_line() -> None:
    state = State(10, done=4, failed=1, asked=2, cost_usd=0.25, scores=[1.0, 0.5])
    state.took_s.extend([70, 120, 110, 1000])
    limits = Limits()
    limits.waiting, limits.retried = 3, 7
    assert status(state, limits) == (
        "4/10 done, 1 failed, 3 waiting, 7 asked again, $0.2500, solved 75.0 %, 1m 55s left"
    )
    assert status(State(10, done=10, cost_usd=None), Limits()) == "10/10 done, cost unknown"
    # No time is left of a run that has ended.
    took = deque([1.0] * 4)
    assert status(State(10, done=4, took_s=took), Limits(2)) == "4/10 done, 3s left"
    assert status(State(10, done=4, took_s=took, interrupted=True), Limits()) == "4/10 done"
    assert status(State(10, done=4, took_s=took, ended="why"), Limits()) == "4/10 done"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (59.4, "59s"), (60, "1m 00s"), (7800, "2h 10m")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_pace_is_of_the_last_answers_and_no_stall_changes_it() -> None:
    assert pace([], 8) is None
    known = pace([9.0] * 100 + [2.0] * 60 + [600.0] * 4, 8)
    assert known is not None
    assert (known.answer_s, known.measured) == (2.0, 64)
    assert known.seconds(80) == 20
    # The last few are asked at once and take as long as one.
    assert [known.seconds(answers) for answers in (0, 1, 8)] == [0, 2, 2]
    assert known.basis() == "the median of 64 answers, 2 s each, 8 at once"
