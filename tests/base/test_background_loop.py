"""A loop goes on whatever its rounds raise, says truthfully how it is, and ends when it is told to."""

import logging
import threading
import time

import pytest

from dataset_builder.errors import InputError
from space.base.background_loop import Loop, survives
from tests.stand_ins.waiting import until

SECRET = "sk-what-a-visitor-typed"


class Unforeseen(Exception):
    """Nothing expects this one."""


ERRORS: list[BaseException] = [
    Unforeseen(SECRET),
    InputError("the disk refuses"),
    MemoryError(),
    RecursionError(),
    KeyError(SECRET),
    AssertionError(SECRET),
    SystemExit(SECRET),
    KeyboardInterrupt(),
    GeneratorExit(),
    StopIteration(SECRET),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_round_that_raises_is_logged_told_and_tried_again(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    rounds: list[float] = []
    mended = threading.Event()

    def work() -> None:
        rounds.append(time.monotonic())
        if not mended.is_set():
            raise error

    loop = Loop("the work", work)
    loop.wake()
    until(lambda: loop.is_failing)
    until(lambda: len(rounds) >= 2)
    assert rounds[1] - rounds[0] > 0.4
    mended.set()
    loop.wake()
    until(lambda: not loop.is_failing)
    assert "the work: " in caplog.text
    assert SECRET not in caplog.text
    loop.end(5)


def test_it_waits_longer_after_every_failure_but_no_longer_than_a_minute() -> None:
    def work() -> None:
        raise Unforeseen

    loop = Loop("x", work)
    pauses = [loop._round() for _ in range(40)]
    assert pauses[:4] == [0.5, 1, 2, 4]
    assert set(pauses[8:]) == {60}


def test_it_sleeps_until_it_is_woken_and_no_wake_is_lost() -> None:
    rounds: list[int] = []
    loop = Loop("x", lambda: rounds.append(1))
    for number in range(1, 50):
        loop.wake()
        until(lambda n=number: len(rounds) >= n)  # type: ignore[misc]
    time.sleep(0.05)
    assert len(rounds) <= 51
    loop.end(5)


def test_it_comes_back_when_the_work_says_so() -> None:
    done: list[float | None] = []

    def work() -> float | None:
        done.append(0.01 if len(done) < 5 else None)
        return done[-1]

    loop = Loop("x", work)
    loop.wake()
    until(lambda: len(done) == 6)
    time.sleep(0.1)
    assert done == [0.01] * 5 + [None]
    loop.end(5)


@pytest.mark.parametrize("failing", [False, True])
def test_it_ends_in_time_with_what_was_left_done(failing: bool) -> None:
    left = [3]

    def work() -> float | None:
        left[0] -= 1
        if failing and left[0] % 2:
            raise Unforeseen
        return 3600.0 if left[0] > 0 else None

    loop = Loop("x", work)
    loop.wake()
    until(lambda: left[0] < 3)
    begun = time.monotonic()
    loop.end(5)
    assert time.monotonic() - begun < 2
    assert left[0] <= 0
    assert loop._thread is not None
    assert not loop._thread.is_alive()


def test_an_end_does_not_wait_for_work_that_never_succeeds() -> None:
    def work() -> None:
        raise Unforeseen

    loop = Loop("x", work)
    loop.wake()
    begun = time.monotonic()
    loop.end(0.3)
    assert time.monotonic() - begun < 1
    until(lambda: loop._thread is not None and not loop._thread.is_alive())


def test_one_thing_that_fails_keeps_nobody_from_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[int] = []

    def one(number: int) -> None:
        if number == 1:
            raise Unforeseen(SECRET)
        done.append(number)

    with caplog.at_level(logging.INFO):
        well = [survives("one", lambda n=n: one(n)) for n in range(3)]  # type: ignore[misc]
    assert (well, done) == ([True, False, True], [0, 2])
    assert "Unforeseen" in caplog.text
    assert SECRET not in caplog.text
