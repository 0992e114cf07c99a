import asyncio
from collections.abc import Awaitable, Callable

import pytest

from evaluator.asking.rate_limits import WINDOW_S, Limits, Retries
from evaluator.asking.request_reply import Infrastructure

RETRIES = Retries(attempts=4, first_s=1, first_when_limited_s=4, longest_s=10, patience_s=60)


def failure(kind: str, retry_after: float | None = None) -> Infrastructure:
    return Infrastructure(kind, "no", retry_after)


# Failure, attempt, jitter, seconds to wait.
WAITS = [
    (failure("provider_error"), 1, 0.0, 1),
    (failure("provider_error"), 2, 0.0, 2),
    (failure("provider_error"), 2, 1.0, 1),
    (failure("connection"), 3, 0.0, 4),
    (failure("connection"), 4, 0.0, None),
    (failure("rate_limit"), 1, 0.0, 4),
    (failure("rate_limit"), 3, 0.0, 10),
    (failure("rate_limit", 7), 1, 0.0, 7),
    (failure("rate_limit", 7), 3, 0.0, 7),
    (failure("rate_limit", 61), 1, 0.0, None),
    (failure("provider_error", 5), 1, 0.0, 5),
    (failure("bad_request"), 1, 0.0, None),
    (failure("auth"), 1, 0.0, None),
    (failure("reference_rejected"), 1, 0.0, None),
]


@pytest.mark.parametrize(("met", "attempt", "jitter", "wait"), WAITS)
def test_waits(met: Infrastructure, attempt: int, jitter: float, wait: float | None) -> None:
    assert RETRIES.wait_s(met, attempt, jitter) == wait


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def script(clock: Clock, *outcomes: Infrastructure | str) -> Callable[[], Awaitable[str]]:
    """An attempt that meets these outcomes one after the other; the last again and again."""
    left = list(outcomes)

    async def attempt() -> str:
        outcome = left.pop(0) if len(left) > 1 else left[0]
        clock.now += 0.1
        if isinstance(outcome, Infrastructure):
            raise outcome
        return outcome

    return attempt


def no_jitter() -> float:
    return 0.0


def test_asks_again_until_it_succeeds() -> None:
    clock = Clock()
    limits = Limits(clock=clock, sleep=clock.sleep)
    attempt = script(clock, failure("provider_error"), failure("connection"), "fine")
    assert asyncio.run(limits.ask(attempt, 1, RETRIES, no_jitter)) == "fine"
    assert clock.slept == [1, 2]
    assert (limits.retried, limits.waiting) == (2, 0)


def test_gives_up_with_the_last_failure() -> None:
    clock = Clock()
    limits = Limits(clock=clock, sleep=clock.sleep)
    with pytest.raises(Infrastructure) as caught:
        asyncio.run(limits.ask(script(clock, failure("provider_error")), 1, RETRIES, no_jitter))
    assert caught.value.kind == "provider_error"
    assert clock.slept == [1, 2, 4]


def test_a_dead_server_is_given_up_within_thirty_seconds() -> None:
    clock = Clock()
    limits = Limits(clock=clock, sleep=clock.sleep)
    with pytest.raises(Infrastructure):
        asyncio.run(limits.ask(script(clock, failure("connection")), 1, Retries(), no_jitter))
    assert clock.now < 30


def test_retry_after_holds_for_every_request() -> None:
    clock = Clock()
    limits = Limits(clock=clock, sleep=clock.sleep)
    met: list[float] = []

    async def other() -> str:
        met.append(clock.now)
        return "fine"

    async def both() -> None:
        await limits.ask(script(clock, failure("rate_limit", 20), "fine"), 1, RETRIES, no_jitter)
        await limits.ask(other, 1, RETRIES, no_jitter)

    asyncio.run(both())
    assert met[0] >= 20


def starts(limits: Limits, clock: Clock, count: int, tokens: int) -> list[float]:
    """When each of some requests, all wanted at once, is let through."""
    met: list[float] = []

    async def attempt() -> None:
        met.append(clock.now)

    async def all_at_once() -> None:
        await asyncio.gather(
            *(limits.ask(attempt, tokens, RETRIES, no_jitter) for _ in range(count))
        )

    asyncio.run(all_at_once())
    return met


def busiest(times: list[float]) -> int:
    """The most starts in any window."""
    return max(sum(start <= other < start + WINDOW_S for other in times) for start in times)


@pytest.mark.parametrize("rpm", [1, 3, 10])
def test_requests_a_minute(rpm: int) -> None:
    clock = Clock()
    met = starts(Limits(rpm=rpm, clock=clock, sleep=clock.sleep), clock, 12, 1)
    assert len(met) == 12
    assert busiest(met) == rpm


def test_tokens_a_minute() -> None:
    clock = Clock()
    met = starts(Limits(tpm=1000, clock=clock, sleep=clock.sleep), clock, 9, 300)
    assert busiest(met) == 3


def test_a_request_beyond_the_tokens_of_a_minute_is_let_through_alone() -> None:
    clock = Clock()
    met = starts(Limits(tpm=100, clock=clock, sleep=clock.sleep), clock, 2, 300)
    assert met == [0, WINDOW_S]
